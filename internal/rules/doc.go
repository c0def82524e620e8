// Package rules checks the source tree: imports, names, file lengths, size budgets and translations. It contains only
// tests. It has nothing to do with the rules of games.
package rules
