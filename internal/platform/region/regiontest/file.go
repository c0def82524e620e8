// Package regiontest writes country databases for tests.
package regiontest

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
)

// A Place holds the countries where an address is used and registered.
type Place struct{ Used, Registered string }

// Write writes a database of type kind to a temporary folder and returns its path.
func Write(t testing.TB, kind string, places map[string]Place) string {
	t.Helper()
	tree, err := mmdbwriter.New(mmdbwriter.Options{
		DatabaseType: kind, Description: map[string]string{"en": "made by a test"}, IncludeReservedNetworks: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	for network, place := range places {
		record := mmdbtype.Map{}
		for name, country := range map[string]string{"country": place.Used, "registered_country": place.Registered} {
			if country != "" {
				record[mmdbtype.String(name)] = mmdbtype.Map{"iso_code": mmdbtype.String(country)}
			}
		}
		_, at, err := net.ParseCIDR(network)
		if err == nil {
			err = tree.Insert(at, record)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var raw bytes.Buffer
	if _, err := tree.WriteTo(&raw); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "countries.mmdb")
	if err := os.WriteFile(path, raw.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
