package content

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
)

// What a line of its kind may hold, in characters.
const (
	longestLabel   = 64
	longestAddress = 512
)

// seen tells whether a text shows anything at all.
func seen(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsPrint(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
	})
}

// honest tells whether a line reads as it is written: what turns the direction of letters around only deceives.
func honest(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
	})
}

// heading tells titles and names that a screen can show.
func heading(text string) bool { return seen(text) && honest(text) && len(text) <= longestLine }

// label tells the few words on a button or beside a title; it may be left out.
func label(text string) bool {
	return text == "" || seen(text) && honest(text) && utf8.RuneCountInString(text) <= longestLabel
}

// shows tells whether HTML that was cleaned has anything left to look at.
func shows(clean string) bool {
	return strings.Contains(clean, "<img ") || seen(html.UnescapeString(bluemonday.StrictPolicy().Sanitize(clean)))
}
