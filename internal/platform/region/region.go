// Package region looks up the country of an IP address in a MaxMind database file that the operator provides (GeoLite2
// Country, GeoIP2 City and similar). It makes no network requests and stores no addresses.
package region

import (
	"fmt"
	"net/netip"
	"os"
	"strings"

	"github.com/oschwald/maxminddb-golang/v2"
)

// Countries returns the ISO 3166 code of an address's country, or "" if unknown.
type Countries interface {
	Country(netip.Addr) (string, error)
}

// A File is a database in memory. Replacing the file on disk does not affect a running server.
type File struct{ reader *maxminddb.Reader }

// Open reads a database and checks that it is complete and contains countries.
func Open(path string) (*File, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	reader, err := maxminddb.OpenBytes(raw)
	if err != nil {
		return nil, fmt.Errorf("%s is not a complete MaxMind database: %w", path, err)
	}
	if kind := reader.Metadata.DatabaseType; !hasCountries(kind) {
		return nil, fmt.Errorf("%s is a %q database: use a country or city database", path, kind)
	}
	// Read every record now, so that a damaged file fails at startup and not during a request.
	for found := range reader.Networks() {
		if _, err := countryOf(found); err != nil {
			return nil, fmt.Errorf("%s is damaged: %w", path, err)
		}
	}
	return &File{reader}, nil
}

func hasCountries(kind string) bool {
	for _, word := range []string{"Country", "City", "Enterprise"} {
		if strings.Contains(kind, word) {
			return true
		}
	}
	return false
}

// Country returns the country where an address is used. If that is unknown, it returns the country where the address is
// registered, or "".
func (f *File) Country(address netip.Addr) (string, error) {
	address = address.Unmap()
	if address.Is6() && f.reader.Metadata.IPVersion == 4 {
		return "", nil // the database has no IPv6 records
	}
	return countryOf(f.reader.Lookup(address))
}

func countryOf(found maxminddb.Result) (string, error) {
	for _, of := range []string{"country", "registered_country"} {
		var country string
		if err := found.DecodePath(&country, of, "iso_code"); err != nil {
			return "", fmt.Errorf("look up country: %w", err)
		}
		if country != "" {
			return country, nil
		}
	}
	return "", nil
}
