//go:build soak

package dbtest

// The soak runs many checks with a random seed.
var properties = map[string]string{"rapid.checks": "200"}
