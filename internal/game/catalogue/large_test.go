//go:build !race

package catalogue_test

const largeCatalogueOnSQLite = 10_000
