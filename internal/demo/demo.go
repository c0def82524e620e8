// Package demo fills an installation with demo data: a merchant, vendors and games with invented names, announcements
// and pages, and two accounts with money. It uses only public services. It runs only with --demo, and is idempotent.
package demo

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/finance/deposit"
	"fairground/internal/finance/loyalty"
	"fairground/internal/finance/promo"
	"fairground/internal/game/catalogue"
	"fairground/internal/identity/member"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/spec"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
	"fairground/internal/site/stream"
)

// The demo's merchant.
const (
	MerchantCode = "fairground"
	merchantName = "Fairground"
	currencyCode = "VND"
	trialCode    = "FUN" // currency of trial members
)

const jackpotShare = 10 // of the stakes, in per mille

// Password is the password of the demo accounts. It is public.
const Password = "Demo1234"

// An Account is an account for visitors of the demo.
type Account struct {
	Username string
	Role     string
	nickname string
	kind     member.Type
	vip      string
	deposit  money.Minor
}

// Accounts are the demo accounts.
var Accounts = []Account{
	{Username: "demo88", Role: "player", nickname: "Minh Anh", kind: member.Player, vip: "VIP 3", deposit: 12_480_500},
	{Username: "agent88", Role: "agent", nickname: "Thanh Tùng", kind: member.Agent, vip: "VIP 1", deposit: 5_000_000},
}

// Parts are the services that the demo fills.
type Parts struct {
	Merchants  *merchant.Service
	Members    *member.Service
	Catalogue  *catalogue.Service
	Content    *content.Service
	Ledger     *ledger.Ledger
	Jackpots   Jackpots
	Deposits   *deposit.Service
	Promotions *promo.Service
	Loyalty    *loyalty.Service
	Streams    *stream.Service
	Terms      func(category, game, currency string) (Terms, bool) // false if the House does not run the game
}

// Terms are the properties of a game that its engine defines.
type Terms struct {
	MinStake money.Minor
	Lines    int64
	Classes  []string
}

// Jackpots opens jackpot pools.
type Jackpots interface {
	OpenPool(ctx context.Context, merchantID int64, currency string) error
}

//go:embed data/*.json data/help/*.json
var data embed.FS

// Fill fills the installation. Every step is atomic and idempotent, so the next start completes an interrupted Fill. It
// only adds missing data and keeps the operator's changes.
func Fill(ctx context.Context, p Parts) error {
	merchantID, err := fillMerchant(ctx, p.Merchants)
	if err != nil {
		return fmt.Errorf("create demo merchant: %w", err)
	}
	for _, step := range []struct {
		what string
		run  func(context.Context, Parts, int64) error
	}{
		{"vendors", fillVendors}, {"games", fillGames}, {"content", fillContent}, {"accounts", fillAccounts}, {"jackpots", openJackpots}, {"methods", fillMethods}, {"promotions", fillPromotions},
		{"loyalty rules", fillLoyalty}, {"streams", fillStreams},
	} {
		if err := step.run(ctx, p, merchantID); err != nil {
			return fmt.Errorf("create demo %s: %w", step.what, err)
		}
	}
	return nil
}

func fillMerchant(ctx context.Context, s *merchant.Service) (int64, error) {
	id, err := s.Ensure(ctx, MerchantCode, merchantName, currencyCode)
	if errors.Is(err, merchant.ErrOtherCurrency) {
		return 0, fmt.Errorf("%w: use a separate data folder for the demo", err)
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
		merchant.SiteServices: contacts,
		merchant.JackpotShare: jackpotShare,
		// The demo has no licence, so its badges are labelled as demo.
		merchant.SiteLicences: []merchant.Licence{
			{Name: "DEMO 1", Image: badge, Link: "/m/policy/licence"},
			{Name: "DEMO 2", Image: badge, Link: "/m/fairness"},
			{Name: "DEMO 3", Image: badge, Link: "/m/policy/responsible"},
		},
	}
	switches := []merchant.Switch{
		merchant.SwitchOf(spec.FlagCashBack, true),
		merchant.SwitchOf(spec.FlagChat, true),
		merchant.SwitchOf(spec.FlagSMSLogin, true),
		merchant.SwitchOf(spec.PromotionReferral, true),
	}
	return id, s.Prefill(ctx, id, settings, switches)
}

func fillVendors(ctx context.Context, p Parts, merchantID int64) error {
	rows, err := read[catalogue.VendorRow]("vendors.json")
	if err != nil {
		return err
	}
	vendors := make([]catalogue.Vendor, 0, len(rows))
	for _, r := range rows {
		v := r.Vendor()
		v.House = true
		vendors = append(vendors, v)
	}
	existing, err := p.Catalogue.VendorCodes(ctx, merchantID)
	if err != nil {
		return err
	}
	vendors = missing(vendors, existing, func(v catalogue.Vendor) string { return v.Code })
	if len(vendors) == 0 {
		return nil
	}
	return p.Catalogue.PutVendors(ctx, merchantID, vendors)
}

// missing returns the items whose codes do not exist yet.
func missing[T any](items []T, existing []string, code func(T) string) []T {
	return slices.DeleteFunc(items, func(item T) bool { return slices.Contains(existing, code(item)) })
}

// gameBatch is the number of games per transaction. Transactions must be short: on SQLite they block all writers.
const gameBatch = 64

func fillGames(ctx context.Context, p Parts, merchantID int64) error {
	rows, err := read[catalogue.GameRow]("games.json")
	if err != nil {
		return err
	}
	games := make([]catalogue.Game, 0, len(rows))
	for _, r := range rows {
		games = append(games, p.game(r, currencyCode))
	}
	existing, err := p.Catalogue.GameCodes(ctx, merchantID)
	if err != nil {
		return err
	}
	return putGames(ctx, p, merchantID, missing(games, existing, func(g catalogue.Game) string { return g.Code }))
}

// game returns a game with its picture and the terms of its engine.
func (p Parts) game(r catalogue.GameRow, currency string) catalogue.Game {
	r.Icon = "/m/art/tiles/" + r.GameID + ".webp"
	if terms, served := p.Terms(r.Category, r.GameID, currency); served {
		r.MinBet, r.MinLines, r.Classify = int64(terms.MinStake), terms.Lines, append(r.Classify, terms.Classes...)
	}
	return r.Game()
}

func putGames(ctx context.Context, p Parts, merchantID int64, games []catalogue.Game) error {
	for batch := range slices.Chunk(games, gameBatch) {
		if err := p.Catalogue.PutGames(ctx, merchantID, batch); err != nil {
			return err
		}
	}
	return nil
}

func fillAccounts(ctx context.Context, p Parts, merchantID int64) error {
	for _, a := range Accounts {
		id, err := ensureMember(ctx, p.Members, merchantID, a)
		if err != nil {
			return fmt.Errorf("%s: %w", a.Username, err)
		}
		if err := fund(ctx, p.Ledger, merchantID, id, a); err != nil {
			return fmt.Errorf("%s: %w", a.Username, err)
		}
	}
	return nil
}

// openJackpots opens a pool for members and one for trial members, so that they are visible before the first stake.
func openJackpots(ctx context.Context, p Parts, merchantID int64) error {
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
	id, err := s.Create(ctx, member.NewMember{
		MerchantID: merchantID, Username: a.Username, Password: Password, Type: a.kind, Currency: currencyCode,
		Language: "vi", Nickname: a.nickname, VIPLabel: a.vip, OfAge: true,
	})
	if errors.Is(err, member.ErrUsernameTaken) { // another server starts at the same time
		found, err = s.Find(ctx, merchantID, a.Username)
		return found.ID, err
	}
	return id, err
}

// fund deposits an account's money. The transfer has a fixed key, so that repeated starts deposit once.
func fund(ctx context.Context, l *ledger.Ledger, merchantID, memberID int64, a Account) error {
	cash, err := l.EnsureMember(ctx, merchantID, memberID, currencyCode)
	if err != nil {
		return err
	}
	source, err := l.House(ctx, merchantID, ledger.Deposits, currencyCode)
	if err != nil {
		return err
	}
	_, err = l.Post(ctx, ledger.Transfer{
		Key: "demo/deposit/" + a.Username, Debit: source.ID, Credit: cash.ID, Amount: a.deposit,
		Kind: "deposit", RefType: "demo", RefID: a.Username,
	})
	return err
}

// read decodes a list from a data file.
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
