package validation

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What a rule set is refused with. The words are the specification's (part 8): the app's validator says the same.
var (
	ErrRuleType = errors.New("Unknown rule type")                       //nolint:staticcheck // given words
	ErrNoRules  = errors.New("Cannot configure a schema with no rules") //nolint:staticcheck // given words
)

// The types of values. A value without a type is a text.
const (
	Text   = "string"
	Number = "number"
	Mail   = "email"
)

// Rule is one thing that must hold for what is typed into a field. An empty value breaks only a rule that requires
// one. Lengths are counted in characters (code points); of a number min and max bound the value itself. A pattern
// means the same to Go and to JavaScript (with the flag u).
type Rule struct {
	Type       string   `json:"type,omitempty" enum:"string,number,email"`
	Trim       bool     `json:"trim,omitempty" doc:"Outer spaces are no part of the value."`
	Required   bool     `json:"required,omitempty"`
	Min        int      `json:"min,omitempty"`
	Max        int      `json:"max,omitempty"`
	Len        int      `json:"len,omitempty"`
	Pattern    string   `json:"pattern,omitempty"`
	Enum       []string `json:"enum,omitempty"`
	Equal      string   `json:"equal,omitempty" doc:"The field that must have the same value."`
	Differs    string   `json:"differs,omitempty" doc:"The field that must have another value."`
	ServerOnly bool     `json:"serverOnly,omitempty" doc:"Only the server can tell; the client knows the message."`
	Message    string   `json:"message" doc:"The code of the refusal."`
}

// Set is the rules of fields, by name.
type Set map[string][]Rule

// Rules is a set that was found sound.
type Rules struct {
	set      Set
	patterns map[string]*regexp.Regexp
}

// New makes a set ready for use.
func New(set Set) (*Rules, error) {
	if len(set) == 0 {
		return nil, ErrNoRules
	}
	r := &Rules{set: set, patterns: map[string]*regexp.Regexp{}}
	for name, rules := range set {
		if len(rules) == 0 {
			return nil, fmt.Errorf("%s: %w", name, ErrNoRules)
		}
		for _, rule := range rules {
			if err := r.learn(rule); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return r, nil
}

func (r *Rules) learn(rule Rule) error {
	if !slices.Contains([]string{"", Text, Number, Mail}, rule.Type) {
		return fmt.Errorf("%w: %q", ErrRuleType, rule.Type)
	}
	if rule.Message == "" {
		return errors.New("a rule has no message")
	}
	if rule.Pattern == "" || r.patterns[rule.Pattern] != nil {
		return nil
	}
	compiled, err := regexp.Compile(rule.Pattern)
	if err != nil {
		return err
	}
	r.patterns[rule.Pattern] = compiled
	return nil
}

// Set gives the rules themselves, to be served.
func (r *Rules) Set() Set { return r.set }

// Check gives the messages of all rules that the value of a field breaks, each once, in the order of the rules. form
// holds the other fields. A field without rules takes nothing.
func (r *Rules) Check(name, value string, form map[string]string) []string {
	rules, known := r.set[name]
	if !known {
		return []string{ErrPattern.Code}
	}
	var broken []string
	for _, rule := range rules {
		if !r.holds(rule, value, form) && !slices.Contains(broken, rule.Message) {
			broken = append(broken, rule.Message)
		}
	}
	return broken
}

// outer are the characters that count as spaces around a value, here and in the app.
const outer = " \t\r\n\u00a0\u3000"

// Trim drops the outer spaces of a value, as rules with trim do.
func Trim(value string) string { return strings.Trim(value, outer) }

func (r *Rules) holds(rule Rule, value string, form map[string]string) bool {
	if rule.Trim {
		value = Trim(value)
	}
	if value == "" {
		return !rule.Required
	}
	size := utf8.RuneCountInString(value)
	switch rule.Type {
	case Number:
		n, err := strconv.Atoi(value)
		if err != nil || !decimal.MatchString(value) {
			return false
		}
		size = n
	case Mail:
		if _, err := Email(value); err != nil {
			return false
		}
	}
	switch {
	case rule.Min != 0 && size < rule.Min, rule.Max != 0 && size > rule.Max, rule.Len != 0 && size != rule.Len:
		return false
	case rule.Pattern != "" && !r.patterns[rule.Pattern].MatchString(value):
		return false
	case len(rule.Enum) > 0 && !slices.Contains(rule.Enum, value):
		return false
	case rule.Equal != "" && value != form[rule.Equal]:
		return false
	case rule.Differs != "" && value == form[rule.Differs]:
		return false
	}
	return true
}

// decimal is a whole number that both sides count exactly.
var decimal = regexp.MustCompile(`^-?[0-9]{1,15}$`)

// broken gives the first rule of a field that its value breaks.
func (r *Rules) broken(name, value string, form map[string]string) (Rule, bool) {
	for _, rule := range r.set[name] {
		if !r.holds(rule, value, form) {
			return rule, true
		}
	}
	return Rule{}, false
}
