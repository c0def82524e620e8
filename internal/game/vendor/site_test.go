package vendor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"

	"fairground/internal/game/catalogue"
	"fairground/internal/game/vendor"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// fakeSessions reports sessions as valid unless they were ended.
type fakeSessions struct {
	mu    sync.Mutex
	ended map[int64]bool
}

func (a *fakeSessions) Alive(_ context.Context, sessionID int64) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.ended[sessionID], nil
}

// A vendorSite is a site with the external vendor TEST (games G1 and, without free play, G2), the House vendor HOUSE (H1,
// and F1 without an engine), and members with a balance of 1,000,000 each.
type vendorSite struct {
	*servertest.Site
	books    *ledger.Ledger
	games    *catalogue.Service
	sessions *fakeSessions
	vendors  *vendor.Service
	winners  *vendor.Winners
	keys     *secret.Keys
	key      vendor.Key
	nodes    map[string]int64
	tokens   merchanttest.Tokens
	cash     map[int64]int64 // by member ID
}

const (
	minh  = int64(2001)
	other = int64(2002)
	trial = int64(2004)
)

func newVendorSite(t testing.TB, store *db.Store, o ...func(*vendor.Options)) *vendorSite {
	t.Helper()
	return newSiteWith(t, store, vendor.Rounds{}, o...)
}

func newSiteWith(t testing.TB, store *db.Store, gate ledger.Limits, change ...func(*vendor.Options)) *vendorSite {
	t.Helper()
	site := servertest.New(t, store, servertest.Options(func(o *server.Options) { o.Demo = false }),
		servertest.Vendor("TEST", "G1"), servertest.Vendor("RIVAL", "R1"), servertest.Vendor("HOUSE", "H1"))
	w := &vendorSite{
		Site: site, games: site.Server.Catalogue, keys: site.Server.Keys, winners: vendor.NewWinners(store, site.Clock.Now), sessions: &fakeSessions{ended: map[int64]bool{}},
		nodes: map[string]int64{}, tokens: merchanttest.Tokens{}, cash: map[int64]int64{},
	}
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w.exec(t, "CREATE TABLE stake_row (transfer_id BIGINT NOT NULL, member_id BIGINT NOT NULL, amount BIGINT NOT NULL)")
	w.books = ledger.New(store, ledger.Options{Now: w.Clock.Now, NewID: w.IDs, Limits: gate})
	t.Cleanup(w.books.Close)
	w.Server.Ledger = w.books
	noFreePlay, fish := servertest.Game("TEST", "G2"), servertest.Game("HOUSE", "F1")
	noFreePlay.FreePlay, fish.Category = false, "FISH"
	must(w.games.PutGames(ctx, w.ID, []catalogue.Game{noFreePlay, fish}))
	for _, code := range []string{"G1", "G2", "R1", "H1", "F1"} {
		g, err := w.games.GameForLaunch(ctx, w.ID, catalogue.GameQuery{Code: code})
		must(err)
		w.nodes[code] = g.NodeID
	}
	options := vendor.Options{
		Store: store, Registry: w.Server.Registry, Plays: w.Server.Plays, Keys: w.keys, Ledger: w.books, Sessions: w.sessions, Games: server.PlayableGames{Catalogue: w.games},
		IDs: w.IDs, Now: w.Clock.Now, WallClock: w.Clock.Now, Log: slog.New(slog.DiscardHandler), Currency: w.Merchants.Currency,
		HouseServes: func(c string) bool { return c == "RNG" }, RTP: func(vendor.Game) string { return "96.20" },
	}
	for _, c := range change {
		c(&options)
	}
	w.vendors = vendor.New(options)
	var err error
	w.key, err = w.vendors.Create(ctx, w.ID, "TEST", vendor.Launch{URL: "https://play.test.example/g?t={ticket}", Mode: vendor.ModeFrame})
	must(err)
	for id, name := range map[int64]string{minh: "minhanh92", other: "quangvu88", trial: "trial004"} {
		w.AddMember(t, id, name)
		caller := w.Caller(id, name)
		if id == trial {
			caller.Type, caller.Currency = 4, "FUN"
			w.exec(t, "UPDATE member SET type = 4, currency = 'FUN' WHERE id = 2004")
		}
		w.tokens[name] = caller
		w.fund(t, id, caller.Currency, 1_000_000)
	}
	w.Serve(t, w.tokens, func(a *rest.API) {
		vendor.ProtocolRoutes(a, w.vendors)
		vendor.Routes(a, w.vendors)
		catalogue.Routes(a, w.games)
	})
	return w
}

func (w *vendorSite) exec(t testing.TB, statement string, args ...any) {
	t.Helper()
	w.Exec(t, statement, args...)
}

func (w *vendorSite) fund(t testing.TB, member int64, currency string, amount money.Minor) {
	t.Helper()
	w.cash[member] = w.Fund(t, member, currency, amount).ID
}

func (w *vendorSite) balance(t testing.TB, member int64) money.Minor {
	t.Helper()
	return w.Balance(t, w.cash[member])
}

func (w *vendorSite) verify(t testing.TB) {
	t.Helper()
	w.VerifyLedger(t)
}

type fields map[string]any

// A reply is a response of the vendor protocol.
type reply struct {
	status int
	raw    string

	Code, Balance, Currency, TransactionID, Status string
	SessionID, PlayerID, Nickname, Language, Field string
	Replayed, Trial                                *bool
}

func (r reply) replayed() bool { return r.Replayed != nil && *r.Replayed }

// call signs and sends a call as vendor TEST.
func (w *vendorSite) call(t testing.TB, name string, body fields) reply {
	t.Helper()
	return w.callAs(t, "TEST", w.key.KeyID, []byte(w.key.Key), name, body)
}

func (w *vendorSite) callAs(t testing.TB, code, keyID string, key []byte, name string, body fields) reply {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Errorf("got %v, want no error", err)
	}
	at := fmt.Sprint(w.Clock.Now().UnixMilli())
	headers := []string{"X-Vendor", code, "X-Key", keyID, "X-Timestamp", at, "X-Signature", vendor.Sign(key, at, "/vendor/v1/"+name, raw)}
	if keyID == "house" {
		return w.sendIn(vendor.MarkInternal(t.Context()), t, name, string(raw), headers...)
	}
	return w.send(t, name, string(raw), headers...)
}

func (w *vendorSite) send(t testing.TB, name, body string, headers ...string) reply {
	t.Helper()
	return w.sendIn(t.Context(), t, name, body, headers...)
}

func (w *vendorSite) sendIn(ctx context.Context, t testing.TB, name, body string, headers ...string) reply {
	t.Helper()
	got := w.CallWith(ctx, t, "POST", "/vendor/v1/"+name, body, headers...)
	r := reply{status: got.Status, raw: string(got.Body)}
	if err := json.Unmarshal(got.Body, &r); err != nil {
		t.Errorf("%s: %v in %s", name, err, got.Body) // tests also call it in goroutines
	}
	return r
}

func (w *vendorSite) launch(t testing.TB, member, game, vendorCode, category string) (ticket, playID string) {
	t.Helper()
	got := w.Call(t, "POST", "/wps/game/launchGame", map[string]any{
		"gameCategory": category, "vendor": vendorCode, "gameId": game, "nodeId": fmt.Sprint(w.nodes[game]), "supportPlay": true,
	}, "Authorization", member)
	var l struct {
		Value struct{ GameURL, PlayID string }
	}
	if err := json.Unmarshal(got.Body, &l); err != nil || got.Status != 200 {
		t.Fatalf("launch %s: %d %s, want 200", game, got.Status, got.Body)
	}
	_, ticket, _ = strings.Cut(l.Value.GameURL, "t=")
	return ticket, l.Value.PlayID
}

func (w *vendorSite) openSession(t testing.TB, member string) (sessionID string) {
	t.Helper()
	ticket, _ := w.launch(t, member, "G1", "TEST", "RNG")
	r := w.call(t, "authenticate", fields{"requestId": "r", "ticket": ticket})
	if r.Code != "OK" || r.SessionID == "" {
		t.Fatalf("authenticate: %s, want OK and a session", r.raw)
	}
	return r.SessionID
}

// moveFields returns the fields that all movements share.
func moveFields(session, tx, round string, more fields) fields {
	out := fields{"requestId": "r-" + tx, "sessionId": session, "currency": "VND", "gameCode": "x-G1", "roundId": round, "txId": tx}
	maps.Copy(out, more)
	return out
}

func bet(session, tx, round, amount string) fields {
	return moveFields(session, tx, round, fields{"amount": amount})
}

func win(session, tx, round, amount string, end bool) fields {
	return moveFields(session, tx, round, fields{"amount": amount, "endRound": end})
}

func rollback(session, tx, ref string) fields {
	return fields{"requestId": "r-" + tx, "sessionId": session, "txId": tx, "refTxId": ref}
}

func endRound(session, tx, round string) fields { return endFor(tx, round)(session) }
