package validation_test

import (
	"testing"

	"fairground/internal/platform/validation"
)

func TestCheckPortable(t *testing.T) {
	t.Parallel()
	for _, portable := range []string{
		``, `^[A-Za-z][A-Za-z0-9]*$`, `^(?:a|b)+?c{2,5}$`, `^[\w.\-]{2,}@x\.co$`, `(a)(b)?`, `^\d{3}\/\d$`, `[^a\]]`, `^[a-z-]$`, `\bđ+\b`, `.`,
	} {
		if err := validation.CheckPortable(portable); err != nil {
			t.Errorf("%s: %v", portable, err)
		}
	}
	for _, rejected := range []string{
		`(?i)a`, `[[:alpha:]]`, `\Aa`, `a\z`, `\pL`, `\@`, `\-`, `a\x{41}`, `(?P<n>a)`, `(?<n>a)`, `a{`, `a}`, `]`, `^*`, `\Qa\E`, `[\d-z]`, `\s`, `[]a]`, `a{,3}`, `(`, `a**`,
	} {
		if validation.CheckPortable(rejected) == nil {
			t.Errorf("%s is accepted", rejected)
		}
	}
	for name, rules := range validation.Standard(validation.StandardLimits()) {
		for _, rule := range rules {
			if err := validation.CheckPortable(rule.Pattern); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
