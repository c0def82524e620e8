package content

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
)

const (
	maxLabelLength = 64  // characters
	maxURLLength   = 512 // bytes
)

func hasVisibleText(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsPrint(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
	})
}

// hasNoControls reports whether a text has no control characters and no direction overrides, which can disguise it.
func hasNoControls(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
	})
}

func validHeading(text string) bool {
	return hasVisibleText(text) && hasNoControls(text) && len(text) <= maxLineLength
}

// validLabel checks an optional short text on a button or above a title.
func validLabel(text string) bool {
	return text == "" || hasVisibleText(text) && hasNoControls(text) && utf8.RuneCountInString(text) <= maxLabelLength
}

// hasContent reports whether sanitized HTML contains an image or visible text.
func hasContent(sanitized string) bool {
	return strings.Contains(sanitized, "<img ") || hasVisibleText(html.UnescapeString(bluemonday.StrictPolicy().Sanitize(sanitized)))
}
