// Package fault is how the product says no: an error with a kind, which decides the HTTP status, and a
// stable code, which is also its translation key (errors.<code>) where members can meet it. It never carries text meant for a player
// and never decides how an error is shown.
package fault

import (
	"errors"
	"fmt"
)

// Kind groups faults by what the caller can do about them.
type Kind uint8

// The kinds, from the caller's mistakes to ours.
const (
	Internal    Kind = iota // ours: logged in full, shown as 'system error'
	Invalid                 // the request is malformed or breaks a rule
	Unauth                  // no session, or one that has ended
	Forbidden               // known, but not allowed
	NotFound                // no such object, or not this caller's
	Conflict                // contradicts what is already there
	Refused                 // well formed and allowed, but a rule of the business says no
	TooMany                 // slow down
	TooLarge                // the request is larger than accepted
	Unavailable             // a part is down or closed; trying later may help
	Timeout                 // took too long
)

// Fault is an error with a kind and a code. Faults are compared by code with errors.Is.
type Fault struct {
	Kind  Kind
	Code  string
	Field string            // which input is meant, when one is
	Args  map[string]string // values the translation may show; never secret
	cause error
}

// New makes a fault. Declare it once, beside the rule that raises it.
func New(kind Kind, code string) *Fault { return &Fault{Kind: kind, Code: code} }

// ForOperators makes a fault that only those who run the site meet, in a command or the operators' API. The app has no text
// for it: commands say what it means.
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

// Unwrap gives the cause, for the log.
func (f *Fault) Unwrap() error { return f.cause }

// Is matches any fault of the same code, whatever its field, values or cause.
func (f *Fault) Is(target error) bool {
	var other *Fault
	return errors.As(target, &other) && other.Code == f.Code
}

// On names the input that is wrong.
func (f *Fault) On(field string) *Fault {
	c := *f
	c.Field = field
	return &c
}

// With adds a value that the translation may show.
func (f *Fault) With(name string, value any) *Fault {
	c := *f
	c.Args = make(map[string]string, len(f.Args)+1)
	for k, v := range f.Args {
		c.Args[k] = v
	}
	c.Args[name] = fmt.Sprint(value)
	return &c
}

// Because keeps the cause for the log; the player never sees it.
func (f *Fault) Because(err error) *Fault {
	c := *f
	c.cause = err
	return &c
}

// KindOf is the kind of the first fault in err's chain, Internal when there is none.
func KindOf(err error) Kind {
	var f *Fault
	if errors.As(err, &f) {
		return f.Kind
	}
	return Internal
}
