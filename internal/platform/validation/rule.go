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

// Errors of invalid rule sets. The specification (part 8) defines the texts.
var (
	ErrRuleType = errors.New("Unknown rule type")                       //nolint:staticcheck // the specification defines the text
	ErrNoRules  = errors.New("Cannot configure a schema with no rules") //nolint:staticcheck // the specification defines the text
)

// Types of values. The default is Text.
const (
	Text   = "string"
	Number = "number"
	Mail   = "email"
)

// A Rule is one condition on the value of a field. An empty value breaks only a Required rule. Min, Max and Len count code
// points. For a Number, Min and Max limit its value. Patterns have the same meaning in Go and in JavaScript with the u
// flag.
type Rule struct {
	Type       string   `json:"type,omitempty" enum:"string,number,email"`
	Trim       bool     `json:"trim,omitempty" doc:"Trim spaces around the value before the check."`
	Required   bool     `json:"required,omitempty"`
	Min        int      `json:"min,omitempty"`
	Max        int      `json:"max,omitempty"`
	Len        int      `json:"len,omitempty"`
	Pattern    string   `json:"pattern,omitempty"`
	Enum       []string `json:"enum,omitempty"`
	Equal      string   `json:"equal,omitempty" doc:"Name of the field that must have the same value."`
	Differs    string   `json:"differs,omitempty" doc:"Name of the field that must have a different value."`
	ServerOnly bool     `json:"serverOnly,omitempty" doc:"Only the server checks this rule."`
	Message    string   `json:"message" doc:"Error code of a broken rule."`
}

// A Set maps field names to their rules.
type Set map[string][]Rule

// Rules is a checked Set with compiled patterns.
type Rules struct {
	set      Set
	patterns map[string]*regexp.Regexp
}

// New checks a set and compiles its patterns.
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
			if err := r.add(rule); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return r, nil
}

func (r *Rules) add(rule Rule) error {
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

// Set returns the rules.
func (r *Rules) Set() Set { return r.set }

// Check returns the distinct messages of all rules that a value breaks, in the order of the rules. form contains the other
// fields. A field without rules accepts no value.
func (r *Rules) Check(name, value string, form map[string]string) []string {
	rules, known := r.set[name]
	if !known {
		return []string{ErrPattern.Code}
	}
	var broken []string
	for _, rule := range rules {
		if !r.satisfied(rule, value, form) && !slices.Contains(broken, rule.Message) {
			broken = append(broken, rule.Message)
		}
	}
	return broken
}

// trimmed contains the characters that Trim removes. The app removes the same characters.
const trimmed = " \t\r\n\u00a0\u3000"

// Trim removes spaces around a value, as rules with Trim do.
func Trim(value string) string { return strings.Trim(value, trimmed) }

func (r *Rules) satisfied(rule Rule, value string, form map[string]string) bool {
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

// decimal matches integers that Go and JavaScript represent exactly.
var decimal = regexp.MustCompile(`^-?[0-9]{1,15}$`)

func (r *Rules) firstBroken(name, value string, form map[string]string) (Rule, bool) {
	for _, rule := range r.set[name] {
		if !r.satisfied(rule, value, form) {
			return rule, true
		}
	}
	return Rule{}, false
}
