// Package demo fills an installation with content to look at: a merchant, vendors and games under invented
// names, notices, banners and pages, two accounts and some money for them. It goes through the same services as
// everyone else, can be interrupted and run again, and is never run unless it is asked for.
package demo

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/game/catalogue"
	"fairground/internal/identity/member"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/spec"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
)

// MerchantCode and currency of the demo's merchant.
const (
	MerchantCode = "fairground"
	merchantName = "Fairground"
	currencyCode = "VND"
	trialCode    = "FUN" // what those on trial play with
)

// jackpotShare is what of a thousand staked goes to the jackpot.
const jackpotShare = 10

// Password of the demo accounts. It is no secret: it is printed at the start, and exists only with the demo.
const Password = "Demo1234"

// Account is one that visitors of the demo can log in with.
type Account struct {
	Username string
	Role     string
	nickname string
	kind     member.Type
	vip      string
	deposit  money.Minor
}

// Accounts of the demo.
var Accounts = []Account{
	{Username: "demo88", Role: "player", nickname: "Minh Anh", kind: member.Player, vip: "VIP 3", deposit: 12_480_500},
	{Username: "agent88", Role: "agent", nickname: "Thanh Tùng", kind: member.Agent, vip: "VIP 1", deposit: 5_000_000},
}

// Parts are the services that the demo fills.
type Parts struct {
	Merchants *merchant.Service
	Members   *member.Service
	Catalogue *catalogue.Service
	Content   *content.Service
	Ledger    *ledger.Ledger
	Jackpots  Jackpots
	Terms     func(category, game, currency string) (Terms, bool) // of games that the House serves
}

// Terms are what the catalogue tells of a game that is already served: the game's own.
type Terms struct {
	LeastStake money.Minor
	Lines      int64
	Classes    []string
}

// Jackpots opens what stakes are played for.
type Jackpots interface {
	OpenPool(ctx context.Context, merchantID int64, currency string) error
}

//go:embed data/*.json
var data embed.FS

// Seed fills the installation. Every step is whole or not at all and can be repeated, so a crash between or
// within steps is made good by the next start. Content is made once: what an operator has changed or switched
// since stays so, and a later release's demo adds what is missing.
func Seed(ctx context.Context, p Parts) error {
	merchantID, err := seedMerchant(ctx, p.Merchants)
	if err != nil {
		return fmt.Errorf("seed demo merchant: %w", err)
	}
	for _, step := range []struct {
		what string
		run  func(context.Context, Parts, int64) error
	}{
		{"vendors", seedVendors}, {"games", seedGames}, {"content", seedContent}, {"accounts", seedAccounts}, {"jackpots", seedJackpots},
	} {
		if err := step.run(ctx, p, merchantID); err != nil {
			return fmt.Errorf("seed demo %s: %w", step.what, err)
		}
	}
	return nil
}

func seedMerchant(ctx context.Context, s *merchant.Service) (int64, error) {
	id, err := s.Ensure(ctx, MerchantCode, merchantName, currencyCode)
	if errors.Is(err, merchant.ErrOtherCurrency) {
		return 0, fmt.Errorf("%w: give the demo a data folder of its own", err)
	}
	if err != nil {
		return 0, err
	}
	badge := "/m/art/logo.svg"
	settings := map[merchant.Setting]any{
		merchant.SiteAppWindow: true,
		merchant.SiteDownloads: []merchant.Download{
			{ResourceType: "Android", URL: "/m/app"},
			{ResourceType: "IOS", URL: "/m/app"},
			{ResourceType: "MOBILECONFIG", URL: "/wps/system/webclip"},
		},
		merchant.SiteServices: services,
		// A hundredth of each stake on the House's slots and on jackpot games.
		merchant.JackpotShare: jackpotShare,
		// The badges say what they are: no licence is claimed.
		merchant.SiteLicences: []merchant.Licence{
			{Name: "DEMO 1", Image: badge, Link: "/m/policy/licence"},
			{Name: "DEMO 2", Image: badge, Link: "/m/fairness"},
			{Name: "DEMO 3", Image: badge, Link: "/m/policy/responsible"},
		},
	}
	switches := []merchant.Switch{
		merchant.SwitchOf(spec.FlagCashBack, true),
		merchant.SwitchOf(spec.FlagSMSLogin, true),
		merchant.SwitchOf(spec.PromotionReferral, true),
	}
	return id, s.Prefill(ctx, id, settings, switches)
}

func seedVendors(ctx context.Context, p Parts, merchantID int64) error {
	rows, err := read[catalogue.VendorRow]("vendors.json")
	if err != nil {
		return err
	}
	vendors := make([]catalogue.Vendor, 0, len(rows))
	for _, r := range rows {
		vendors = append(vendors, r.Vendor())
	}
	known, err := p.Catalogue.VendorCodes(ctx, merchantID)
	if err != nil {
		return err
	}
	vendors = missing(vendors, known, func(v catalogue.Vendor) string { return v.Code })
	if len(vendors) == 0 {
		return nil
	}
	return p.Catalogue.PutVendors(ctx, merchantID, vendors)
}

// missing leaves out what is known by its code.
func missing[T any](all []T, known []string, code func(T) string) []T {
	return slices.DeleteFunc(all, func(one T) bool { return slices.Contains(known, code(one)) })
}

// chunk keeps transactions short: on SQLite every other writer waits for them.
const chunk = 64

func seedGames(ctx context.Context, p Parts, merchantID int64) error {
	rows, err := read[catalogue.GameRow]("games.json")
	if err != nil {
		return err
	}
	games := make([]catalogue.Game, 0, len(rows))
	for _, r := range rows {
		r.Icon = "/m/art/tiles/" + r.GameID + ".webp"
		if terms, served := p.Terms(r.Category, r.GameID, currencyCode); served {
			r.MinBet, r.MinLines, r.Classify = int64(terms.LeastStake), terms.Lines, append(r.Classify, terms.Classes...)
		}
		games = append(games, r.Game())
	}
	known, err := p.Catalogue.GameCodes(ctx, merchantID)
	if err != nil {
		return err
	}
	games = missing(games, known, func(g catalogue.Game) string { return g.Code })
	for part := range slices.Chunk(games, chunk) {
		if err := p.Catalogue.PutGames(ctx, merchantID, part); err != nil {
			return err
		}
	}
	return nil
}

func seedAccounts(ctx context.Context, p Parts, merchantID int64) error {
	for _, a := range Accounts {
		id, err := ensureMember(ctx, p.Members, merchantID, a)
		if err != nil {
			return fmt.Errorf("%s: %w", a.Username, err)
		}
		if err := deposit(ctx, p.Ledger, merchantID, id, a); err != nil {
			return fmt.Errorf("%s: %w", a.Username, err)
		}
	}
	return nil
}

// seedJackpots opens a pool for members and one for those on trial, so that there is one to be seen before the first stake.
func seedJackpots(ctx context.Context, p Parts, merchantID int64) error {
	for _, currency := range []string{currencyCode, trialCode} {
		if err := p.Jackpots.OpenPool(ctx, merchantID, currency); err != nil {
			return fmt.Errorf("in %s: %w", currency, err)
		}
	}
	return nil
}

func ensureMember(ctx context.Context, s *member.Service, merchantID int64, a Account) (int64, error) {
	found, err := s.Find(ctx, merchantID, a.Username)
	if !errors.Is(err, member.ErrUnknown) {
		return found.ID, err
	}
	id, err := s.Create(ctx, member.Draft{
		MerchantID: merchantID, Username: a.Username, Password: Password, Type: a.kind, Currency: currencyCode,
		Language: "vi", Nickname: a.nickname, VIPLabel: a.vip, OfAge: true,
	})
	if errors.Is(err, member.ErrUsernameTaken) { // by another server that starts at the same time
		found, err = s.Find(ctx, merchantID, a.Username)
		return found.ID, err
	}
	return id, err
}

// deposit posts under a fixed key, so that it happens once however often the demo is started.
func deposit(ctx context.Context, books *ledger.Ledger, merchantID, memberID int64, a Account) error {
	cash, err := books.EnsureMember(ctx, merchantID, memberID, currencyCode)
	if err != nil {
		return err
	}
	source, err := books.House(ctx, merchantID, ledger.Deposits, currencyCode)
	if err != nil {
		return err
	}
	_, err = books.Post(ctx, ledger.Transfer{
		Key: "demo/deposit/" + a.Username, Debit: source.ID, Credit: cash.ID, Amount: a.deposit,
		Kind: "deposit", RefType: "demo", RefID: a.Username,
	})
	return err
}

func read[T any](name string) ([]T, error) {
	raw, err := data.ReadFile("data/" + name)
	if err != nil {
		return nil, err
	}
	var rows []T
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}
