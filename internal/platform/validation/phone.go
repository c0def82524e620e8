// Package validation defines the rules for form fields. The server and the app use the same rules.
package validation

import (
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"fairground/internal/fault"
)

// ErrMobile reports a malformed mobile number.
var ErrMobile = fault.New(fault.Invalid, "member.mobile_format")

const (
	maxMobile  = 20
	maxDialing = 4
)

// Mobile converts a number, as people type it in its country, to E.164. The number may have one leading zero. Mobile trims
// spaces and rejects anything but ASCII digits.
func Mobile(dialing, number string) (string, error) {
	dialing, number = Trim(dialing), Trim(number)
	if !isDigits(dialing, maxDialing) || !isDigits(number, maxMobile) {
		return "", ErrMobile
	}
	// In some countries the zero is part of the number.
	for _, candidate := range []string{strings.TrimPrefix(number, "0"), number} {
		if e164 := "+" + dialing + candidate; isMobile(e164) {
			return e164, nil
		}
	}
	return "", ErrMobile
}

func isMobile(e164 string) bool {
	parsed, err := phonenumbers.Parse(e164, "")
	if err != nil || phonenumbers.Format(parsed, phonenumbers.E164) != e164 { // the parser changed the number
		return false
	}
	switch phonenumbers.GetNumberType(parsed) { // UNKNOWN if the number is not valid
	case phonenumbers.MOBILE, phonenumbers.FIXED_LINE_OR_MOBILE:
		return true
	default:
		return false
	}
}

func isDigits(text string, maxLength int) bool {
	return text != "" && len(text) <= maxLength && strings.Trim(text, "0123456789") == ""
}

// SplitMobile splits an E.164 number into its dialling code and national number.
func SplitMobile(e164 string) (dialing, national string) {
	n, err := phonenumbers.Parse(e164, "")
	if err != nil {
		return "", ""
	}
	return strconv.Itoa(int(n.GetCountryCode())), phonenumbers.GetNationalSignificantNumber(n)
}
