package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"fairground/internal/fault"
)

var base = fault.New(fault.NotFound, "game.unknown")

func TestIsComparesCodes(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"itself":       base,
		"with a field": base.On("game"),
		"with a value": base.With("id", 7),
		"with a cause": base.Because(io.EOF),
		"wrapped":      fmt.Errorf("look up: %w", base.On("game")),
		"joined":       errors.Join(io.EOF, base),
		"another same": fault.New(fault.Internal, "game.unknown"),
	} {
		if !errors.Is(err, base) {
			t.Errorf("%s: errors.Is = false, want true", name)
		}
	}
	var other error = fault.New(fault.NotFound, "game.closed")
	if errors.Is(other, base) || errors.Is(fmt.Errorf("x: %w", io.EOF), base) || errors.Is(base, io.EOF) {
		t.Error("errors.Is = true for another error")
	}
	if !errors.Is(base.Because(io.EOF), io.EOF) {
		t.Error("errors.Is does not find the cause")
	}
}

// A declared fault is shared by goroutines, so On, With and Because must not change it.
func TestCopiesLeaveTheOriginal(t *testing.T) {
	t.Parallel()
	one := base.With("id", 7)
	two := one.With("name", "x").On("game").Because(io.EOF)
	if base.Field != "" || base.Args != nil || base.Unwrap() != nil || len(one.Args) != 1 || one.Field != "" {
		t.Errorf("originals changed: %+v, %+v", base, one)
	}
	if two.Args["id"] != "7" || two.Args["name"] != "x" || two.Field != "game" || two.Code != base.Code || two.Kind != fault.NotFound {
		t.Errorf("got %+v, want NotFound with id 7, name x and field game", two)
	}
}

func TestError(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"game.unknown":             base,
		"game.unknown (game)":      base.On("game"),
		"game.unknown: EOF":        base.Because(io.EOF),
		"game.unknown (game): EOF": base.On("game").Because(io.EOF),
	} {
		if err.Error() != want {
			t.Errorf("Error() = %q, want %q", err, want)
		}
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want fault.Kind
	}{
		{base, fault.NotFound},
		{fmt.Errorf("x: %w", base), fault.NotFound},
		{io.EOF, fault.Internal},
		{nil, fault.Internal},
		{fault.New(fault.Timeout, "a").Because(base), fault.Timeout},
	} {
		if got := fault.KindOf(c.err); got != c.want {
			t.Errorf("KindOf(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}
