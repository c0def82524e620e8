package validation

import (
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// A MobileFormat describes the mobile numbers of a dialling code, for the app to check input and show an example.
type MobileFormat struct {
	Code    string `json:"code" doc:"Dialling code without +."`
	Region  string `json:"country" doc:"ISO 3166 code of the main country of the dialling code."`
	Pattern string `json:"pattern" doc:"Pattern of a mobile number as typed, with or without one leading zero."`
	Digits  int    `json:"digits" doc:"Number of digits without the leading zero."`
	Example string `json:"example"`
}

// maxRegions is the maximum number of countries per dialling code for which the app gets an exact pattern. A code shared by
// more countries gets a pattern that checks only the length.
const maxRegions = 3

// MobileFormatOf returns the mobile format of a dialling code, or false if no country has the code.
func MobileFormatOf(dialing string) (MobileFormat, bool) {
	code, err := strconv.Atoi(dialing)
	if err != nil || strconv.Itoa(code) != dialing {
		return MobileFormat{}, false
	}
	regions := phonenumbers.GetRegionCodesForCountryCode(code)
	metadata, err := phonenumbers.MetadataCollection()
	if err != nil || len(regions) == 0 {
		return MobileFormat{}, false
	}
	f := MobileFormat{Code: dialing, Region: regions[0]}
	var patterns []string
	for _, region := range regions {
		for _, m := range metadata.GetMetadata() {
			if m.GetId() != region || m.GetMobile().GetNationalNumberPattern() == "" {
				continue
			}
			patterns = append(patterns, m.GetMobile().GetNationalNumberPattern())
			if region == f.Region {
				f.Example = m.GetMobile().GetExampleNumber()
				f.Digits = len(f.Example)
			}
		}
	}
	if f.Example == "" {
		return MobileFormat{}, false
	}
	f.Pattern = "^0?(?:" + strings.Join(patterns, "|") + ")$"
	if len(regions) > maxRegions {
		f.Pattern = "^0?[0-9]{" + strconv.Itoa(f.Digits) + "}$"
	}
	return f, true
}
