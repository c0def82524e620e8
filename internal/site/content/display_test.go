package content_test

import (
	"context"
	"errors"
	"reflect"
	"regexp"
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

func TestSimulatedDisplays(t *testing.T) { //nolint:tparallel // one clock for all of them
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, _ := serve(t, store)
		merchanttest.Golden(t, "jackpot", site.Call(t, "GET", jackpotPath, nil))
		merchanttest.Golden(t, "claims", site.Call(t, "GET", claimsPath, nil))
	})
	site, _ := serve(t, dbtest.SQLite(t))
	other := newContent(t, site)
	t.Run("KO-02 PP-13 the server's part: from 3620281923 to 7809521168, growing every 200 ms, and it says that it is simulated", func(t *testing.T) {
		rapid.Check(t, func(r *rapid.T) {
			site.Clock.Add(time.Duration(rapid.Int64Range(0, int64(100*time.Hour)).Draw(r, "later")))
			now := merchanttest.Value[jackpot](t, site.Call(t, "GET", jackpotPath, nil))
			if now.Source != "simulated" || now.TickMs != 200 || now.PerTick < 1 || now.Rules != "/m/jackpot" ||
				now.Start < 3620281923 || now.Start > now.Amount || now.Amount > 7809521168 {
				r.Fatalf("%+v", now)
			}
			site.Clock.Add(200 * time.Millisecond)
			next := merchanttest.Value[jackpot](t, site.Call(t, "GET", jackpotPath, nil))
			if next.Start == now.Start && next.Amount != now.Amount+now.PerTick {
				r.Fatalf("after a tick %+v, before %+v", next, now)
			}
		})
	})
	t.Run("KO-03 the claims' part: 10 entries, 188 to 6888 points, 3-letter names", func(t *testing.T) {
		rapid.Check(t, func(r *rapid.T) {
			site.Clock.Add(time.Duration(rapid.Int64Range(0, int64(100*time.Hour)).Draw(r, "later")))
			got := merchanttest.Value[claims](t, site.Call(t, "GET", claimsPath, nil))
			if got.Source != "simulated" || len(got.List) != 10 {
				r.Fatalf("%+v", got)
			}
			for _, c := range got.List {
				if !threeLetters.MatchString(c.Name) || c.Points < 188 || c.Points > 6888 {
					r.Fatalf("%+v", c)
				}
			}
		})
	})
	t.Run("another replica shows the same", func(t *testing.T) {
		here := site.Call(t, "GET", claimsPath, nil)
		site.Serve(t, nil, func(a *rest.API) { content.Routes(a, other) })
		if there := site.Call(t, "GET", claimsPath, nil); string(there.Body) != string(here.Body) {
			t.Errorf("%s, not %s", there.Body, here.Body)
		}
	})
}

var threeLetters = regexp.MustCompile(`^[A-Z]{3}$`)

// backed is a pool and claims as other parts of the product have them.
type backed struct {
	jackpot content.Jackpot
	none    bool
	asked   string
	claims  []content.Claim
	err     error
}

func (r *backed) Jackpot(_ context.Context, _ int64, currency string) (content.Jackpot, bool, error) {
	r.asked = currency
	return r.jackpot, !r.none, r.err
}

func (r *backed) Recent(context.Context, int64, int) ([]content.Claim, error) { return r.claims, r.err }

// Where there is a real pool, and where there are real claims, nothing is simulated or mixed in.
func TestRealDisplays(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	r := &backed{jackpot: content.Jackpot{Amount: 5_000, Start: 1_000, PerTick: 3, Currency: "VND", Games: []content.PlayedFor{{Category: "JL"}, {Category: "RNG", Vendors: []string{"FG"}}}}}
	s, err := content.New(content.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Pool: r, Claims: r})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	site.Serve(t, merchanttest.Tokens{"guest": {MemberID: 5, MerchantID: site.ID, Currency: "FUN"}}, func(a *rest.API) { content.Routes(a, s) })
	want := jackpot{Source: "pool", Amount: 5_000, Start: 1_000, PerTick: 3, TickMs: 200, Rules: "/m/jackpot", Currency: "VND", Games: []content.PlayedFor{
		{Category: "JL", Vendors: []string{}}, {Category: "RNG", Vendors: []string{"FG"}}, // never null: that would be no list
	}}
	if got := merchanttest.Value[jackpot](t, site.Call(t, "GET", jackpotPath, nil)); !reflect.DeepEqual(got, want) || r.asked != "" {
		t.Errorf("%+v, asked for %q", got, r.asked)
	}
	if site.Call(t, "GET", jackpotPath, nil, "Authorization", "guest"); r.asked != "FUN" {
		t.Errorf("PP-13: somebody on trial is shown what is played for in %q", r.asked)
	}
	merchanttest.Golden(t, "claims_none", site.Call(t, "GET", claimsPath, nil))
	for range 12 {
		r.claims = append(r.claims, content.Claim{Name: "m_inh.anh88", Points: 200})
	}
	merchanttest.Golden(t, "claims_real", site.Call(t, "GET", claimsPath, nil))
	r.none = true
	if got := merchanttest.Value[jackpot](t, site.Call(t, "GET", jackpotPath, nil)); got.Source != "simulated" {
		t.Errorf("a merchant without a pool: %+v", got)
	}
	r.err = errors.New("pool is broken")
	for _, path := range []string{jackpotPath, claimsPath} {
		merchanttest.Golden(t, "display_broken", site.Call(t, "GET", path, nil))
	}
}
