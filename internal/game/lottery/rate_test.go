package lottery_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
)

func TestOrdersAndCancellationsOfAMemberAreLimited(t *testing.T) {
	t.Parallel()
	rate := ratelimit.Limit{Burst: 2, Every: 2 * time.Second}
	s := newSite(t, dbtest.SQLite(t), servertest.Options(func(o *server.Options) { o.LotteryRate = rate }))
	session, numero := s.fastSession(t, "minhanh92", "1105"), s.currentNumero(t, "1105")["numero"]
	first := s.place(t, session, chase("0", "1105", numero, 1))
	s.place(t, session, chase("1", "1105", numero, 1))
	s.placeRefused(t, session, chase("2", "1105", numero, 1), http.StatusTooManyRequests, "rate.limited")
	if again := s.place(t, session, chase("0", "1105", numero, 1)); again["orderId"] != first["orderId"] {
		t.Errorf("repeated request: got order %v, want %v", again["orderId"], first["orderId"])
	}
	s.place(t, s.fastSession(t, "quangvu88", "1105"), chase("0", "1105", numero, 1))
	path := fmt.Sprint("/lgw/orders/", first["orderId"])
	for _, returned := range []float64{2000, 0} {
		if got := s.call(t, "DELETE", path, nil, session, http.StatusOK); got["returned"] != returned {
			t.Errorf("cancel: got %v, want %v returned", got, returned)
		}
	}
	refused := s.Call(t, "DELETE", path, nil, "Authorization", session)
	if refused.Status != http.StatusTooManyRequests || refused.Header.Get("Retry-After") != "2" {
		t.Errorf("third cancellation: got %d, Retry-After %q, want 429 and 2", refused.Status, refused.Header.Get("Retry-After"))
	}
	s.Clock.Add(rate.Every)
	s.place(t, session, chase("2", "1105", s.currentNumero(t, "1105")["numero"], 1))
}
