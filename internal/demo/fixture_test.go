package demo_test

import (
	"context"
	"crypto/rand"
	"testing"

	"fairground/internal/demo"
	"fairground/internal/finance/deposit"
	"fairground/internal/finance/loyalty"
	"fairground/internal/finance/promo"
	"fairground/internal/game/catalogue"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/house"
	"fairground/internal/game/jackpot"
	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/humancheck"
	"fairground/internal/platform/secret/secrettest"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant/merchanttest"
	"fairground/internal/site/stream"
)

// noProof requires no proof of work.
type noProof struct{ session.Captchas }

func (noProof) CheckProof(context.Context, humancheck.Attempt) error { return nil }

func (noProof) CountFailure(context.Context, humancheck.Attempt) error { return nil }

func (noProof) ForgetFailures(context.Context, humancheck.Attempt) error { return nil }

// noVendors implements jackpot.VendorRegistry without vendors.
type noVendors struct{}

func (noVendors) HouseVendors(context.Context, int64) ([]string, error) { return nil, nil }

func (noVendors) Vendors(context.Context, int64) ([]string, error) { return nil, nil }

// terms returns the terms of a game of the House, like the server does.
func terms(category, game, currency string) (demo.Terms, bool) {
	t, served := house.TermsOf(category, game, currency)
	return demo.Terms(t), served
}

// parts returns all services that the demo fills, on the site's database.
func parts(t *testing.T, site *merchanttest.Site) demo.Parts {
	t.Helper()
	games, err := catalogue.New(catalogue.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(games.Close)
	announcements, err := content.New(content.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(announcements.Close)
	testLedger := ledger.New(site.Store, ledger.Options{NewID: site.IDs})
	t.Cleanup(testLedger.Close)
	keys, err := secrettest.Open(t.Context(), site.Store, site.Clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	pools := jackpot.New(jackpot.Options{
		Store: site.Store, Ledger: testLedger, Outbox: events.NewOutbox(site.Store, site.Bus, nil), Settings: site.Merchants, Vendors: noVendors{}, Keys: keys,
		Series: series.New(series.Options{Store: site.Store, Keys: keys, Random: rand.Reader, IDs: site.IDs, Now: site.Clock.Now, Length: 1000}),
		Now:    site.Clock.Now,
	})
	deposits := deposit.New(deposit.Options{Store: site.Store, Ledger: testLedger, IDs: site.IDs, Now: site.Clock.Now})
	t.Cleanup(deposits.Close)
	promotions := promo.New(promo.Options{Store: site.Store, Ledger: testLedger, IDs: site.IDs, Now: site.Clock.Now})
	streams, err := stream.New(stream.Options{Store: site.Store, Bus: site.Bus, Games: shownGames{games}, Images: site.Merchants, IDs: site.IDs, Now: site.Clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(streams.Close)
	return demo.Parts{
		Deposits: deposits, Promotions: promotions, Streams: streams,
		Loyalty: loyalty.New(loyalty.Options{
			Store: site.Store, Ledger: testLedger, Rewards: promotions, Members: noLabels{}, Currency: site.Merchants.Currency, Now: site.Clock.Now,
		}),
		Merchants: site.Merchants, Catalogue: games, Content: announcements, Ledger: testLedger, Jackpots: pools, Terms: terms,
		Members: member.New(member.Options{
			Store: site.Store, Settings: site.Merchants, Ledger: testLedger, Passwords: member.NewPasswords(2, member.Cost{Memory: 64, Time: 1, Lanes: 1}), IDs: site.IDs, Now: site.Clock.Now,
		}),
	}
}

// shownGames finds games in the catalogue, like the server does.
type shownGames struct{ *catalogue.Service }

func (g shownGames) GamesByCode(ctx context.Context, merchantID int64, codes []string, language string) (out []stream.Game, err error) {
	found, err := g.ShownGames(ctx, merchantID, codes, language)
	for _, game := range found {
		out = append(out, stream.Game{GameID: game.Code})
	}
	return out, err
}

// noLabels stores no labels, because the demo accounts already have theirs.
type noLabels struct{ loyalty.Members }

func (noLabels) LabelIn(context.Context, *db.Tx, int64, string) error { return nil }

// countRows counts the rows of the demo and the money of its accounts.
