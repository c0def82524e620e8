package demo

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fairground/internal/finance/loyalty"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// fillLoyalty adds missing rules, and sets the VIP levels of the demo accounts.
func fillLoyalty(ctx context.Context, p Parts, merchantID int64) error {
	rules, err := read[loyalty.Rule]("loyalty.json")
	if err != nil {
		return err
	}
	for _, r := range rules {
		existing, err := p.Loyalty.Rule(ctx, merchantID, r.Kind)
		if err != nil {
			return err
		}
		if existing.Version > 0 {
			continue
		}
		r.MerchantID, r.Currency, r.Enabled = merchantID, currencyCode, true
		err = p.Ledger.Write(ctx, func(tx *db.Tx) error {
			_, _, err := p.Loyalty.SaveIn(ctx, tx, r)
			return err
		})
		if err != nil && !errors.Is(err, rest.ErrStale) { // stale: another server has created it meanwhile
			return fmt.Errorf("create the rule %s: %w", r.Kind, err)
		}
	}
	vip, err := p.Loyalty.Rule(ctx, merchantID, loyalty.VIP)
	if err != nil {
		return err
	}
	for _, a := range Accounts {
		level, err := strconv.ParseInt(strings.TrimPrefix(a.vip, "VIP "), 10, 64)
		if err != nil {
			return err
		}
		found, err := p.Members.Find(ctx, merchantID, a.Username)
		if err != nil {
			return err
		}
		if err := p.Ledger.Write(ctx, func(tx *db.Tx) error { return p.Loyalty.StartAtIn(ctx, tx, vip, found.ID, level) }); err != nil {
			return err
		}
	}
	return nil
}
