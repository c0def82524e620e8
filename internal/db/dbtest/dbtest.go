// Package dbtest gives tests real, empty, migrated databases of both engines. It starts one private
// PostgreSQL cluster per test binary, as another user where root is refused, and stops it at the end. It
// never touches a cluster that it did not start.
package dbtest
