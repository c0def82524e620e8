package session

import (
	"crypto/sha256"
	"testing"
	"time"

	"fairground/internal/platform/events"
)

// A session ends while a slow reading of it is under way: what was read before must not revive the token.
func TestSlowReadingRevivesNoToken(t *testing.T) {
	t.Parallel()
	bus, err := events.OpenBus(events.BusOptions{FlushWait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	s, err := New(Options{Bus: bus, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ended, other := digest(sha256.Sum256([]byte("ended"))), digest(sha256.Sum256([]byte("other")))
	read := &live{expires: 1}
	s.forget([]digest{ended})
	if got := s.remember(ended, read); !got.ended {
		t.Error("the caller that read it is let in")
	}
	if kept, ok := s.live.GetIfPresent(ended); !ok || !kept.ended {
		t.Error("the next callers are let in")
	}
	if got := s.remember(other, read); got != read {
		t.Error("what nobody ended is not remembered")
	}
}
