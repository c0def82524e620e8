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

// CountryOf gives the form of mobile numbers of a dialling code; false when no country has it. Where several share one
// the number's own country is found out by the server alone.
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
	return c, true
}
