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

// A world is a site with the lottery and two members with 10,000,000 VND each.
type world struct {
	*servertest.Site
	lottery *lottery.Service
	tokens  map[string]string
	cash    map[string]ledger.Account
	ids     map[string]int64
}

type fields = map[string]any

func newWorld(t testing.TB, store *db.Store, options ...servertest.Option) *world {
	t.Helper()
	// Errors of the server show in the test's output.
	log := servertest.Options(func(o *server.Options) {
		o.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	})
	w := &world{Site: servertest.New(t, store, append([]servertest.Option{log}, options...)...), tokens: map[string]string{}, cash: map[string]ledger.Account{}, ids: map[string]int64{}}
	w.lottery = w.Server.Lottery
	err := w.Server.Catalogue.PutVendors(t.Context(), w.ID, []catalogue.Vendor{
		{Code: spec.VendorELott, DisplayName: "Flash", AccountType: spec.FastLottery, Categories: []string{spec.FastLottery}, Sorting: 1, Enabled: true, House: true},
		{Code: spec.VendorLottoVN, DisplayName: "Lotto", AccountType: spec.Lottery, Categories: []string{spec.Lottery}, Sorting: 2, Enabled: true, House: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"minhanh92", "quangvu88"} {
		w.addMember(t, name)
	}
	w.tick(t)
	return w
}

func (w *world) addMember(t testing.TB, name string) {
	t.Helper()
	id := w.Register(t, member.Draft{Username: name, Password: password, OfAge: true})
	w.ids[name], w.cash[name], w.tokens[name] = id, w.Fund(t, id, "VND", funds), w.Login(t, name, password)
}

// tick draws and settles what is due.
func (w *world) tick(t testing.TB) {
	t.Helper()
	if err := w.lottery.DrawDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.lottery.SettleDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// call sends a request and decodes its answer.
func (w *world) call(t testing.TB, method, path string, body any, token string, want int) fields {
	t.Helper()
	var headers []string
	if token != "" {
		headers = []string{"Authorization", token}
	}
	got := w.Call(t, method, path, body, headers...)
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

// launch returns a session for a game.
func (w *world) session(t testing.TB, name, vendor, category, game string) string {
	t.Helper()
	launched := w.call(t, "POST", "/wps/game/launchGame", fields{"gameCategory": category, "vendor": vendor, "gameId": game}, w.tokens[name], http.StatusOK)
	value, _ := launched["value"].(fields)
	ticket, _ := value["ticket"].(string)
	opened := w.call(t, "POST", "/lgw/session", fields{"token": ticket}, "", http.StatusOK)
	session, _ := opened["session"].(string)
	return session
}

func (w *world) fast(t testing.TB, name, game string) string {
	t.Helper()
	return w.session(t, name, "ELOTT", "ELOTT", game)
}

// near returns the current numero of a game.
func (w *world) near(t testing.TB, game string) fields {
	t.Helper()
	return w.call(t, "GET", "/lgw/numeros/near?gameId="+game, nil, "", http.StatusOK)
}

// bet returns an order with one bet.
func bet(request, game string, numero any, mode, playCode, selection string, stake int, odds string) fields {
	one := fields{"playCode": playCode, "selection": selection, "stake": stake, "multiple": 1}
	if odds != "" {
		one["odds"] = odds
	}
	return fields{"requestId": request, "gameId": game, "numero": numero, "playType": "trad", "prizeMode": mode, "bets": []fields{one}}
}

func (w *world) place(t testing.TB, session string, order fields) fields {
	t.Helper()
	return w.call(t, "POST", "/lgw/orders/betting", order, session, http.StatusOK)
}

func (w *world) refuse(t testing.TB, session string, order fields, status int, code string) fields {
	t.Helper()
	got := w.call(t, "POST", "/lgw/orders/betting", order, session, status)
	if got["errorCode"] != code {
		t.Errorf("got %v, want %s", got, code)
	}
	return got
}

func (w *world) balance(t testing.TB, name string) int64 {
	t.Helper()
	return int64(w.Balance(t, w.cash[name].ID))
}

// pass moves the clock to just after a numero's draw and draws.
func (w *world) pass(t testing.TB, numero fields) {
	t.Helper()
	at := int64(numero["drawTime"].(float64))
	w.Clock.Add(time.UnixMilli(at).Sub(w.Clock.Now()) + time.Second)
	w.tick(t)
}

func (w *world) bets(t testing.TB, session string, order any) []fields {
	t.Helper()
	id, _ := order.(string)
	got := w.call(t, "GET", "/lgw/orders/"+id, nil, session, http.StatusOK)
	var out []fields
	list, found := got["bets"].([]any)
	if !found {
		t.Fatalf("order: got %v", got)
	}
	for _, one := range list {
		out = append(out, one.(fields))
	}
	return out
}
