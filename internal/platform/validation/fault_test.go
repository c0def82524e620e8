package validation_test

import (
	"errors"
	"strings"
	"testing"

	"fairground/internal/fault"
	"fairground/internal/platform/validation"
)

// Fields without a specific message get a generic one, with the bounds as arguments.
func TestGenericMessages(t *testing.T) {
	t.Parallel()
	rules, err := validation.New(validation.Set{
		"required": {{Required: true, Message: validation.ErrRequired.Code}},
		"enum":     {{Enum: []string{"a", "b"}, Message: validation.ErrEnum.Code}},
		"length":   {{Len: 3, Message: validation.ErrLength.Code}},
		"min":      {{Min: 3, Message: validation.ErrMin.Code}},
		"max":      {{Max: 3, Message: validation.ErrMax.Code}},
		"range":    {{Min: 2, Max: 3, Message: validation.ErrRange.Code}},
		"pattern":  {{Pattern: "^[0-9]+$", Message: validation.ErrPattern.Code}},
		"type":     {{Type: validation.Number, Message: validation.ErrType.Code}},
		"least":    {{Type: validation.Number, Min: 18, Message: validation.ErrMin.Code}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for field, c := range map[string]struct {
		valid, invalid string
		args           map[string]string
	}{
		"required": {"x", "", nil}, "enum": {"a", "c", nil}, "length": {"abc", "ab", map[string]string{"len": "3"}},
		"min": {"abc", "ab", map[string]string{"min": "3"}}, "max": {"abc", "abcd", map[string]string{"max": "3"}},
		"range": {"ab", "abcd", map[string]string{"min": "2", "max": "3"}}, "pattern": {"12", "1a", nil},
		"type": {"-12", "twelve", nil}, "least": {"18", "17", map[string]string{"min": "18"}},
	} {
		t.Run("VA-07 the server's part: "+field, func(t *testing.T) {
			t.Parallel()
			if err := rules.Refuse(field, c.valid, nil); err != nil {
				t.Errorf("%q: %v", c.valid, err)
			}
			var f *fault.Fault
			if err := rules.Refuse(field, c.invalid, nil); !errors.As(err, &f) {
				t.Fatalf("%q is accepted", c.invalid)
			}
			want := rules.Set()[field][0].Message
			if f.Code != want || f.Field != field || f.Kind != fault.Invalid || len(f.Args) != len(c.args) {
				t.Errorf("fault = %v on %s, args %v, want %s on %s, args %v", f.Code, f.Field, f.Args, want, field, c.args)
			}
			for name, value := range c.args {
				if f.Args[name] != value {
					t.Errorf("arg %s = %s, want %s", name, f.Args[name], value)
				}
			}
		})
	}
	t.Run("VA-07 the server's part: an e-mail address has at most 254 characters", func(t *testing.T) {
		t.Parallel()
		label := strings.Repeat("a", 60) + "."
		longest := strings.Repeat("a", 64) + "@" + label + label + label + "co"
		longest = strings.Replace(longest, "@", "@"+strings.Repeat("b", 254-len(longest)-1)+".", 1)
		if len(longest) != 254 {
			t.Fatalf("%d characters, want 254", len(longest))
		}
		if codes := standard(t).Check("email", longest, nil); len(codes) != 0 {
			t.Errorf("254 characters: %v, want 0", codes)
		}
		if codes := standard(t).Check("email", longest+"m", nil); len(codes) == 0 {
			t.Error("255 characters are accepted")
		}
	})
}
