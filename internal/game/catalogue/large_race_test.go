//go:build race

package catalogue_test

// With the race detector SQLite takes minutes for ten thousand games. Query plans do not depend on the number of
// rows, so a smaller catalogue finds the same faults.
const largeCatalogueOnSQLite = 1000
