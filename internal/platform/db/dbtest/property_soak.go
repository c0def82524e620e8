//go:build soak

package dbtest

// The soak tests run many checks with a random seed.
var properties = map[string]string{"rapid.checks": "200"}
