package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"fairground/internal/finance/promo"
	"fairground/internal/money"
	"fairground/internal/platform/db"
)

// A demoPromotion is a promotion in data/promotions.json. Amounts are in minor units of the demo's currency.
type demoPromotion struct {
	Code, Kind, Category, Payout, Every, PromoCode, Image string
	Rate, Wagering, MaxRewards, ClaimDays, Days, Sorting  int64
	Amount, Least, Most                                   money.Minor
	Texts                                                 promo.Texts
}

// fillPromotions adds missing promotions.
func fillPromotions(ctx context.Context, p Parts, merchantID int64) error {
	file, err := data.ReadFile("data/promotions.json")
	if err != nil {
		return err
	}
	var all []demoPromotion
	if err := json.Unmarshal(file, &all); err != nil {
		return fmt.Errorf("decode promotions: %w", err)
	}
	for _, d := range all {
		err := p.Ledger.Write(ctx, func(tx *db.Tx) error {
			_, err := p.Promotions.CreateIn(ctx, tx, promo.Promotion{
				MerchantID: merchantID, Currency: currencyCode, Code: d.Code, Kind: d.Kind, Category: d.Category, Payout: d.Payout, Every: d.Every, PromoCode: d.PromoCode,
				Image: d.Image, Rate: d.Rate, Wagering: d.Wagering, MaxRewards: d.MaxRewards, ClaimDays: d.ClaimDays, Days: d.Days, Sorting: d.Sorting,
				Amount: d.Amount, Least: d.Least, Most: d.Most, Texts: d.Texts, Published: true,
			})
			return err
		})
		if err != nil && !errors.Is(err, promo.ErrTaken) {
			return fmt.Errorf("create %s: %w", d.Code, err)
		}
	}
	return nil
}
