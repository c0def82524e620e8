package catalogue

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold gives the form in which names are searched: lower case, without diacritics, single spaces. Members
// type 'rong vang' for 'Rồng Vàng'; đ has no decomposition and is folded by hand.
func Fold(name string) string {
	var b strings.Builder
	space := true // leading space is dropped
	for _, r := range norm.NFKD.String(name) {
		r = unicode.ToLower(r)
		switch {
		case unicode.Is(unicode.Mn, r):
			continue
		case unicode.IsLetter(r), unicode.IsDigit(r):
			if r == 'đ' {
				r = 'd'
			}
			b.WriteRune(r)
			space = false
		case !space:
			b.WriteByte(' ')
			space = true
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}
