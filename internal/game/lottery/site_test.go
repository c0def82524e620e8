package lottery_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"fairground/internal/game/catalogue"
	"fairground/internal/game/lottery"
	"fairground/internal/identity/member"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/spec"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const (
	password = "Quiet7River"
	funds    = 10_000_000
)

// A site has the lottery and two members with 10,000,000 VND each.
type site struct {
	*servertest.Site
	lottery *lottery.Service
	tokens  map[string]string
	cash    map[string]ledger.Account
	ids     map[string]int64
}

type fields = map[string]any

// Vendors of the two kinds of lottery.
var (
	fastVendor = catalogue.Vendor{
		Code: spec.VendorELott, DisplayName: "Flash", AccountType: spec.FastLottery, Categories: []string{spec.FastLottery}, Sorting: 1, Enabled: true, House: true,
	}
	regionalVendor = catalogue.Vendor{
		Code: spec.VendorLottoVN, DisplayName: "Lotto", AccountType: spec.Lottery, Categories: []string{spec.Lottery}, Sorting: 2, Enabled: true, House: true,
	}
)

func newSite(t testing.TB, store *db.Store, options ...servertest.Option) *site {
	t.Helper()
	return newSiteOf(t, store, []catalogue.Vendor{fastVendor, regionalVendor}, options...)
}

// newRegionalSite returns a site without the fast games and without a demo's results. The hours up to a regional draw have
// thousands of fast draws, which take a minute.
func newRegionalSite(t testing.TB, store *db.Store) *site {
	t.Helper()
	return newSiteOf(t, store, []catalogue.Vendor{regionalVendor}, servertest.Options(func(o *server.Options) { o.Demo = false }))
}

func newSiteOf(t testing.TB, store *db.Store, vendors []catalogue.Vendor, options ...servertest.Option) *site {
	t.Helper()
	// Errors of the server appear in the test's output.
	log := servertest.Options(func(o *server.Options) {
		o.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	})
	s := &site{Site: servertest.New(t, store, append([]servertest.Option{log}, options...)...), tokens: map[string]string{}, cash: map[string]ledger.Account{}, ids: map[string]int64{}}
	s.lottery = s.Server.Lottery
	if err := s.Server.Catalogue.PutVendors(t.Context(), s.ID, vendors); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"minhanh92", "quangvu88"} {
		s.addMember(t, name)
	}
	s.runJobs(t)
	return s
}

func (s *site) addMember(t testing.TB, name string) {
	t.Helper()
	id := s.Register(t, member.NewMember{Username: name, Password: password, OfAge: true})
	s.ids[name], s.cash[name], s.tokens[name] = id, s.Fund(t, id, "VND", funds), s.Login(t, name, password)
}

// runJobs draws and settles what is due.
func (s *site) runJobs(t testing.TB) {
	t.Helper()
	if err := s.lottery.DrawDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.lottery.SettleDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// call sends a request and decodes the response. A list is in the field "list".
func (s *site) call(t testing.TB, method, path string, body any, token string, want int) fields {
	t.Helper()
	var headers []string
	if token != "" {
		headers = []string{"Authorization", token}
	}
	got := s.Call(t, method, path, body, headers...)
	if got.Status != want {
		t.Errorf("%s %s: got %d %s, want %d", method, path, got.Status, got.Body, want)
	}
	var out fields
	if err := json.Unmarshal(got.Body, &out); err != nil {
		var list []any
		if json.Unmarshal(got.Body, &list) != nil {
			t.Errorf("%s %s: %v in %s", method, path, err, got.Body)
		}
		return fields{"list": list}
	}
	return out
}

// session launches a game and returns its session.
func (s *site) session(t testing.TB, name, vendor, category, game string) string {
	t.Helper()
	launched := s.call(t, "POST", "/wps/game/launchGame", fields{"gameCategory": category, "vendor": vendor, "gameId": game}, s.tokens[name], http.StatusOK)
	value, _ := launched["value"].(fields)
	ticket, _ := value["ticket"].(string)
	opened := s.call(t, "POST", "/lgw/session", fields{"token": ticket}, "", http.StatusOK)
	session, _ := opened["session"].(string)
	return session
}

// fastSession launches a fast game and returns its session.
func (s *site) fastSession(t testing.TB, name, game string) string {
	t.Helper()
	return s.session(t, name, "ELOTT", "ELOTT", game)
}

// currentNumero returns the current numero of a game.
func (s *site) currentNumero(t testing.TB, game string) fields {
	t.Helper()
	return s.call(t, "GET", "/lgw/numeros/near?gameId="+game, nil, "", http.StatusOK)
}

// bet returns an order with one bet.
func bet(request, game string, numero any, mode, playCode, selection string, stake int, odds string) fields {
	single := fields{"playCode": playCode, "selection": selection, "stake": stake, "multiple": 1}
	if odds != "" {
		single["odds"] = odds
	}
	return fields{"requestId": request, "gameId": game, "numero": numero, "playType": "trad", "prizeMode": mode, "bets": []fields{single}}
}

func (s *site) place(t testing.TB, session string, order fields) fields {
	t.Helper()
	return s.call(t, "POST", "/lgw/orders/betting", order, session, http.StatusOK)
}

// placeRefused places an order that must be refused with the given status and code.
func (s *site) placeRefused(t testing.TB, session string, order fields, status int, code string) fields {
	t.Helper()
	got := s.call(t, "POST", "/lgw/orders/betting", order, session, status)
	if got["errorCode"] != code {
		t.Errorf("got %v, want %s", got, code)
	}
	return got
}

func (s *site) balance(t testing.TB, name string) int64 {
	t.Helper()
	return int64(s.Balance(t, s.cash[name].ID))
}

// drawNow moves the clock to just after a numero's draw, and draws and settles it.
func (s *site) drawNow(t testing.TB, numero fields) {
	t.Helper()
	drawAt := int64(numero["drawTime"].(float64))
	s.Clock.Add(time.UnixMilli(drawAt).Sub(s.Clock.Now()) + time.Second)
	s.runJobs(t)
}

// bets returns the bets of an order.
func (s *site) bets(t testing.TB, session string, order any) []fields {
	t.Helper()
	id, _ := order.(string)
	got := s.call(t, "GET", "/lgw/orders/"+id, nil, session, http.StatusOK)
	var out []fields
	list, found := got["bets"].([]any)
	if !found {
		t.Fatalf("order: got %v", got)
	}
	for _, row := range list {
		out = append(out, row.(fields))
	}
	return out
}
