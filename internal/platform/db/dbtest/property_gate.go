//go:build !soak

package dbtest

// properties are few in the gate and walk the same ways each time: each walk takes many statements.
var properties = map[string]string{"rapid.seed": "20260314", "rapid.checks": "20"}
