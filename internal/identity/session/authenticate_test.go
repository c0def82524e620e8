package session

import (
	"crypto/sha256"
	"testing"
	"time"

	"fairground/internal/platform/events"
)

// A session that ends during a slow load must not be cached as alive.
func TestSlowLoadDoesNotReviveToken(t *testing.T) {
	t.Parallel()
	bus, err := events.OpenBus(events.BusOptions{})
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
	loaded := &cachedSession{expires: 1}
	s.markEnded([]digest{ended})
	if got := s.addToCache(ended, loaded); !got.ended {
		t.Error("the loading request sees a usable session")
	}
	if cached, ok := s.cache.GetIfPresent(ended); !ok || !cached.ended {
		t.Error("later requests see a usable session")
	}
	if got := s.addToCache(other, loaded); got != loaded {
		t.Error("another session is not cached")
	}
}
