package withdraw

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// A Member is the member who withdraws.
type Member struct {
	ID, MerchantID int64
	Currency       string
}

// A Turnover is the progress towards the stakes that deposits require.
type Turnover struct {
	Required rest.Amount `json:"required" doc:"Stakes that the deposits since the last withdrawal still required after the last of them."`
	Done     rest.Amount `json:"done" doc:"Settled stakes without refunds since the last deposit, at most required."`
}

// WithdrawTerms are the terms of a member's withdrawals.
type WithdrawTerms struct { //nolint:revive // the API document names the schema after the type
	Min       rest.Amount `json:"min"`
	Max       rest.Amount `json:"max"`
	PerDay    int         `json:"perDay" doc:"Withdrawals per day."`
	Left      int         `json:"left" doc:"Withdrawals left today."`
	Fee       rest.Amount `json:"fee" doc:"Comes off the paid amount."`
	Available rest.Amount `json:"available" doc:"Cash that can be withdrawn now."`
	Locked    rest.Amount `json:"locked" doc:"Cash that the turnover locks."`
	Turnover  Turnover    `json:"turnover"`
	Identity  string      `json:"identity" enum:"NONE,WAITING,VERIFIED,REFUSED"`
	Open      bool        `json:"open" doc:"The site accepts another withdrawal of the member today."`
	Currency  string      `json:"currency"`
}

// Terms returns the current terms of a member's withdrawals.
func (s *Service) Terms(ctx context.Context, who Member) (WithdrawTerms, error) {
	c, err := money.Find(who.Currency)
	if err != nil {
		return WithdrawTerms{}, rest.ErrSystem.Because(err)
	}
	rule, err := s.o.Rule(ctx, who.MerchantID, c)
	if err != nil {
		return WithdrawTerms{}, err
	}
	state, _, err := s.o.Identity.State(ctx, who.ID)
	if err != nil {
		return WithdrawTerms{}, err
	}
	q := s.o.Store.Q()
	required, done, err := turnoverOf(ctx, q, who.ID, rule.TurnoverPercent, s.o.Now())
	if err != nil {
		return WithdrawTerms{}, err
	}
	today, err := q.CountWithdrawals(ctx, who.ID, dayStart(s.o.Now(), who.Currency))
	if err != nil {
		return WithdrawTerms{}, fmt.Errorf("count withdrawals: %w", err)
	}
	accounts, err := s.o.Ledger.Balances(ctx, who.ID)
	if err != nil {
		return WithdrawTerms{}, err
	}
	var cash money.Minor
	for _, a := range accounts {
		if a.Kind == ledger.Cash && a.Currency == c.Code {
			cash = a.Balance
		}
	}
	leftToday := max(0, rule.PerDay-int(today))
	out := WithdrawTerms{
		Min: rest.AmountOf(c, rule.Min), Max: rest.AmountOf(c, rule.Max), PerDay: rule.PerDay, Left: leftToday, Fee: rest.AmountOf(c, rule.Fee),
		Available: rest.AmountOf(c, cash), Locked: rest.AmountOf(c, 0), Identity: state, Open: leftToday > 0, Currency: c.Code,
		Turnover: Turnover{Required: rest.AmountOf(c, required), Done: rest.AmountOf(c, min(done, required))},
	}
	if done < required {
		out.Available, out.Locked = out.Locked, out.Available
	}
	return out, nil
}

// turnoverOf returns the stakes that were required after the last deposit, and the settled stakes since. Nothing is required of a
// member on a break, who cannot play.
func turnoverOf(ctx context.Context, q *query.Queries, memberID int64, percent int, now time.Time) (required, done money.Minor, err error) {
	breaks, err := q.MemberOnBreak(ctx, memberID, db.Millis(now))
	if err != nil {
		return 0, 0, fmt.Errorf("read break: %w", err)
	}
	if breaks > 0 {
		return 0, 0, nil
	}
	lastWithdrawal, err := q.LastWithdrawalAt(ctx, memberID)
	if err != nil {
		return 0, 0, fmt.Errorf("read last withdrawal: %w", err)
	}
	return turnoverSince(ctx, q, memberID, percent, lastWithdrawal)
}

// unmetTurnover is turnoverOf without regard to breaks. Deposits before a withdrawal on a break still count, unless the turnover was met
// then. It returns 0 if the turnover is met.
func unmetTurnover(ctx context.Context, q *query.Queries, memberID int64, percent int) (required, done money.Minor, err error) {
	lastWithdrawal, err := q.LastWithdrawalWithTurnoverAt(ctx, memberID)
	if err != nil {
		return 0, 0, fmt.Errorf("read last withdrawal: %w", err)
	}
	required, done, err = turnoverSince(ctx, q, memberID, percent, lastWithdrawal)
	if done >= required {
		return 0, 0, err
	}
	return required, done, err
}

// turnoverSince walks through the deposits since a withdrawal, because stakes before a deposit do not count for it. Earlier deposits met
// their requirement when that withdrawal was requested.
func turnoverSince(ctx context.Context, q *query.Queries, memberID int64, percent int, lastWithdrawal int64) (required, done money.Minor, err error) {
	deposits, err := q.DepositsSince(ctx, memberID, sql.NullInt64{Int64: lastWithdrawal, Valid: true})
	if err != nil {
		return 0, 0, fmt.Errorf("read deposits: %w", err)
	}
	if percent == 0 {
		return 0, 0, nil
	}
	for i, d := range deposits {
		whole, remainder := (d.Amount-d.Fee)/100, (d.Amount-d.Fee)%100
		if whole > (math.MaxInt64-int64(required))/int64(percent)-1 {
			return math.MaxInt64, 0, nil
		}
		required += money.Minor(whole*int64(percent) + remainder*int64(percent)/100)
		if i == len(deposits)-1 {
			done, err = stakes(ctx, q, memberID, d.CreditedAt, math.MaxInt64)
			return required, done, err
		}
		staked, err := stakes(ctx, q, memberID, d.CreditedAt, deposits[i+1].CreditedAt)
		if err != nil {
			return 0, 0, err
		}
		required -= min(required, staked)
	}
	return 0, 0, nil
}

// stakes returns the settled stakes of a member's rounds that started in [from, until), in Unix ms. It is at most math.MaxInt64.
func stakes(ctx context.Context, q *query.Queries, memberID, from, until int64) (money.Minor, error) {
	sum, err := q.SettledStakes(ctx, memberID, from, until)
	if err != nil {
		return 0, fmt.Errorf("read stakes: %w", err)
	}
	high := sum.High + sum.Low>>32
	if high >= 1<<30 {
		return math.MaxInt64, nil
	}
	return money.Minor(high<<32 | sum.Low&math.MaxUint32), nil
}

// dayStart returns the start of the current day in the currency's country, in Unix ms.
func dayStart(now time.Time, currency string) int64 {
	local := now.In(money.Zone(currency))
	return db.Millis(time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, local.Location()))
}
