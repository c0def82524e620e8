package jackpot_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"testing"

	"fairground/internal/finance/limits"
	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/beacon"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/jackpot"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const (
	currency     = "VND"
	winningStake = money.Minor(200_000_000_000) // covers all parts, so it always wins
	vendorID     = int64(7)
)

// A jackpotSite is a site with a jackpot and members with high balances.
type jackpotSite struct {
	*jackpot.Service
	site         *servertest.Site
	ledger       *ledger.Ledger
	limits       *limits.Service
	vendor       ledger.Account
	pool         ledger.Account
	keys         *secret.Keys
	cash         map[int64]ledger.Account
	rounds       atomic.Int64
	houseVendors []string
	beacon       *beacon.Client // of the series; nil: the operator chooses their start
	fair         *series.Service
	keyChanges   byte
}

// HouseVendors implements jackpot.VendorRegistry.
func (w *jackpotSite) HouseVendors(context.Context, int64) ([]string, error) {
	return w.houseVendors, nil
}

// Vendors implements jackpot.VendorRegistry.
func (w *jackpotSite) Vendors(context.Context, int64) ([]string, error) {
	return append([]string{"OTHER"}, w.houseVendors...), nil
}

// fixedRandom yields the same seeds in every run.
type fixedRandom struct{ *rand.ChaCha8 }

func newJackpotSite(t testing.TB, store *db.Store, members ...int64) *jackpotSite {
	t.Helper()
	site := servertest.New(t, store)
	w := &jackpotSite{site: site, cash: map[int64]ledger.Account{}, houseVendors: []string{"HOUSE"}}
	w.share(t, 10)
	w.site.Set(t, "jackpot.series_per_day", "1000")
	for i, code := range []string{"HOUSE", "OTHER", "OTHERS", "other", "ELSE", "GONE"} { // vendors that tests name in jackpot.vendors
		site.Exec(t, `INSERT INTO vendor (id, merchant_id, code, display_name, account_type, sorting, enabled, house) VALUES ($1, $2, $3, $3, 'RNG', 1, TRUE, TRUE)`, vendorID+int64(i), site.ID, code)
	}
	w.limits, w.keys = site.Server.Limits, site.Server.Keys
	w.ledger = ledger.New(store, ledger.Options{Now: site.Clock.Now, NewID: site.IDs, Limits: w.limits}) // without the gate of vendors' rounds
	t.Cleanup(w.ledger.Close)
	site.Server.Ledger = w.ledger
	w.Service = w.newService(w.ledger)
	w.vendor, w.pool = site.House(t, ledger.Vendor("HOUSE")), site.House(t, "jackpot")
	for _, id := range members {
		w.addMember(t, id)
	}
	return w
}

func (w *jackpotSite) share(t testing.TB, perMille int) {
	t.Helper()
	w.site.Set(t, "jackpot.share", strconv.Itoa(perMille))
}

// unlimitedRules are the published rules without a maximum stake.
func unlimitedRules() map[string]jackpot.Rules {
	r, _ := jackpot.RulesOf(currency)
	r.MaxStake = ledger.MaxAmount
	return map[string]jackpot.Rules{currency: r}
}

func (w *jackpotSite) anotherServer() *jackpot.Service { return w.newService(w.ledger) }

func (w *jackpotSite) newService(books jackpot.Ledger) *jackpot.Service {
	return w.newServiceWithRules(books, unlimitedRules())
}

// newServiceWithRules uses the published rules if rules is nil.
func (w *jackpotSite) newServiceWithRules(books jackpot.Ledger, rules map[string]jackpot.Rules) *jackpot.Service {
	w.fair = series.New(series.Options{
		Store: w.site.Store, Keys: w.keys, Random: fixedRandom{rand.NewChaCha8([32]byte{1, w.keyChanges})}, IDs: w.site.IDs, Now: w.site.Clock.Now, Length: 1000, Beacon: w.beacon,
	})
	return jackpot.New(jackpot.Options{
		Store: w.site.Store, Ledger: books, Outbox: w.site.Server.Outbox, Settings: w.site.Merchants, Vendors: w, Limits: w.limits, Rules: rules, Keys: w.keys,
		Series: w.fair, Now: w.site.Clock.Now, Log: slog.New(slog.DiscardHandler),
	})
}

func (w *jackpotSite) addMember(t testing.TB, id int64) {
	t.Helper()
	w.site.AddMember(t, id, fmt.Sprintf("member%d", id))
	for range 5 {
		w.cash[id] = w.site.Fund(t, id, currency, ledger.MaxAmount)
	}
}

func (w *jackpotSite) bet(t testing.TB, id int64, amount money.Minor, change ...func(*jackpot.Bet)) (transfer int64, round string) {
	t.Helper()
	round = fmt.Sprintf("r%d", w.rounds.Add(1))
	b := jackpot.Bet{
		MerchantID: w.site.ID, MemberID: id, VendorID: vendorID, Account: w.vendor.ID, House: true, Vendor: "HOUSE", Category: "RNG", Round: round, Currency: currency, Amount: amount,
	}
	for _, c := range change {
		c(&b)
	}
	row, takesPart, err := w.Row(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	post := ledger.Transfer{Key: "bet/" + round, Debit: w.cash[id].ID, Credit: w.vendor.ID, Amount: amount, Kind: "vendor.bet", Guarded: true}
	post.Rows = []ledger.Row{w.limits.Stake(id, currency, amount)}
	if takesPart {
		post.Rows = append(post.Rows, row)
	}
	p, err := w.ledger.Post(context.Background(), post)
	if err != nil {
		t.Fatal(err)
	}
	w.move(t, p.ID, id, round, "bet")
	return p.ID, round
}

func (w *jackpotSite) move(t testing.TB, transfer, member int64, round, call string) {
	t.Helper()
	w.site.Exec(t, `INSERT INTO vendor_move (transfer_id, vendor_id, member_id, round, call, tx, amount, currency, play_id, game_id, ends, at)
VALUES ($1, $2, $3, $4, $5, '', 0, 'VND', 1, 1, $6, 0)`, transfer, vendorID, member, round, call, call == "win")
}

func (w *jackpotSite) settle(t testing.TB, id int64, round string) {
	t.Helper()
	w.move(t, w.site.IDs(), id, round, "win")
}

// returnStake reverses a bet.
func (w *jackpotSite) returnStake(t testing.TB, id, transfer int64, amount money.Minor) {
	t.Helper()
	_, err := w.ledger.Post(context.Background(), ledger.Transfer{
		Key: fmt.Sprintf("back/%d", transfer), Debit: w.vendor.ID, Credit: w.cash[id].ID, Amount: amount, Kind: ledger.KindReversal, Origin: transfer,
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (w *jackpotSite) draw(t testing.TB) {
	t.Helper()
	if err := w.Draw(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func (w *jackpotSite) moved(t testing.TB, kind string) int64 {
	t.Helper()
	return w.site.Number(t, "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM transfer WHERE refusal IS NULL AND kind = $1", kind)
}

// checkPool checks that the pool, the ledger and the tickets agree, and returns the pool.
func (w *jackpotSite) checkPool(t testing.TB) jackpot.Pool {
	t.Helper()
	p, found, err := w.Show(context.Background(), w.site.ID, currency)
	if err != nil || !found {
		t.Fatalf("Show = %v, %v, want a pool", found, err)
	}
	balance := w.site.Number(t, "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM entry WHERE account_id = $1", w.pool.ID)
	shares := w.site.Number(t, "SELECT CAST(COALESCE(SUM(share), 0) AS BIGINT) FROM jackpot_ticket WHERE state = 'drawn'")
	if balance != int64(p.Amount) {
		t.Errorf("pool amount = %d, want the ledger's balance %d", p.Amount, balance)
	}
	if got := w.moved(t, "jackpot.share"); got != shares {
		t.Errorf("posted shares = %d, shares of tickets = %d, want %v", got, shares, shares)
	}
	if in, out := w.moved(t, "jackpot.seed")+shares, w.moved(t, "jackpot.win")+w.moved(t, "jackpot.back"); in != out+balance {
		t.Errorf("in = %d, want %d out and a balance of %d", in, out, balance)
	}
	started := p.Series
	if p.BeginsAt > 0 {
		started-- // the next series has not begun
	}
	started -= w.site.Number(t, "SELECT COUNT(*) FROM jackpot_end") // the series after it has its start amount
	if seeds := w.moved(t, "jackpot.seed"); seeds != started*int64(p.StartAmount) {
		t.Errorf("start amounts = %d over %d series, want %d", seeds, p.Series, started*int64(p.StartAmount))
	}
	for _, win := range p.Wins {
		seed := [32]byte(win.Seed)
		name := win.Name
		if name == "" { // of an older version
			name = jackpot.SeriesName(w.site.ID, currency, win.Series)
		}
		drawn := p.Draw(seed, name, win.Nonce, money.Minor(win.Stake))
		if int64(drawn.Number) != win.Number || !drawn.Won() {
			t.Errorf("series %d: redraw = %+v, want %d", win.Series, drawn, win.Number)
		}
	}
	return p
}

// lastSeed returns the revealed seed of the series before. It is the commitment of the series that follows in the chain.
func lastSeed(p jackpot.Pool) string {
	if len(p.Wins) == 0 {
		return "of a win"
	}
	return fairness.Seed(p.Wins[0].Seed).Hex()
}

func (w *jackpotSite) serve(t testing.TB) {
	t.Helper()
	tokens := merchanttest.Tokens{}
	for id := range w.cash {
		tokens[fmt.Sprintf("member%d", id)] = rest.Caller{MemberID: id, MerchantID: w.site.ID, Currency: currency}
	}
	w.site.Serve(t, tokens, func(a *rest.API) { jackpot.Routes(a, w.Service) })
}
