// Package rules tests the source tree: imports, names, file lengths, size budgets and translations. It contains only tests
// and does not test behaviour.
package rules
