package validation

import (
	"errors"
	"slices"

	"fairground/internal/fault"
)

// Faults of fields without a specific message.
var (
	ErrRequired = fault.New(fault.Invalid, "validation.required")
	ErrEnum     = fault.New(fault.Invalid, "validation.enum")
	ErrLength   = fault.New(fault.Invalid, "validation.length")
	ErrMin      = fault.New(fault.Invalid, "validation.min")
	ErrMax      = fault.New(fault.Invalid, "validation.max")
	ErrRange    = fault.New(fault.Invalid, "validation.range")
	ErrPattern  = fault.New(fault.Invalid, "validation.pattern")
	ErrType     = fault.New(fault.Invalid, "validation.type")
	// ErrNotInForm reports a value for a field that the form does not have.
	ErrNotInForm = fault.New(fault.Invalid, "validation.unasked")
)

// Refuse returns the fault of the first rule that a value breaks, or nil. The fault's arguments are the limits of all rules
// with the same message. form contains the other fields.
func (r *Rules) Refuse(name, value string, form map[string]string) error {
	broken, found := r.firstBroken(name, value, form)
	if !found {
		return nil
	}
	f := invalid(broken.Message, name)
	bounds := slices.DeleteFunc(slices.Clone(r.set[name]), func(x Rule) bool { return x.Message != broken.Message })
	for _, rule := range bounds {
		if rule.Min != 0 {
			f = f.With("min", rule.Min)
		}
		if rule.Max != 0 {
			f = f.With("max", rule.Max)
		}
		if rule.Len != 0 {
			f = f.With("len", rule.Len)
		}
	}
	return f
}

// RefuseAs is Refuse for a request field whose name differs from its rule.
func (r *Rules) RefuseAs(name, field, value string) error {
	var f *fault.Fault
	if errors.As(r.Refuse(name, value, nil), &f) {
		return f.On(field)
	}
	return nil
}

// Refusals returns the distinct faults of the standard rules for fields, for the OpenAPI document.
func Refusals(names ...string) []*fault.Fault {
	var all []*fault.Fault
	set := Standard(StandardLimits())
	for _, name := range names {
		for _, rule := range set[name] {
			if !slices.ContainsFunc(all, func(f *fault.Fault) bool { return f.Code == rule.Message }) {
				all = append(all, fault.New(fault.Invalid, rule.Message))
			}
		}
	}
	return all
}

func invalid(code, field string) *fault.Fault { return fault.New(fault.Invalid, code).On(field) }
