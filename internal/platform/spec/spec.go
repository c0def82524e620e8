// Package spec names the wire codes that the specification fixes: modules, flags, categories, vendors, content kinds,
// links, lottery modes and gateways. Each code is defined once (KO-06). For switches, the package also defines a
// description and a default. Other packages decide which codes are offered or allowed.
package spec

// Client gateways.
const (
	GatewayWeb    = 1
	GatewayMobile = 3
)
