package validation

import (
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// A Country describes the mobile numbers of a dialling code, for the app to check input and show an example.
type Country struct {
	Code    string `json:"code" doc:"Dialling code without +."`
	Country string `json:"country" doc:"ISO 3166 code of the main country of the dialling code."`
	Pattern string `json:"pattern" doc:"Pattern of a mobile number as typed, with or without one leading zero."`
	Digits  int    `json:"digits" doc:"Number of digits without the leading zero."`
	Example string `json:"example"`
}

// maxRegions is the maximum number of countries per dialling code for which the app gets exact patterns.
const maxRegions = 3

// CountryOf returns the Country of a dialling code, or false if there is none. If many countries share the code, the
// pattern checks only the number of digits.
func CountryOf(dialing string) (Country, bool) {
	code, err := strconv.Atoi(dialing)
	if err != nil || strconv.Itoa(code) != dialing {
		return Country{}, false
	}
	regions := phonenumbers.GetRegionCodesForCountryCode(code)
	metadata, err := phonenumbers.MetadataCollection()
	if err != nil || len(regions) == 0 {
		return Country{}, false
	}
	c := Country{Code: dialing, Country: regions[0]}
	var patterns []string
	for _, region := range regions {
		for _, m := range metadata.GetMetadata() {
			if m.GetId() != region || m.GetMobile().GetNationalNumberPattern() == "" {
				continue
			}
			patterns = append(patterns, m.GetMobile().GetNationalNumberPattern())
			if region == c.Country {
				c.Example = m.GetMobile().GetExampleNumber()
				c.Digits = len(c.Example)
			}
		}
	}
	if c.Example == "" {
		return Country{}, false
	}
	c.Pattern = "^0?(?:" + strings.Join(patterns, "|") + ")$"
	if len(regions) > maxRegions {
		c.Pattern = "^0?[0-9]{" + strconv.Itoa(c.Digits) + "}$"
	}
	return c, true
}
