//go:build race

package catalogue_test

// manyOnSQLite are fewer for the race detector, under which SQLite takes minutes for ten thousand. Its plans do not depend
// on how many rows there are, and nothing in the test that needs them runs at once.
const manyOnSQLite = 1000
