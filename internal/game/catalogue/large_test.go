//go:build !race

package catalogue_test

// manyOnSQLite is how many games the test of many has there.
const manyOnSQLite = 10_000
