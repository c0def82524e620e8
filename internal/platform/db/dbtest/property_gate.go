//go:build !soak

package dbtest

// The gate runs few checks with a fixed seed, because each takes many statements.
var properties = map[string]string{"rapid.seed": "20260314", "rapid.checks": "20"}
