package validation

import (
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// Country is what the app needs to check and to hint at a mobile number before it is sent.
type Country struct {
	Code    string `json:"code" doc:"Dialling code, without +."`
	Country string `json:"country" doc:"ISO 3166 code of the country that has most of its numbers."`
	Pattern string `json:"pattern" doc:"A mobile number as it is typed, with or without one leading zero."`
	Digits  int    `json:"digits" doc:"How many digits a mobile number has, without its zero."`
	Example string `json:"example"`
}

// fewRegions is up to how many countries of one dialling code the app is given the exact form of numbers.
const fewRegions = 3

// CountryOf gives the form of mobile numbers of a dialling code; false when no country has it. Where many
// share one the app checks only the number of digits and the server the rest.
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
	if len(regions) > fewRegions {
		c.Pattern = "^0?[0-9]{" + strconv.Itoa(c.Digits) + "}$"
	}
	return c, true
}
