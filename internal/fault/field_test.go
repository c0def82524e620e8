package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"fairground/internal/fault"
)

func TestOnField(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"no field":      base,
		"another field": base.On("verificationCode"),
		"wrapped":       fmt.Errorf("check code: %w", base),
	} {
		var f *fault.Fault
		if got := fault.OnField(err, "proofCode"); !errors.As(got, &f) || f.Field != "proofCode" || f.Code != base.Code {
			t.Errorf("%s: OnField = %v, want field proofCode", name, got)
		}
	}
	for _, err := range []error{nil, io.EOF} {
		if got := fault.OnField(err, "proofCode"); !errors.Is(got, err) {
			t.Errorf("OnField(%v) = %v, want it unchanged", err, got)
		}
	}
}
