// Package catalogue knows what can be played: vendors, their games, the games' names in each language, and
// which of them are hot. It never launches a game and knows nothing of bets.
package catalogue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairground/internal/db"
	"fairground/internal/db/query"
	"fairground/internal/events"
	"fairground/internal/fault"
	"fairground/internal/rest"
)

// Faults of this package.
var (
	ErrUnknownVendor   = fault.New(fault.NotFound, "catalogue.unknown_vendor")
	ErrUnknownCategory = fault.New(fault.Invalid, "catalogue.unknown_category")
	ErrNameMissing     = fault.New(fault.Invalid, "catalogue.name_missing")
)

// Categories that a game or a vendor can belong to. The app's further categories (ALL, HOT, FAV …) are views.
var categories = []string{"LOTT", "ELOTT", "LIVE", "RNG", "FISH", "SPORTS", "ESPORTS", "PVP", "JL"}

// languages in which every game has a name.
var languages = rest.Languages()

const (
	changed = "catalogue.changed"
	// freshFor bounds how long a change made by another process, or whose word was lost, goes unseen.
	freshFor = time.Minute
)

// Options of the service.
type Options struct {
	Store *db.Store
	Bus   *events.Bus
	IDs   db.IDs
	Now   func() time.Time
}

// Service keeps the catalogue. Its lists are worked out once and sent as they are until something changes.
type Service struct {
	o     Options
	lists *events.Cache[listKey, *rest.Encoded]
}

// New makes the service and listens for changes made elsewhere.
func New(o Options) (*Service, error) {
	lists, err := events.NewCache[listKey, *rest.Encoded](events.CacheOptions{
		Bus: o.Bus, Subject: changed, FreshFor: freshFor, Now: o.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	return &Service{o: o, lists: lists}, nil
}

// Close stops listening.
func (s *Service) Close() { s.lists.Close() }

// Vendor is one who serves games.
type Vendor struct {
	Code        string
	DisplayName string
	AccountType string
	Categories  []string
	Sorting     int64
	Enabled     bool
}

// Game is one game of a vendor.
type Game struct {
	Code        string // unique within the merchant
	Vendor      string // its code
	Category    string
	LaunchCode  string // what the vendor calls it
	GroupID     string
	LottoMode   string
	Names       map[string]string // by language
	Classes     []string
	Icon        string
	MinBet      int64 // minor units of the merchant's currency
	MinLines    int64
	SupportPlay bool
	FreePlay    bool
	Sorting     int64
	HotRank     int64 // 0: not hot
	Enabled     bool
}

// PutVendors stores vendors, new or changed, all or none.
func (s *Service) PutVendors(ctx context.Context, merchantID int64, vendors []Vendor) error {
	for _, v := range vendors {
		for _, c := range v.Categories {
			if !slices.Contains(categories, c) {
				return ErrUnknownCategory.With("category", c)
			}
		}
	}
	return s.change(ctx, "vendors", func(tx *db.Tx) error {
		for _, v := range vendors {
			if err := s.putVendor(ctx, tx, merchantID, v); err != nil {
				return fmt.Errorf("%s: %w", v.Code, err)
			}
		}
		return nil
	})
}

func (s *Service) putVendor(ctx context.Context, tx *db.Tx, merchantID int64, v Vendor) error {
	id, err := tx.Q.PutVendor(ctx, query.PutVendorParams{
		ID: s.o.IDs(), MerchantID: merchantID, Code: v.Code, DisplayName: v.DisplayName,
		AccountType: v.AccountType, Sorting: v.Sorting, Enabled: v.Enabled,
	})
	if err != nil {
		return err
	}
	if err := tx.Q.DropVendorCategories(ctx, id); err != nil {
		return err
	}
	for _, c := range v.Categories {
		if err := tx.Q.AddVendorCategory(ctx, id, c); err != nil {
			return err
		}
	}
	return nil
}

// PutGames stores games, new or changed, all or none. A game keeps its node id when it changes.
func (s *Service) PutGames(ctx context.Context, merchantID int64, games []Game) error {
	for _, g := range games {
		if !slices.Contains(categories, g.Category) {
			return ErrUnknownCategory.With("category", g.Category)
		}
		for _, l := range languages {
			if g.Names[l] == "" {
				return ErrNameMissing.With("game", g.Code).With("language", l)
			}
		}
	}
	return s.change(ctx, "games", func(tx *db.Tx) error {
		vendors := map[string]int64{}
		for _, g := range games {
			if _, known := vendors[g.Vendor]; !known {
				id, err := tx.Q.VendorID(ctx, merchantID, g.Vendor)
				if errors.Is(err, sql.ErrNoRows) {
					return ErrUnknownVendor.With("vendor", g.Vendor)
				}
				if err != nil {
					return err
				}
				vendors[g.Vendor] = id
			}
			if err := s.putGame(ctx, tx, merchantID, vendors[g.Vendor], g); err != nil {
				return fmt.Errorf("%s: %w", g.Code, err)
			}
		}
		return nil
	})
}

func (s *Service) putGame(ctx context.Context, tx *db.Tx, merchantID, vendorID int64, g Game) error {
	id, err := tx.Q.PutGame(ctx, query.PutGameParams{
		ID: s.o.IDs(), MerchantID: merchantID, VendorID: vendorID, Code: g.Code, Category: g.Category,
		LaunchCode: g.LaunchCode, GroupID: g.GroupID, LottoMode: g.LottoMode, Icon: g.Icon, MinBet: g.MinBet,
		MinLines: g.MinLines, SupportPlay: g.SupportPlay, FreePlay: g.FreePlay, Sorting: g.Sorting,
		HotRank: g.HotRank, Enabled: g.Enabled,
	})
	if err != nil {
		return err
	}
	for _, l := range languages {
		p := query.PutGameNameParams{GameID: id, Language: l, Name: g.Names[l], Folded: Fold(g.Names[l])}
		if err := tx.Q.PutGameName(ctx, p); err != nil {
			return err
		}
	}
	if err := tx.Q.DropGameClasses(ctx, id); err != nil {
		return err
	}
	for _, c := range g.Classes {
		if err := tx.Q.AddGameClass(ctx, id, c); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) change(ctx context.Context, what string, fn func(*db.Tx) error) error {
	if err := s.o.Store.Write(ctx, fn); err != nil {
		return fmt.Errorf("store %s: %w", what, err)
	}
	s.lists.Changed()
	return nil
}

// listKey names a list that is worked out once.
type listKey struct {
	what     string
	merchant int64
	language string
}

// encoded gives a list as it is sent, worked out anew when something has changed.
func (s *Service) encoded(ctx context.Context, key listKey, build func(context.Context) (any, error)) (*rest.Encoded, error) {
	return s.lists.Get(ctx, key, func(ctx context.Context) (*rest.Encoded, error) {
		value, err := build(ctx)
		if err != nil {
			return nil, err
		}
		return rest.Encode(value)
	})
}
