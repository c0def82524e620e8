package content_test

import (
	"context"
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant/merchanttest"
)

type jackpot struct {
	Source                         string
	Amount, Start, PerTick, TickMs int64
	Rules, Currency                string
	Games                          []content.PlayedFor
}

type claims struct {
	Source string
	List   []struct {
		Name   string
		Points int64
	}
}

const (
	jackpotPath = "/wps/system/jackpot"
	claimsPath  = "/wps/system/claims"
)

func TestSimulatedFigures(t *testing.T) { //nolint:tparallel // the subtests share a clock
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, _ := serve(t, store)
		merchanttest.Want(t, site.Call(t, "GET", jackpotPath, nil), 200, `{"success":true,"value":{
			"amount":6471172675,"currency":"","games":[],"perTick":12,"rules":"/m/jackpot","source":"simulated","start":6469131895,
			"tickMs":200
		}}`)
		merchanttest.Want(t, site.Call(t, "GET", claimsPath, nil), 200, `{"success":true,"value":{"source":"simulated","list":[
			{"name":"CFP","points":5848},{"name":"FYV","points":4175},{"name":"GKX","points":5019},{"name":"CMS","points":6717},{"name":"ZFJ","points":2510},
			{"name":"TTW","points":3586},{"name":"JWB","points":5846},{"name":"XDN","points":4590},{"name":"JYZ","points":3300},{"name":"BDR","points":1527}]}}`)
	})
	site, _ := serve(t, dbtest.SQLite(t))
	other := newContent(t, site)
	t.Run("KO-02 PP-13 the server's part: the simulated jackpot is between 3620281923 and 7809521168, grows every 200 ms and is marked as simulated", func(t *testing.T) {
		rapid.Check(t, func(r *rapid.T) {
			site.Clock.Add(time.Duration(rapid.Int64Range(0, int64(100*time.Hour)).Draw(r, "later")))
			now := merchanttest.Value[jackpot](t, site.Call(t, "GET", jackpotPath, nil))
			if now.Source != "simulated" || now.TickMs != 200 || now.PerTick < 1 || now.Rules != "/m/jackpot" ||
				now.Start < 3620281923 || now.Start > now.Amount || now.Amount > 7809521168 {
				r.Fatalf("jackpot = %+v", now)
			}
			site.Clock.Add(200 * time.Millisecond)
			next := merchanttest.Value[jackpot](t, site.Call(t, "GET", jackpotPath, nil))
			if next.Start == now.Start && next.Amount != now.Amount+now.PerTick {
				r.Fatalf("jackpot after a tick = %+v, before %+v", next, now)
			}
		})
	})
	t.Run("KO-03 the claims' part: 10 simulated claims with 188 to 6888 points and 3-letter names", func(t *testing.T) {
		rapid.Check(t, func(r *rapid.T) {
			site.Clock.Add(time.Duration(rapid.Int64Range(0, int64(100*time.Hour)).Draw(r, "later")))
			got := merchanttest.Value[claims](t, site.Call(t, "GET", claimsPath, nil))
			if got.Source != "simulated" || len(got.List) != 10 {
				r.Fatalf("claims = %+v, want 10 simulated", got)
			}
			for _, c := range got.List {
				if !threeLetters.MatchString(c.Name) || c.Points < 188 || c.Points > 6888 {
					r.Fatalf("claim = %+v", c)
				}
			}
		})
	})
	t.Run("another replica shows the same claims", func(t *testing.T) {
		here := site.Call(t, "GET", claimsPath, nil)
		site.Serve(t, nil, func(a *rest.API) { content.Routes(a, other) })
		if there := site.Call(t, "GET", claimsPath, nil); string(there.Body) != string(here.Body) {
			t.Errorf("claims of the other replica = %s, want %s", there.Body, here.Body)
		}
	})
}

var threeLetters = regexp.MustCompile(`^[A-Z]{3}$`)

type fakeSource struct {
	jackpot  content.Jackpot
	none     bool
	currency string // of the last request
	claims   []content.Claim
	err      error
}

func (s *fakeSource) Jackpot(_ context.Context, _ int64, currency string) (content.Jackpot, bool, error) {
	s.currency = currency
	return s.jackpot, !s.none, s.err
}

func (s *fakeSource) Recent(context.Context, int64, int) ([]content.Claim, error) {
	return s.claims, s.err
}

// Without Options.Simulated, no figure is simulated.
func TestPP13NothingIsSimulatedByDefault(t *testing.T) {
	t.Parallel()
	for name, pool := range map[string]content.Pool{"no source": nil, "no pool": &fakeSource{none: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := merchanttest.New(t, dbtest.SQLite(t))
			s, err := content.New(content.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Pool: pool})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			site.Serve(t, nil, func(a *rest.API) { content.Routes(a, s) })
			merchanttest.Want(t, site.Call(t, "GET", jackpotPath, nil), 200, `{"success":true,"value":{
				"amount":0,"currency":"","games":[],"perTick":0,"rules":"/m/jackpot","source":"none","start":0,"tickMs":200}}`)
			merchanttest.Want(t, site.Call(t, "GET", claimsPath, nil), 200, `{"success":true,"value":{"list":[],"source":"claims"}}`)
		})
	}
}

// Real figures replace simulated ones.
func TestRealFigures(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	source := &fakeSource{jackpot: content.Jackpot{Amount: 5_000, Start: 1_000, PerTick: 3, Currency: "VND", Games: []content.PlayedFor{{Category: "JL"}, {Category: "RNG", Vendors: []string{"FG"}}}}}
	s, err := content.New(content.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Pool: source, Claims: source, Simulated: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	site.Serve(t, merchanttest.Tokens{"guest": {MemberID: 5, MerchantID: site.ID, Currency: "FUN"}}, func(a *rest.API) { content.Routes(a, s) })
	want := jackpot{Source: "pool", Amount: 5_000, Start: 1_000, PerTick: 3, TickMs: 200, Rules: "/m/jackpot", Currency: "VND", Games: []content.PlayedFor{
		{Category: "JL", Vendors: []string{}}, {Category: "RNG", Vendors: []string{"FG"}}, // vendors are never null
	}}
	if got := merchanttest.Value[jackpot](t, site.Call(t, "GET", jackpotPath, nil)); !reflect.DeepEqual(got, want) || source.currency != "" {
		t.Errorf("jackpot = %+v in %q, want %+v in the default currency", got, source.currency, want)
	}
	if site.Call(t, "GET", jackpotPath, nil, "Authorization", "guest"); source.currency != "FUN" {
		t.Errorf("PP-13: jackpot of a trial member is in %q, want FUN", source.currency)
	}
	merchanttest.Want(t, site.Call(t, "GET", claimsPath, nil), 200, `{"success":true,"value":{"list":[],"source":"claims"}}`)
	for range 12 {
		source.claims = append(source.claims, content.Claim{Name: "m_inh.anh88", Points: 200})
	}
	merchanttest.Want(t, site.Call(t, "GET", claimsPath, nil), 200, `{"success":true,"value":{"source":"claims","list":[`+strings.Repeat(`{"name":"MIN","points":200},`, 9)+`{"name":"MIN","points":200}]}}`)
	source.none = true
	if got := merchanttest.Value[jackpot](t, site.Call(t, "GET", jackpotPath, nil)); got.Source != "simulated" {
		t.Errorf("jackpot without a pool = %+v, want simulated", got)
	}
	source.err = errors.New("pool is broken")
	for _, path := range []string{jackpotPath, claimsPath} {
		merchanttest.Want(t, site.Call(t, "GET", path, nil), 500, systemError)
	}
}
