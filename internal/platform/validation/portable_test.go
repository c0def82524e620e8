package validation_test

import (
	"testing"

	"fairground/internal/platform/validation"
)

func TestPortablePatterns(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		``, `^[A-Za-z][A-Za-z0-9]*$`, `^(?:a|b)+?c{2,5}$`, `^[\w.\-]{2,}@x\.co$`, `(a)(b)?`, `^\d{3}\/\d$`, `[^a\]]`, `^[a-z-]$`, `\bđ+\b`, `.`,
	} {
		if err := validation.Portable(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		`(?i)a`, `[[:alpha:]]`, `\Aa`, `a\z`, `\pL`, `\@`, `\-`, `a\x{41}`, `(?P<n>a)`, `(?<n>a)`, `a{`, `a}`, `]`, `^*`, `\Qa\E`, `[\d-z]`, `\s`, `[]a]`, `a{,3}`, `(`, `a**`,
	} {
		if validation.Portable(bad) == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	for name, rules := range validation.Standard(validation.StandardLimits()) {
		for _, rule := range rules {
			if err := validation.Portable(rule.Pattern); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
