package house_test

import (
	"testing"
	"time"

	"fairground/internal/game/house/housetest"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestTokensAreSeparate(t *testing.T) {
	t.Parallel()
	s := housetest.New(t, dbtest.SQLite(t))
	token := s.Open(housetest.Minh).Token
	spin := map[string]any{"spinId": housetest.SpinID(1), "stake": 10_000}
	for _, call := range []struct {
		method, path string
		body         any
	}{{"POST", "/house/v1/spin", spin}, {"GET", "/house/v1/state", nil}, {"GET", "/house/v1/history", nil}} {
		s.WantError(s.Call(t, call.method, call.path, call.body, "Authorization", "minh"), 401, "house.session_expired")
		s.WantError(s.Call(t, call.method, call.path, call.body, "Authorization", token+"x"), 401, "house.session_expired")
		s.WantError(s.Call(t, call.method, call.path, call.body), 401, "login.not.session")
	}
	for _, call := range []struct {
		method, path string
		body         any
	}{
		{"GET", "/wps/fairness/seed", nil}, {"PUT", "/wps/fairness/seed", map[string]any{"clientSeed": "mine"}},
		{"GET", "/wps/fairness/round?vendor=HOUSE&roundId=1", nil},
	} {
		s.WantError(s.Call(t, call.method, call.path, call.body, "Authorization", token), 401, "user.or.token.invalid")
	}
	s.Clock.Add(24 * time.Hour)
	s.WantError(s.Call(t, "GET", "/house/v1/state", nil, "Authorization", token), 401, "house.session_expired")
	s.Clock.Add(25 * time.Hour)
	if err := s.House.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := s.Store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM house_frame").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d frames left, %v, want 0", left, err)
	}
}

func TestTicketOpensOneFrame(t *testing.T) {
	t.Parallel()
	s := housetest.New(t, dbtest.SQLite(t))
	ticket := map[string]any{"ticket": s.Wallet.Ticket(housetest.PlayerOf(housetest.Minh))}
	merchanttest.Value[housetest.SessionResponse](t, s.Call(t, "POST", "/house/v1/session", ticket))
	s.WantError(s.Call(t, "POST", "/house/v1/session", ticket), 401, "house.session_expired")
	s.WantError(s.Call(t, "POST", "/house/v1/session", map[string]any{"ticket": "unknown"}), 401, "house.session_expired")
	s.Wallet.Fail = func(string, int) housetest.Failure { return housetest.FailBefore }
	s.WantError(s.Call(t, "POST", "/house/v1/session", map[string]any{"ticket": s.Wallet.Ticket(housetest.PlayerOf(housetest.Minh))}), 503, "house.unavailable")
}

func TestSE03RoundsArePrivate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		mine := s.Play(s.Open(housetest.Minh).Token, 1).Round
		other := s.Open(housetest.Lan)
		proof := "/wps/fairness/round?vendor=HOUSE&roundId=" + mine.ID
		merchanttest.Value[housetest.RoundResponse](t, s.Call(t, "GET", proof, nil, "Authorization", "minh"))
		s.WantError(s.Call(t, "GET", proof, nil, "Authorization", "lan"), 404, "house.unknown_round")
		s.WantError(s.Call(t, "GET", "/wps/fairness/round?vendor=ANOTHER&roundId="+mine.ID, nil, "Authorization", "minh"), 404, "house.unknown_round")
		// Another player can use the same spin ID for their own round.
		if r := s.Play(other.Token, 1).Round; r.ID == mine.ID || r.Nonce != 1 {
			t.Errorf("round = %+v, want the first of another player", r)
		}
		type history struct{ List []housetest.RoundResponse }
		for token, want := range map[string]int64{other.Token: 1} {
			h := merchanttest.Value[history](t, s.Call(t, "GET", "/house/v1/history", nil, "Authorization", token))
			if len(h.List) != 1 || h.List[0].Nonce != want || h.List[0].ID == mine.ID {
				t.Errorf("history = %+v, want one own round", h)
			}
		}
		// A client seed applies to its player only.
		s.Call(t, "PUT", "/wps/fairness/seed", map[string]any{"clientSeed": "lans"}, "Authorization", "lan")
		if r := s.Play(s.Open(housetest.Minh).Token, 2).Round; r.ClientSeed == "lans" {
			t.Errorf("client seed = %q, of another player", r.ClientSeed)
		}
	})
}

// An open, refused or refunded round does not reveal its seed. The next round after a refused or refunded one has the same seed.
func TestX11FrameOfAnotherMerchant(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := housetest.New(t, store)
		other := []string{"Merchant", merchanttest.Code} // the game was launched at the merchant "second"
		ticket := map[string]any{"ticket": s.Wallet.Ticket(housetest.PlayerOf(housetest.Minh))}
		s.WantError(s.Call(t, "POST", "/house/v1/session", ticket, other...), 401, "house.session_expired")
		session := merchanttest.Value[housetest.SessionResponse](t, s.Call(t, "POST", "/house/v1/session", ticket)) // the ticket is not consumed
		for _, path := range []string{"/house/v1/state", "/house/v1/history"} {
			s.WantError(s.Call(t, "GET", path, nil, append(other, "Authorization", session.Token)...), 401, "house.session_expired")
		}
		body := map[string]any{"spinId": housetest.SpinID(1), "stake": 10_000}
		s.WantError(s.Call(t, "POST", "/house/v1/spin", body, append(other, "Authorization", session.Token)...), 401, "house.session_expired")
		if s.BalanceOf(housetest.Minh) != housetest.Balance {
			t.Errorf("balance = %d, want %d", s.BalanceOf(housetest.Minh), housetest.Balance)
		}
		s.Play(session.Token, 1)
	})
}
