package fault

import "errors"

// OnField returns err with its field set to name, when err is a fault. A field that the fault already has is replaced.
func OnField(err error, name string) error {
	var f *Fault
	if errors.As(err, &f) {
		return f.On(name)
	}
	return err
}
