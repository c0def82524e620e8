//go:build !soak

package dbtest

// The quick tests run few checks with a fixed seed, because each check runs many statements.
var properties = map[string]string{"rapid.seed": "20260314", "rapid.checks": "20"}
