package verification_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"fairground/internal/identity/verification"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/notify"
)

// A code allows five attempts, even if they are concurrent on two replicas.
func TestConcurrentAttempts(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			o := dbtest.Migrated(t, e)
			one := newCodeSite(t, dbtest.Open(t, o), nil)
			two := newCodeSite(t, dbtest.Open(t, o), nil)
			attempt := func(n int, subject notify.Subject, code string) (accepted int64) {
				var successes atomic.Int64
				var wg sync.WaitGroup
				for i := range n {
					s := []*codeSite{one, two}[i%2]
					wg.Go(func() {
						err := s.codes.Check(context.Background(), subject, noNetwork, code)
						switch {
						case err == nil:
							successes.Add(1)
						case !errors.Is(err, verification.ErrIncorrect) && !errors.Is(err, verification.ErrExpired):
							t.Errorf("got %v, want ErrIncorrect or ErrExpired", err)
						}
					})
				}
				wg.Wait()
				return successes.Load()
			}
			subject := one.subject(memberNumber)
			one.request(t, subject, true)
			code := one.lastCode(t)
			attempt(4, subject, wrong(code))
			if n := attempt(12, subject, code); n != 1 {
				t.Errorf("after four wrong attempts the right code was accepted %d times, want 1", n)
			}
			subject = one.subject(newNumber)
			one.request(t, subject, true)
			code = one.lastCode(t)
			attempt(16, subject, wrong(code))
			if n := attempt(4, subject, code); n != 0 {
				t.Errorf("a sixth attempt was accepted")
			}
			subject.Purpose = notify.ForRegister
			one.request(t, subject, true)
			if n := attempt(5, subject, one.lastCode(t)); n != 1 {
				t.Errorf("the right code was accepted %d times, want 1", n)
			}
		})
	}
}

func TestConcurrentRequests(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			o := dbtest.Migrated(t, e)
			one, two := newCodeSite(t, dbtest.Open(t, o), nil), newCodeSite(t, dbtest.Open(t, o), nil)
			var wg sync.WaitGroup
			for i := range 12 {
				s := []*codeSite{one, two}[i%2]
				wg.Go(func() {
					_, err := s.codes.Request(context.Background(), verification.Request{Subject: one.subject(memberNumber), Language: "en", Network: "net", Deliver: true})
					if err != nil {
						t.Errorf("got %v, want no error", err)
					}
				})
			}
			wg.Wait()
			if n := one.count(t, "dispatch"); n != 1 {
				t.Errorf("%d messages, want 1", n)
			}
			if err := one.codes.Check(t.Context(), one.subject(memberNumber), noNetwork, one.lastCode(t)); err != nil {
				t.Errorf("right code: %v", err)
			}
		})
	}
}
