package server

import (
	"context"
	"fmt"
	"slices"

	"fairground/internal/game/catalogue"
	"fairground/internal/game/house"
	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

const (
	// newGameIcon is the default picture of new games.
	newGameIcon = "/m/icons/icon-512.png"
	// newVendorSorting places new vendors and games after those with an explicit order.
	newVendorSorting = 100_000
)

// CreateVendor implements vendor.Creator.
func (s *Server) CreateVendor(ctx context.Context, merchantID int64, d vendor.Draft) (vendor.Key, error) {
	if err := d.Launch.Check(); err != nil {
		return vendor.Key{}, err
	}
	created := catalogue.Vendor{Code: d.Code, DisplayName: d.Name, AccountType: spec.Slots, Sorting: newVendorSorting, Enabled: true}
	games := make([]catalogue.Game, len(d.Games))
	for i, g := range d.Games {
		created.AccountType = d.Games[0].Category
		if !slices.Contains(created.Categories, g.Category) {
			created.Categories = append(created.Categories, g.Category)
		}
		games[i] = catalogue.Game{
			Code: g.Code, Vendor: d.Code, Category: g.Category, LaunchCode: g.Code, Names: map[string]string{}, Icon: newGameIcon,
			FreePlay: true, SupportPlay: true, Sorting: newVendorSorting + int64(i), Enabled: true,
		}
		for _, l := range rest.Languages() {
			games[i].Names[l] = d.Name + " " + g.Code
		}
	}
	var key vendor.Key
	err := s.Catalogue.Add(ctx, merchantID, created, games, vendor.ErrExists, func(tx *db.Tx) (err error) {
		key, err = s.Vendors.CreateIn(ctx, tx, merchantID, d.Code, d.Launch)
		return err
	})
	s.Vendors.NotifyChanged()
	return key, err
}

// PayClosed implements house.Payer.
func (s *Server) PayClosed(ctx context.Context, round int64) (house.ClosedPayment, error) {
	debt, err := s.House.Bets.Debt(ctx, round)
	if err != nil {
		return house.ClosedPayment{}, err
	}
	pay := func() (vendor.Payment, error) {
		return s.Vendors.PayClosedRound(ctx, debt.Vendor, debt.Round, debt.Amount)
	}
	if debt.Bet != "" {
		pay = func() (vendor.Payment, error) { return s.Vendors.RefundClosedBet(ctx, debt.Vendor, debt.Bet) }
	}
	paid, err := pay()
	if err != nil {
		return house.ClosedPayment{}, fmt.Errorf("pay round %d: %w", round, err)
	}
	if err := s.House.Bets.Discharge(ctx, round, paid.Balance, paid.Refunded); err != nil {
		return house.ClosedPayment{}, err
	}
	format := debt.Currency.Format
	return house.ClosedPayment{
		Currency: debt.Currency.Code, Owed: format(debt.Amount), AlreadyPaid: format(min(paid.AlreadyPaid, debt.Amount)), PaidNow: format(paid.PaidNow), Refunded: paid.Refunded,
	}, nil
}
