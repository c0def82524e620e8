package server

import (
	"context"
	"time"

	"fairground/internal/finance/gateway"
	"fairground/internal/finance/limits"
	"fairground/internal/finance/withdraw"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/house"
	"fairground/internal/game/jackpot"
	"fairground/internal/game/lottery"
	"fairground/internal/game/vendor"
	"fairground/internal/identity/session"
	"fairground/internal/platform/db"
	"fairground/internal/platform/secret"
	"fairground/internal/site/ops"
)

// Rekey returns the function that encrypts all stored secrets with a new root key. It ends all sessions, tickets, game
// frames and series of seeds.
func Rekey(now func() time.Time) secret.Rekey {
	return func(ctx context.Context, tx *db.Tx, old, next *secret.Keys, legacy bool) error {
		nowMs := db.Millis(now())
		if err := vendor.Rekey(ctx, tx, old, next, legacy, nowMs); err != nil {
			return err
		}
		if err := gateway.Rekey(ctx, tx, old, next); err != nil {
			return err
		}
		if err := withdraw.Rekey(ctx, tx, old, next); err != nil {
			return err
		}
		if err := series.Rekey(ctx, tx, old, next, nowMs); err != nil {
			return err
		}
		if err := house.Rekey(ctx, tx, old, next, nowMs); err != nil {
			return err
		}
		if err := jackpot.Rekey(ctx, tx, old, nowMs); err != nil {
			return err
		}
		if err := lottery.Rekey(ctx, tx, old, next); err != nil {
			return err
		}
		if err := limits.KeepTraitKey(ctx, tx, old, next); err != nil {
			return err
		}
		if err := ops.Rekey(ctx, tx, old, next, nowMs); err != nil {
			return err
		}
		return session.EndAll(ctx, tx, nowMs)
	}
}
