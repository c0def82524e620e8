package rest

import (
	"slices"
	"strings"
)

// languages of the product; the first is the one of requests that name none, or another.
var languages = []string{"vi", "en", "ur", "pt"}

const defaultLanguage = "vi"

// Languages gives all of them, as they are stored. The wire writes them in capitals.
func Languages() []string { return slices.Clone(languages) }

// Language reads a language as anybody writes it, in any case; an unknown one is the default.
func Language(wire string) string {
	for _, l := range languages {
		if strings.EqualFold(l, wire) {
			return l
		}
	}
	return defaultLanguage
}
