package validation

import (
	"cmp"
	"fmt"
	"slices"
)

// Registration methods.
const (
	ByUsername = "username"
	ByMobile   = "mobile"
)

// Values of Form.MobileVerification.
const (
	ProofNone     = "none"
	ProofSMS      = "sms"
	ProofFirebase = "firebase"
)

// Kinds of captcha images.
const (
	CaptchaDigits   = "digits"
	CaptchaEquation = "equation"
)

// When a proof of work is required.
const (
	WorkAfterFailures = "after_failures"
	WorkAlways        = "always"
	WorkOff           = "off"
)

// Slider providers.
const (
	SliderOwn     = "own"
	SliderGeetest = "geetest"
)

// InvitationFields are the fields for the code of the member who invited the applicant.
var InvitationFields = []string{"affiliateCode", "recommenderId"}

// A Field is one field of the merchant's registration form.
type Field struct {
	Name       string            `json:"name"`
	Enabled    bool              `json:"enabled"`
	Profile    bool              `json:"profile" doc:"Whether members may fill it in later, in their profile."`
	Required   bool              `json:"required" doc:"Whether every method that shows the field requires a value."`
	Order      int               `json:"order"`
	Methods    []string          `json:"methods" doc:"Methods whose form shows the field: username, mobile."`
	RequiredIn []string          `json:"requiredIn" doc:"Methods that require a value."`
	Pattern    string            `json:"acceptedPattern"`
	MinLength  int               `json:"minLength"`
	MaxLength  int               `json:"maxLength"`
	Rules      []Rule            `json:"rules" doc:"Rules except required; see requiredIn and messages."`
	Messages   map[string]string `json:"messages" doc:"Error codes: required, and format for all other rules."`
}

// A Form is the registration form of a merchant.
type Form struct {
	Methods            []string // enabled registration methods
	MobileVerification string   // none, sms or firebase
	Captcha            bool
	Slider             bool
	AgeLimit           int
	Fields             []Field // all fields in display order
	rules              *Rules
}

// NewForm returns a form whose fields get their rules from set. A field's Pattern adds a rule.
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

// complete fills in the properties of a field that follow from its rules.
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

// Allows reports whether members can register with a method.
func (f *Form) Allows(method string) bool { return slices.Contains(f.Methods, method) }

// Refuse checks the fields in display order, except those in skip. It returns the fault of the first field whose value is
// missing, malformed, or not part of the form.
func (f *Form) Refuse(method string, values map[string]string, skip ...string) error {
	for _, field := range f.Fields {
		value := values[field.Name]
		switch shown := field.Enabled && slices.Contains(field.Methods, method); {
		case slices.Contains(skip, field.Name):
		case value == "" && shown && slices.Contains(field.RequiredIn, method):
			return invalid(field.Messages["required"], field.Name)
		case value == "":
		case !shown:
			return ErrNotInForm.On(field.Name)
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

// RefuseProfile returns a fault if the merchant does not use a profile field, or if the value breaks a rule.
func (f *Form) RefuseProfile(name, value string) error {
	for _, field := range f.Fields {
		if field.Name == name && field.Profile {
			return f.rules.Refuse(name, value, nil)
		}
	}
	return ErrNotInForm.On(name)
}

// Field returns a field by name if the form of the method shows it.
func (f *Form) Field(method, name string) (Field, bool) {
	for _, field := range f.Fields {
		if field.Name == name && field.Enabled && slices.Contains(field.Methods, method) {
			return field, true
		}
	}
	return Field{}, false
}
