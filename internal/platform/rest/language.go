package rest

import (
	"slices"
	"strings"
)

// languages of the product, the default first.
var languages = []string{"vi", "en", "ur", "pt"}

const defaultLanguage = "vi"

// Languages returns all languages in the stored form. The API uses upper case.
func Languages() []string { return slices.Clone(languages) }

// Language converts a language code, in any case, to the stored form. An unknown language becomes the default.
func Language(wire string) string {
	for _, l := range languages {
		if strings.EqualFold(l, wire) {
			return l
		}
	}
	return defaultLanguage
}
