package validation_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fairground/internal/fault"
	"fairground/internal/platform/validation"
)

var update = flag.Bool("update", false, "write the standard rules that the app's tests read")

type sharedCase struct {
	Rule  string
	Value string
	Form  map[string]string
	Codes []string
}

func standard(t *testing.T) *validation.Rules {
	t.Helper()
	rules, err := validation.New(validation.Standard(validation.StandardLimits()))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func cases(t *testing.T) []sharedCase {
	t.Helper()
	raw, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []sharedCase
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// The app's tests read testdata/cases.json and testdata/rules.json too.
func TestVA09SharedCases(t *testing.T) {
	t.Parallel()
	rules := standard(t)
	seen := map[string]bool{}
	for _, c := range cases(t) {
		seen[c.Rule] = true
		got := rules.Check(c.Rule, c.Value, c.Form)
		if !slices.Equal(got, c.Codes) {
			t.Errorf("%s %.60q %v: %v, want %v", c.Rule, c.Value, c.Form, got, c.Codes)
		}
		err := rules.Refuse(c.Rule, c.Value, c.Form)
		var f *fault.Fault
		switch {
		case c.Rule == "noSuchField":
		case len(c.Codes) == 0 && err != nil:
			t.Errorf("%s %.60q: got fault %v, want none", c.Rule, c.Value, err)
		case len(c.Codes) > 0 && (!errors.As(err, &f) || f.Code != c.Codes[0] || f.Field != c.Rule || f.Kind != fault.Invalid):
			t.Errorf("%s %.60q: got fault %v, want %s", c.Rule, c.Value, err, c.Codes[0])
		}
	}
	for name := range rules.Set() {
		if !seen[name] {
			t.Errorf("%s has no test case", name)
		}
	}
}

func TestStandardRulesMatchFixture(t *testing.T) {
	t.Parallel()
	got, err := json.MarshalIndent(standard(t).Set(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	const path = "testdata/rules.json"
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("testdata/rules.json is out of date, run with -update (-want +got):\n%s", diff)
	}
}

func TestFaultHasBounds(t *testing.T) {
	t.Parallel()
	err := standard(t).Refuse("username", "1abcdef", nil)
	var f *fault.Fault
	if !errors.As(err, &f) || f.Args["min"] != "6" || f.Args["max"] != "16" {
		t.Errorf("fault = %v, want min 6 and max 16", err)
	}
}

func TestER06RuleSets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  validation.Set
		want string
	}{
		"nil":        {nil, "Cannot configure a schema with no rules"},
		"empty":      {validation.Set{}, "Cannot configure a schema with no rules"},
		"no rule":    {validation.Set{"a": nil}, "a: Cannot configure a schema with no rules"},
		"type":       {validation.Set{"a": {{Type: "date", Message: "x"}}}, `a: Unknown rule type: "date"`},
		"no message": {validation.Set{"a": {{Required: true}}}, "a: a rule has no message"},
		"pattern":    {validation.Set{"a": {{Pattern: "(?=x)", Message: "x"}}}, "a: error parsing regexp: invalid or unsupported Perl syntax: `(?=`"},
	} {
		if _, err := validation.New(c.set); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if _, err := validation.New(nil); !errors.Is(err, validation.ErrNoRules) {
		t.Errorf("got %v, want ErrNoRules", err)
	}
}

func TestEnumLengthAndNumberRules(t *testing.T) {
	t.Parallel()
	rules, err := validation.New(validation.Set{
		"enum":   {{Enum: []string{"a", "b"}, Message: "enum"}},
		"len":    {{Len: 3, Message: "len"}},
		"number": {{Type: validation.Number, Min: 18, Max: 99, Message: "number"}},
		"server": {{ServerOnly: true, Message: "server"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, value string
		broken      bool
	}{
		{"enum", "a", false}, {"enum", "c", true}, {"enum", "", false}, {"enum", "A", true},
		{"len", "äöü", false}, {"len", "äö", true}, {"len", "😀😀😀", false},
		{"number", "18", false}, {"number", "17", true}, {"number", "100", true}, {"number", "1e1", true}, {"number", "+20", true}, {"number", "２０", true},
		{"number", "9999999999999999999999", true}, {"server", "anything", false},
	} {
		want := []string(nil)
		if c.broken {
			want = []string{c.name}
		}
		if got := rules.Check(c.name, c.value, nil); !slices.Equal(got, want) {
			t.Errorf("broken rules of %s %q = %v, want %v", c.name, c.value, got, want)
		}
	}
}

// The app checks e-mail addresses by pattern only; the server also parses them.
func TestEmailPatternsMatchParser(t *testing.T) {
	t.Parallel()
	var patterns validation.Set
	for _, rule := range validation.Standard(validation.StandardLimits())["email"] {
		rule.Type, rule.Trim = "", false
		patterns = validation.Set{"email": append(patterns["email"], rule)}
	}
	rules, err := validation.New(patterns)
	if err != nil {
		t.Fatal(err)
	}
	letters := rapid.StringOfN(rapid.SampledFrom([]rune("aZ9.@-_+'\"<>()[],;:\\ !#é😀\u200f\x00")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		text := letters.Draw(t, "text")
		if rapid.Bool().Draw(t, "likely") {
			text = letters.Draw(t, "local") + "@" + letters.Draw(t, "domain") + ".co"
		}
		if strings.TrimSpace(text) != text || text == "" {
			return // both sides trim first
		}
		_, err := validation.Email(text)
		if got := rules.Check("email", text, nil); (len(got) == 0) != (err == nil) {
			t.Fatalf("%q: patterns return %v, Email returns %v", text, got, err)
		}
	})
}

func TestTrimIsIdempotent(t *testing.T) {
	t.Parallel()
	rules := standard(t)
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range rules.Set() {
			if !yield(name) {
				return
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "name")
		value := rapid.String().Draw(t, "value")
		if validation.Trim(validation.Trim(value)) != validation.Trim(value) {
			t.Fatalf("Trim(Trim(%q)) differs from Trim", value)
		}
		first := rules.Check(name, value, nil)
		if trims := rules.Set()[name][1].Trim; trims && !slices.Equal(first, rules.Check(name, " "+value+"\t", nil)) {
			t.Fatalf("%s: spaces around %q change the result", name, value)
		}
	})
}

func TestMobileFormats(t *testing.T) {
	t.Parallel()
	for dialing, want := range map[string][3]string{"84": {"VN", "912345678", "0912345678"}, "55": {"BR", "11961234567", "11961234567"}, "92": {"PK", "3012345678", "03012345678"}, "1": {"US", "2015550123", "2015550123"}} {
		t.Run("VA-12 the server's part: number of digits for +"+dialing, func(t *testing.T) {
			t.Parallel()
			c, ok := validation.MobileFormatOf(dialing)
			if !ok || c.Region != want[0] || c.Digits != len(c.Example) {
				t.Errorf("mobile format of %s = %+v, want %s and an example of %d digits", dialing, c, want[0], c.Digits)
			}
			rules, err := validation.New(validation.Set{"m": {{Pattern: c.Pattern, Message: "m"}}})
			if err != nil {
				t.Fatal(err)
			}
			for _, number := range []string{c.Example, want[1], want[2]} {
				if got := rules.Check("m", number, nil); got != nil {
					t.Errorf("%s: %s does not match %s", dialing, number, c.Pattern)
				}
				if _, err := validation.Mobile(dialing, number); err != nil {
					t.Errorf("%s %s: %v", dialing, number, err)
				}
			}
			if got := rules.Check("m", "12", nil); got == nil {
				t.Errorf("pattern of +%s accepts 12", dialing)
			}
		})
	}
	for _, unknown := range []string{"", "0", "084", "999", "x", "+84", "-84"} {
		if c, ok := validation.MobileFormatOf(unknown); ok {
			t.Errorf("MobileFormatOf(%q) = %+v, want none", unknown, c)
		}
	}
}
