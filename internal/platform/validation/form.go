package validation

import (
	"cmp"
	"fmt"
	"slices"
)

// The ways to register.
const (
	ByUsername = "username"
	ByMobile   = "mobile"
)

// How a mobile number is proved when registering.
const (
	ProofNone     = "none"
	ProofSMS      = "sms"
	ProofFirebase = "firebase"
)

// The kinds of captcha picture that a merchant can choose.
const (
	CaptchaDigits   = "digits"
	CaptchaEquation = "equation"
)

// Whose slider challenge is asked for.
const (
	SliderOwn     = "own"
	SliderGeetest = "geetest"
)

// InvitationFields are the fields for the code of whoever brings a member.
var InvitationFields = []string{"affiliateCode", "recommenderId"}

// Field is one field of the registration form, as the merchant has it.
type Field struct {
	Name       string            `json:"name"`
	Enabled    bool              `json:"enabled"`
	Profile    bool              `json:"profile" doc:"Whether members may tell it afterwards, in their profile."`
	Required   bool              `json:"required" doc:"In every method that shows it."`
	Order      int               `json:"order"`
	Methods    []string          `json:"methods" doc:"The methods whose form shows it: username, mobile."`
	RequiredIn []string          `json:"requiredIn" doc:"Those of them that need a value."`
	Pattern    string            `json:"acceptedPattern"`
	MinLength  int               `json:"minLength"`
	MaxLength  int               `json:"maxLength"`
	Rules      []Rule            `json:"rules" doc:"Without the one that a value is required; see requiredIn and messages."`
	Messages   map[string]string `json:"messages" doc:"Codes by occasion: required, and format for anything else."`
}

// Form is what registering asks for.
type Form struct {
	Methods            []string // in which one can register at all
	MobileVerification string   // none, sms or firebase
	Captcha            bool
	Slider             bool
	AgeLimit           int
	Fields             []Field // every one there is, in the order of the form
	rules              *Rules
}

// NewForm makes a form of fields whose rules stand in the set; each may have a pattern of its own in Pattern.
func NewForm(set Set, f Form) (*Form, error) {
	own := Set{}
	for i := range f.Fields {
		if err := f.Fields[i].complete(set, own); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(f.Fields, func(a, b Field) int { return cmp.Compare(a.Order, b.Order) })
	var err error
	if f.rules, err = New(own); err != nil {
		return nil, err
	}
	return &f, nil
}

// complete works out what follows from the rules.
func (f *Field) complete(set, own Set) error {
	rules, known := set[f.Name]
	if !known {
		return fmt.Errorf("%s: %w", f.Name, ErrNoRules)
	}
	f.Messages = map[string]string{"required": ErrRequired.Code, "format": ErrPattern.Code}
	f.Rules = []Rule{}
	for _, rule := range rules {
		if rule.Required {
			f.Messages["required"] = rule.Message
			continue
		}
		f.Rules = append(f.Rules, rule)
		f.MinLength, f.MaxLength = max(f.MinLength, rule.Min), max(f.MaxLength, rule.Max)
	}
	if len(f.Rules) > 0 {
		f.Messages["format"] = f.Rules[0].Message
	}
	if f.Pattern != "" {
		f.Rules = append(f.Rules, Rule{Trim: f.trims(), Pattern: f.Pattern, Message: f.Messages["format"]})
	}
	for _, rule := range f.Rules {
		if f.Pattern == "" {
			f.Pattern = rule.Pattern
		}
	}
	f.Required = f.Enabled && len(f.RequiredIn) == len(f.Methods)
	own[f.Name] = f.Rules
	return nil
}

func (f *Field) trims() bool {
	return slices.ContainsFunc(f.Rules, func(r Rule) bool { return r.Trim })
}

// Open tells whether one can register by a method.
func (f *Form) Open(method string) bool { return slices.Contains(f.Methods, method) }

// Refuse gives the fault of the first field, in the order of the form, whose value breaks a rule: one that is missing,
// malformed, or sent though the form has no such field. Fields in skip are judged by somebody else.
func (f *Form) Refuse(method string, values map[string]string, skip ...string) error {
	for _, field := range f.Fields {
		value := values[field.Name]
		switch shown := field.Enabled && slices.Contains(field.Methods, method); {
		case slices.Contains(skip, field.Name):
		case value == "" && shown && slices.Contains(field.RequiredIn, method):
			return invalid(field.Messages["required"], field.Name)
		case value == "":
		case !shown:
			return ErrUnasked.On(field.Name)
		default:
			if err := f.rules.Refuse(field.Name, value, values); err != nil {
				return err
			}
			if Trim(value) == "" && slices.Contains(field.RequiredIn, method) {
				return invalid(field.Messages["required"], field.Name)
			}
		}
	}
	return nil
}

// RefuseTold gives the fault of what a member tells afterwards: of a field that the merchant does not want, or that breaks
// a rule of the form.
func (f *Form) RefuseTold(name, value string) error {
	for _, field := range f.Fields {
		if field.Name == name && field.Profile {
			return f.rules.Refuse(name, value, nil)
		}
	}
	return ErrUnasked.On(name)
}

// Field gives a field by name, when the method's form shows it.
func (f *Form) Field(method, name string) (Field, bool) {
	for _, field := range f.Fields {
		if field.Name == name && field.Enabled && slices.Contains(field.Methods, method) {
			return field, true
		}
	}
	return Field{}, false
}
