package region_test

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairground/internal/platform/region"
	"fairground/internal/platform/region/regiontest"
)

var places = map[string]regiontest.Place{
	"198.51.100.0/24":  {Used: "VN", Registered: "US"},
	"203.0.113.0/25":   {Registered: "PK"},
	"203.0.113.128/25": {},
	"2001:db8:1::/48":  {Used: "BR"},
}

func TestCountry(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"GeoLite2-Country", "GeoIP2-City", "DBIP-Country-Lite"} {
		f, err := region.Open(regiontest.Write(t, kind, places))
		if err != nil {
			t.Fatal(err)
		}
		for address, want := range map[string]string{
			"198.51.100.7": "VN", "203.0.113.7": "PK", "203.0.113.200": "", "192.0.2.1": "", "127.0.0.1": "",
			"2001:db8:1::5": "BR", "2001:db8:2::5": "", "::ffff:198.51.100.7": "VN",
		} {
			if got, err := f.Country(netip.MustParseAddr(address)); err != nil || got != want {
				t.Errorf("%s: Country(%s) = %q, %v, want %q", kind, address, got, err, want)
			}
		}
	}
}

func TestOpenRejectsInvalidFiles(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(regiontest.Write(t, "GeoLite2-Country", places))
	if err != nil {
		t.Fatal(err)
	}
	damaged := append([]byte(nil), whole...)
	for i := range 60 { // in the search tree
		damaged[i] ^= 0xff
	}
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"empty":     {nil, "not a complete MaxMind database"},
		"text file": {[]byte("country,address\nVN,198.51.100.0/24\n"), "not a complete MaxMind database"},
		"truncated": {whole[:len(whole)-200], "not a complete MaxMind database"},
		"damaged":   {damaged, "is damaged"},
	} {
		path := filepath.Join(t.TempDir(), "file.mmdb")
		if err := os.WriteFile(path, c.raw, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := region.Open(path); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, want %q and the path", name, err, c.want)
		}
	}
	if _, err := region.Open(regiontest.Write(t, "GeoLite2-ASN", places)); err == nil || !strings.Contains(err.Error(), "use a country or city database") {
		t.Errorf("ASN database: got %v, want an error with \"use a country or city database\"", err)
	}
	if _, err := region.Open(filepath.Join(t.TempDir(), "none.mmdb")); !os.IsNotExist(err) {
		t.Errorf("missing file: got %v", err)
	}
	if _, err := region.Open(t.TempDir()); err == nil {
		t.Error("Open accepted a folder")
	}
}
