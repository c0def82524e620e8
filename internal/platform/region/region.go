// Package region tells in which country an address is, from a database file in MaxMind's format that the operator
// brings (GeoLite2 Country, GeoIP2 City and the like). It asks nobody over the network and keeps no address.
package region

import (
	"fmt"
	"net/netip"
	"os"
	"strings"

	"github.com/oschwald/maxminddb-golang/v2"
)

// Countries tells in which country an address is: two capital letters, or nothing where that is unknown.
type Countries interface {
	Country(netip.Addr) (string, error)
}

// File is such a database, held in memory: whoever replaces the file changes nothing under a running server.
type File struct{ reader *maxminddb.Reader }

// Open reads a database and finds out that it is whole and knows countries.
func Open(path string) (*File, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	reader, err := maxminddb.OpenBytes(raw)
	if err != nil {
		return nil, fmt.Errorf("%s is no whole MaxMind database: %w", path, err)
	}
	if kind := reader.Metadata.DatabaseType; !knowsCountries(kind) {
		return nil, fmt.Errorf("%s is a database of %q: want one of countries or cities", path, kind)
	}
	// All of it is read once: a place that cannot be read is found here, not when somebody calls from there.
	for found := range reader.Networks() {
		if _, err := countryOf(found); err != nil {
			return nil, fmt.Errorf("%s is damaged: %w", path, err)
		}
	}
	return &File{reader}, nil
}

func knowsCountries(kind string) bool {
	for _, word := range []string{"Country", "City", "Enterprise"} {
		if strings.Contains(kind, word) {
			return true
		}
	}
	return false
}

// Country gives an address's country as two capital letters; nothing where the database does not know it. An address
// that is lent out counts where it is used, and only where that is unknown where it is registered.
func (f *File) Country(address netip.Addr) (string, error) {
	address = address.Unmap()
	if address.Is6() && f.reader.Metadata.IPVersion == 4 {
		return "", nil // it knows nothing of such
	}
	return countryOf(f.reader.Lookup(address))
}

func countryOf(found maxminddb.Result) (string, error) {
	for _, of := range []string{"country", "registered_country"} {
		var country string
		if err := found.DecodePath(&country, of, "iso_code"); err != nil {
			return "", fmt.Errorf("look up a country: %w", err)
		}
		if country != "" {
			return country, nil
		}
	}
	return "", nil
}
