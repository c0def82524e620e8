// Package spec names the codes of the wire that the specification fixes: modules, flags, categories, vendors, kinds of
// content, links, the lottery's modes, gateways. Each stands here once, and whoever means one says its name (KO-06). Of switches it also
// says what they are for and whether they start on. Which of the others are offered or allowed is for their domains to say.
package spec

// Gateways by which a client comes.
const (
	GatewayWeb    = 1
	GatewayMobile = 3
)
