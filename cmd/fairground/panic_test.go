package main

import (
	"errors"
	"io"
	"strings"
	"testing"
)

type panickingWriter struct{}

func (panickingWriter) Write([]byte) (int, error) { panic(errors.New("a bug")) }

func TestPanicIsNotRecovered(t *testing.T) {
	t.Parallel()
	defer func() {
		if err, ok := recover().(error); !ok || err.Error() != "a bug" {
			t.Errorf("recovered %v, want the panic of the writer", err)
		}
	}()
	code := Main(t.Context(), []string{"version"}, strings.NewReader(""), panickingWriter{}, io.Discard)
	t.Errorf("Main returned exit code %d, want a panic", code)
}
