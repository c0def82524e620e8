// Package validation holds the rules of what may be typed into a form, one set for server and client. It knows no
// member and no merchant: the rules of a merchant are handed in.
package validation

import (
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"fairground/internal/fault"
)

// ErrMobile refuses what is no mobile number of its country.
var ErrMobile = fault.New(fault.Invalid, "member.mobile_format")

const (
	mobileLongest  = 20
	dialingLongest = 4
)

// Mobile gives the international form (E.164) of a number as people of the country type it: with or without one
// leading zero. Surrounding spaces are dropped; anything else than ASCII digits is refused, not repaired.
func Mobile(dialing, number string) (string, error) {
	dialing, number = Trim(dialing), Trim(number)
	if !digits(dialing, dialingLongest) || !digits(number, mobileLongest) {
		return "", ErrMobile
	}
	// In a few countries the zero belongs to the number itself.
	for _, candidate := range []string{strings.TrimPrefix(number, "0"), number} {
		if e164 := "+" + dialing + candidate; mobile(e164) {
			return e164, nil
		}
	}
	return "", ErrMobile
}

func mobile(e164 string) bool {
	parsed, err := phonenumbers.Parse(e164, "")
	if err != nil || phonenumbers.Format(parsed, phonenumbers.E164) != e164 { // repaired, so not what was typed
		return false
	}
	switch phonenumbers.GetNumberType(parsed) { // of a number that is not valid it is unknown
	case phonenumbers.MOBILE, phonenumbers.FIXED_LINE_OR_MOBILE:
		return true
	default:
		return false
	}
}

func digits(text string, longest int) bool {
	return text != "" && len(text) <= longest && strings.Trim(text, "0123456789") == ""
}

// SplitMobile gives the dialling code and the rest of a number in E.164.
func SplitMobile(e164 string) (dialing, national string) {
	n, err := phonenumbers.Parse(e164, "")
	if err != nil {
		return "", ""
	}
	return strconv.Itoa(int(n.GetCountryCode())), phonenumbers.GetNationalSignificantNumber(n)
}
