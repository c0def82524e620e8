package main

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// broken is an output that fails in the worst way.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic(errors.New("a mistake of ours")) }

// Whoever runs the program, a person or a service manager, must not take a crash for success.
func TestPanicIsNotSuccess(t *testing.T) {
	t.Parallel()
	defer func() {
		if err, ok := recover().(error); !ok || err.Error() != "a mistake of ours" {
			t.Errorf("the panic became %v", err)
		}
	}()
	code := Main(t.Context(), []string{"version"}, strings.NewReader(""), broken{}, io.Discard)
	t.Errorf("a command that panicked returned with exit code %d", code)
}
