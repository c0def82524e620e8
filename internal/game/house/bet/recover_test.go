package bet_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/housetest"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A slowWallet delays wins until all have arrived or the request is cancelled.
type slowWallet struct {
	next http.RoundTripper
	all  chan struct{} // closed when all wins have arrived

	mu        sync.Mutex
	missing   int
	unbounded int // number of wins without a deadline within bet.Timeout
}

func (w *slowWallet) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/win") {
		w.mu.Lock()
		if until, ok := r.Context().Deadline(); !ok || time.Until(until) > bet.Timeout {
			w.unbounded++
		}
		if w.missing--; w.missing == 0 {
			close(w.all)
		}
		w.mu.Unlock()
		select {
		case <-w.all:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	return w.next.RoundTrip(r)
}

func TestPP15RecoveryWithASlowWallet(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		members := []int64{housetest.Minh, housetest.Lan}
		s.Wallet.Fail = func(call string, _ int) housetest.Failure {
			if call == "win" {
				return housetest.FailBefore
			}
			return housetest.NoFailure
		}
		for i, id := range members {
			s.WantError(s.Spin(s.Open(id).Token, i+1), 503, "house.pending")
		}
		s.Wallet.Fail = nil
		slow := &slowWallet{next: s.Transport, all: make(chan struct{}), missing: len(members)}
		s.Transport = slow
		s.Start()
		s.Clock.Add(time.Minute)
		s.Recover()
		if slow.unbounded != 0 {
			t.Errorf("%d wins have no time limit, want none", slow.unbounded)
		}
		var open int
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM house_round WHERE status <> 'settled'").Scan(&open); err != nil {
			t.Fatal(err)
		}
		if open != 0 {
			t.Errorf("%d rounds are not settled, want none", open)
		}
	})
}
