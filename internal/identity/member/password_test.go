package member

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"fairground/internal/fault"
	"fairground/internal/platform/rest"
)

// cheap keeps the tests fast.
var cheap = Cost{Memory: 64, Time: 1, Lanes: 1}

func TestHashQueueIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := NewPasswords(1, cheap)
		p.queue <- struct{}{}
		p.slots <- struct{}{}
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error, waitersPerSlot)
		for range waitersPerSlot {
			go func() {
				_, err := p.Matches(ctx, "", "qua-xanh7")
				results <- err
			}()
		}
		synctest.Wait()
		_, err := p.Hash(t.Context(), "qua-xanh7")
		if !errors.Is(err, rest.ErrUnavailable) || fault.KindOf(err) != fault.Unavailable {
			t.Errorf("with a full queue: %v, want ErrUnavailable", err)
		}
		cancel()
		for range waitersPerSlot {
			if err := <-results; !errors.Is(err, context.Canceled) {
				t.Errorf("canceled caller: %v, want context.Canceled", err)
			}
		}
		<-p.slots
		<-p.queue
		if _, err := p.Hash(t.Context(), "qua-xanh7"); err != nil {
			t.Errorf("with an empty queue: %v", err)
		}
		if len(p.slots) != 0 || len(p.queue) != 0 {
			t.Errorf("%d slots and %d queue places in use, want none", len(p.slots), len(p.queue))
		}
	})
}

func TestSE13DefaultCost(t *testing.T) {
	t.Parallel()
	if DefaultCost.Memory < 19*1024 || DefaultCost.Time < 2 || DefaultCost.Lanes < 1 {
		t.Errorf("DefaultCost = %+v, below the minimum", DefaultCost)
	}
	stored, err := NewPasswords(1, DefaultCost).Hash(t.Context(), "qua-xanh7")
	if err != nil || !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("stored hash = %s, %v, want the default cost", stored, err)
	}
}

func TestHashWithAnotherCost(t *testing.T) {
	t.Parallel()
	p := NewPasswords(1, cheap)
	old := Cost{Memory: 8 * 1024, Time: 1, Lanes: 2}
	salt := random(saltBytes)
	key, err := p.derive(t.Context(), "qua-xanh7", old, salt)
	if err != nil {
		t.Fatal(err)
	}
	stored := encode(old, salt, key)
	for password, want := range map[string]bool{"qua-xanh7": true, "qua-xanh8": false} {
		if right, err := p.Matches(t.Context(), stored, password); right != want || err != nil {
			t.Errorf("match with %s = %v, %v, want %v", password, right, err, want)
		}
	}
	fresh, err := p.Hash(t.Context(), "qua-xanh7")
	if err != nil || !p.NeedsRehash(stored) || p.NeedsRehash(fresh) {
		t.Errorf("NeedsRehash = %v for the old hash and %v for the new one, %v, want true and false", p.NeedsRehash(stored), p.NeedsRehash(fresh), err)
	}
	tail := strings.Join(strings.Split(stored, "$")[4:], "$")
	for _, bad := range []string{
		"$argon2id$v=19$m=4000000,t=1,p=1$" + tail, "$argon2id$v=19$m=8192,t=1000,p=1$" + tail, "$argon2id$v=19$m=8192,t=0,p=1$" + tail,
		"$argon2id$v=19$m=8192,t=1,p=0$" + tail, "$argon2id$v=19$m=8192,t=1,p=255$" + tail, "$argon2id$v=16$m=8192,t=1,p=1$" + tail,
		"$argon2i$v=19$m=8192,t=1,p=1$" + tail, "$argon2id$v=19$m=8192,t=1,p=1$" + tail + "$", "$argon2id$v=19$m=8192,t=1,p=1$!$!", "plain",
	} {
		if right, err := p.Matches(t.Context(), bad, "qua-xanh7"); right || err == nil {
			t.Errorf("match with %s = %v, %v, want an error", bad, right, err)
		}
	}
}
