//go:build soak

package dbtest

// properties are many in the soak, and another way each time.
var properties = map[string]string{"rapid.checks": "200"}
