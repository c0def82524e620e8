package house_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/house"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestAnswers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		merchanttest.Golden(t, "seed_none", s.Call(t, "GET", "/wps/fairness/seed", nil, "Authorization", "minh"))
		opened := s.Call(t, "POST", "/house/v1/session", map[string]any{"ticket": s.wallet.ticket(playerOf(minh))})
		merchanttest.Golden(t, "session", opened)
		token := merchanttest.Value[shownSession](t, opened).Token
		frame := func(name, method, path string, body any) {
			t.Helper()
			merchanttest.Golden(t, name, s.Call(t, method, path, body, "Authorization", token))
		}
		frame("state_new", "GET", "/house/v1/state", nil)
		frame("history_empty", "GET", "/house/v1/history", nil)
		s.Clock.Add(house.Cycle)
		frame("spin", "POST", "/house/v1/spin", map[string]any{"spinId": spinID(1), "stake": 10_000})
		frame("too_fast", "POST", "/house/v1/spin", map[string]any{"spinId": spinID(2), "stake": 10_000})
		id := ""
		for n := 2; n < 30 && id == ""; n++ { // on to one that wins something
			if r := s.play(token, n).Round; r.Win > 0 {
				id = r.ID
			}
		}
		frame("state", "GET", "/house/v1/state", nil)
		frame("history", "GET", "/house/v1/history", nil)
		member := func(name, method, path string, body any) {
			t.Helper()
			merchanttest.Golden(t, name, s.Call(t, method, path, body, "Authorization", "minh", "Language", "EN"))
		}
		member("seed", "GET", "/wps/fairness/seed", nil)
		member("seed_chosen", "PUT", "/wps/fairness/seed", map[string]any{"clientSeed": "Minh-Anh_92"})
		member("round", "GET", "/wps/fairness/round?vendor=HOUSE&roundId="+id, nil)
		member("round_unknown", "GET", "/wps/fairness/round?vendor=HOUSE&roundId=1", nil)
		merchanttest.Golden(t, "engine", s.Call(t, "GET", "/wps/fairness/engine?name=slot", nil))
		merchanttest.Golden(t, "engine_unknown", s.Call(t, "GET", "/wps/fairness/engine?name=wheel", nil))
	})
}

// A frame's token opens nothing of the member's, and a member's nothing of the frame's.
func TestTokensAreGoodForTheirOwnCallsOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	token := s.enter(minh).Token
	spin := map[string]any{"spinId": spinID(1), "stake": 10_000}
	for _, call := range []struct {
		method, path string
		body         any
	}{{"POST", "/house/v1/spin", spin}, {"GET", "/house/v1/state", nil}, {"GET", "/house/v1/history", nil}} {
		s.refused(s.Call(t, call.method, call.path, call.body, "Authorization", "minh"), 401, "house.session_expired")
		s.refused(s.Call(t, call.method, call.path, call.body, "Authorization", token+"x"), 401, "house.session_expired")
		s.refused(s.Call(t, call.method, call.path, call.body), 401, "login.not.session")
	}
	for _, call := range []struct {
		method, path string
		body         any
	}{
		{"GET", "/wps/fairness/seed", nil}, {"PUT", "/wps/fairness/seed", map[string]any{"clientSeed": "mine"}},
		{"GET", "/wps/fairness/round?vendor=HOUSE&roundId=1", nil},
	} {
		s.refused(s.Call(t, call.method, call.path, call.body, "Authorization", token), 401, "user.or.token.invalid")
	}
	s.Clock.Add(24 * time.Hour)
	s.refused(s.Call(t, "GET", "/house/v1/state", nil, "Authorization", token), 401, "house.session_expired")
	s.Clock.Add(25 * time.Hour)
	if err := s.house.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := s.Store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM house_frame").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d frames are left, %v", left, err)
	}
}

func TestATicketOpensOneFrame(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	ticket := map[string]any{"ticket": s.wallet.ticket(playerOf(minh))}
	merchanttest.Value[shownSession](t, s.Call(t, "POST", "/house/v1/session", ticket))
	s.refused(s.Call(t, "POST", "/house/v1/session", ticket), 401, "house.session_expired")
	s.refused(s.Call(t, "POST", "/house/v1/session", map[string]any{"ticket": "unknown"}), 401, "house.session_expired")
	s.wallet.cut = func(string, int) cut { return before }
	s.refused(s.Call(t, "POST", "/house/v1/session", map[string]any{"ticket": s.wallet.ticket(playerOf(minh))}), 503, "house.unavailable")
}

func TestSE03RoundsAreTheirPlayersOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		mine := s.play(s.enter(minh).Token, 1).Round
		other := s.enter(lan)
		proof := "/wps/fairness/round?vendor=HOUSE&roundId=" + mine.ID
		merchanttest.Value[shownRound](t, s.Call(t, "GET", proof, nil, "Authorization", "minh"))
		s.refused(s.Call(t, "GET", proof, nil, "Authorization", "lan"), 404, "house.unknown_round")
		s.refused(s.Call(t, "GET", "/wps/fairness/round?vendor=ANOTHER&roundId="+mine.ID, nil, "Authorization", "minh"), 404, "house.unknown_round")
		// Nor by the name that the other's frame gave it: that is a round of one's own.
		if r := s.play(other.Token, 1).Round; r.ID == mine.ID || r.Nonce != 1 {
			t.Errorf("%+v", r)
		}
		type history struct{ List []shownRound }
		for token, want := range map[string]int64{other.Token: 1} {
			h := merchanttest.Value[history](t, s.Call(t, "GET", "/house/v1/history", nil, "Authorization", token))
			if len(h.List) != 1 || h.List[0].Nonce != want || h.List[0].ID == mine.ID {
				t.Errorf("history shows %+v", h)
			}
		}
		// A seed that one chooses is one's own.
		s.Call(t, "PUT", "/wps/fairness/seed", map[string]any{"clientSeed": "lans"}, "Authorization", "lan")
		if r := s.play(s.enter(minh).Token, 2).Round; r.ClientSeed == "lans" {
			t.Errorf("%+v", r)
		}
	})
}

// A round that is under way, refused or given back tells its seed to nobody. Of the last two it is still the next round's.
func TestPP17ASeedIsSecretUntilItsRoundIsSettled(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	session := s.enter(minh)
	s.Clock.Add(house.Cycle)
	s.wallet.bets = "INSUFFICIENT_FUNDS"
	s.refused(s.spin(session.Token, 2), 422, "house.insufficient_funds")
	s.wallet.bets = ""
	s.wallet.cut = func(string, int) cut { return before }
	s.refused(s.spin(session.Token, 3), 503, "house.pending")
	s.wallet.cut = nil
	s.Clock.Add(61 * time.Second)
	if err := s.house.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n, status := range map[int]string{2: "refused", 3: "refunded"} {
		var id int64
		err := s.Store.Reader.QueryRowContext(t.Context(), "SELECT id FROM house_round WHERE spin_id = '"+spinID(n)+"' AND status = '"+status+"'").Scan(&id)
		if err != nil {
			t.Fatalf("%s: %v", status, err)
		}
		s.refused(s.Call(t, "GET", fmt.Sprintf("/wps/fairness/round?vendor=HOUSE&roundId=%d", id), nil, "Authorization", "minh"), 404, "house.unknown_round")
	}
	s.wallet.cut = func(call string, _ int) cut {
		if call == "win" {
			return before
		}
		return whole
	}
	s.refused(s.spin(session.Token, 1), 503, "house.pending")
	id := ""
	for known := range s.wallet.rounds {
		id = known
	}
	r := s.Call(t, "GET", "/wps/fairness/round?vendor=HOUSE&roundId="+id, nil, "Authorization", "minh")
	got := merchanttest.Value[shownRound](t, r)
	if got.Seed != nil || got.Commitment != session.Commitment || !strings.Contains(string(r.Body), `"outcome":null`) {
		t.Errorf("%s", r.Body)
	}
}

// What is chosen holds from the next round on.
func TestAChosenSeedIsDrawnWith(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	session := s.enter(minh)
	s.play(session.Token, 1)
	s.Call(t, "PUT", "/wps/fairness/seed", map[string]any{"clientSeed": "Minh-Anh_92"}, "Authorization", "minh")
	if r := s.play(session.Token, 2).Round; r.ClientSeed != "Minh-Anh_92" || r.Nonce != 2 {
		t.Errorf("%+v", r)
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	token := s.enter(minh).Token
	s.Clock.Add(house.Cycle)
	for _, tt := range []struct{ path, body, code string }{
		{"session", `{}`, "request_param_err"},
		{"session", `{"ticket":""}`, "request_param_err"},
		{"session", `{"ticket":5}`, "request_param_err"},
		{"session", `{"ticket":"a b"}`, "request_param_err"},
		{"session", `{"ticket":"` + strings.Repeat("a", 129) + `"}`, "request_param_err"},
		{"session", `{"ticket":"a","vendor":"x"}`, "request_param_err"},
		{"session", `[`, "request_param_err"},
		{"spin", `{"stake":10000}`, "request_param_err"},
		{"spin", `{"spinId":"1","stake":10000}`, "request_param_err"},
		{"spin", `{"spinId":"` + strings.ToUpper("0000000a-0000-4000-8000-000000000001") + `","stake":10000}`, "request_param_err"},
		{"spin", `{"spinId":"` + spinID(1) + `"}`, "request_param_err"},
		{"spin", `{"spinId":"` + spinID(1) + `","stake":"10000"}`, "request_param_err"},
		{"spin", `{"spinId":"` + spinID(1) + `","stake":null}`, "request_param_err"},
		{"spin", `{"spinId":"` + spinID(1) + `","stake":10000,"win":1}`, "request_param_err"},
		{"spin", `{"spinId":"` + spinID(1) + `","stake":0}`, "house.invalid_stake"},
		{"spin", `{"spinId":"` + spinID(1) + `","stake":-10000}`, "house.invalid_stake"},
		{"spin", `{"spinId":"` + spinID(1) + `","stake":10000.5}`, "house.invalid_stake"},
		{"spin", `{"spinId":"` + spinID(1) + `","stake":1e4}`, "house.invalid_stake"},
		{"spin", `{"spinId":"` + spinID(1) + `","stake":9999}`, "house.invalid_stake"},
		{"spin", `{"spinId":"` + spinID(1) + `","stake":99999999999999999999}`, "house.invalid_stake"},
	} {
		s.refused(s.Call(t, "POST", "/house/v1/"+tt.path, tt.body, "Authorization", token), 400, tt.code)
	}
	for _, query := range []string{"before=0", "before=x", "before=-1", "before=99999999999999999999", "before=9999999999999999999"} {
		s.refused(s.Call(t, "GET", "/house/v1/history?"+query, nil, "Authorization", token), 400, "request_param_err")
	}
	for _, seed := range []string{`""`, `"a:b"`, `"ă"`, `5`, `null`, `"` + strings.Repeat("a", 65) + `"`} {
		s.refused(s.Call(t, "PUT", "/wps/fairness/seed", `{"clientSeed":`+seed+`}`, "Authorization", "minh"), 400, "request_param_err")
	}
	for _, query := range []string{"", "vendor=HOUSE", "roundId=1", "vendor=&roundId=1", "vendor=HOUSE&roundId=x", "vendor=a%20b&roundId=1", "vendor=HOUSE&roundId=-1"} {
		s.refused(s.Call(t, "GET", "/wps/fairness/round?"+query, nil, "Authorization", "minh"), 400, "request_param_err")
	}
	s.refused(s.Call(t, "GET", "/wps/fairness/round?vendor=HOUSE&roundId=9999999999999999999", nil, "Authorization", "minh"), 404, "house.unknown_round")
	if s.wallet.counts["bet"] != 0 {
		t.Errorf("the wallet was asked: %v", s.wallet.calls)
	}
	s.refused(s.Call(t, "GET", "/house/v1/spin", nil, "Authorization", token), http.StatusMethodNotAllowed, "route.unknown")
	s.refused(s.Call(t, "GET", "/house/v2/spin", nil, "Authorization", token), 404, "route.unknown")
}

func TestHistoryGoesBackPageByPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	token := s.enter(minh).Token
	for n := 1; n <= 45; n++ {
		s.play(token, n)
	}
	type page struct {
		List []shownRound
		Next *string
	}
	want, query := int64(45), ""
	for pages := 1; ; pages++ {
		p := merchanttest.Value[page](t, s.Call(t, "GET", "/house/v1/history"+query, nil, "Authorization", token))
		for _, r := range p.List {
			if r.Nonce != want {
				t.Fatalf("page %d shows %d, want %d", pages, r.Nonce, want)
			}
			want--
		}
		if p.Next == nil {
			break
		}
		query = "?before=" + *p.Next
	}
	if want != 0 {
		t.Errorf("%d rounds were not shown", want)
	}
}

// Play money is played with the same engine: the same seed gives the same outcome, at the same odds (PP-12).
func TestPP12FreePlayIsTheSameGame(t *testing.T) {
	t.Parallel()
	var outcomes [2]string
	for i, currency := range []string{"VND", "FUN"} {
		s := newSite(t, dbtest.SQLite(t)) // its randomness is the same each time
		s.wallet.currency = currency
		token := s.enter(minh).Token
		for n := 1; n <= 10; n++ {
			r := s.play(token, n).Round
			outcomes[i] += fmt.Sprintln(r.Spins, *r.Seed, r.Win)
		}
	}
	if outcomes[0] != outcomes[1] {
		t.Errorf("real play:\n%s\nfree play:\n%s", outcomes[0], outcomes[1])
	}
}
