// Package fault defines errors with a kind, which selects the HTTP status, and a stable code, which is the translation
// key errors.<code> for errors that members can see. A fault has no text for members and does not decide how it is
// shown.
package fault

import (
	"errors"
	"fmt"
)

// A Kind groups faults by what the caller can do about them.
type Kind uint8

// Kinds of fault.
const (
	Internal    Kind = iota // a bug or failure of ours: logged in full, shown as 'system error'
	Invalid                 // the request is malformed or violates a rule
	Unauth                  // no session, or an ended one
	Forbidden               // known caller without permission
	NotFound                // no such object, or not the caller's
	Conflict                // contradicts the current state
	Refused                 // valid and permitted, but refused by a business rule
	TooMany                 // rate limit exceeded
	TooLarge                // the request is too large
	Unavailable             // a part is down or closed; retry later
	Timeout
)

// A Fault is an error with a kind and a code. errors.Is compares faults by code.
type Fault struct {
	Kind  Kind
	Code  string
	Field string            // the invalid input, if any
	Args  map[string]string // values for the translation; never secret
	cause error
}

// New returns a fault. Declare it once, next to the rule that raises it.
func New(kind Kind, code string) *Fault { return &Fault{Kind: kind, Code: code} }

// ForOperators returns a fault for commands and the operators' API only. The app has no translation for it.
func ForOperators(kind Kind, code string) *Fault { return New(kind, code) }

func (f *Fault) Error() string {
	s := f.Code
	if f.Field != "" {
		s += " (" + f.Field + ")"
	}
	if f.cause != nil {
		s += ": " + f.cause.Error()
	}
	return s
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.cause }

// Is reports whether target is a fault with the same code.
func (f *Fault) Is(target error) bool {
	var other *Fault
	return errors.As(target, &other) && other.Code == f.Code
}

// On returns a copy that names the invalid input.
func (f *Fault) On(field string) *Fault {
	c := *f
	c.Field = field
	return &c
}

// With returns a copy with a value for the translation.
func (f *Fault) With(name string, value any) *Fault {
	c := *f
	c.Args = make(map[string]string, len(f.Args)+1)
	for k, v := range f.Args {
		c.Args[k] = v
	}
	c.Args[name] = fmt.Sprint(value)
	return &c
}

// Because returns a copy with a cause for the log. Members never see it.
func (f *Fault) Because(err error) *Fault {
	c := *f
	c.cause = err
	return &c
}

// KindOf returns the kind of the first fault in err's chain, or Internal.
func KindOf(err error) Kind {
	var f *Fault
	if errors.As(err, &f) {
		return f.Kind
	}
	return Internal
}
