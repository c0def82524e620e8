package catalogue

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold returns the form in which names are searched: lower case, without diacritics, with single spaces. Members
// type "rong vang" for "Rồng Vàng". It replaces đ explicitly because đ has no Unicode decomposition.
func Fold(name string) string {
	var b strings.Builder
	space := true // drops leading spaces
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
