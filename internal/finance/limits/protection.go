package limits

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Kinds of signs of risky play. They are stored.
const (
	signRaise = "raise" // asked to raise or remove a limit
	signChase = "chase" // deposited again after losses
	signNight = "night" // played in several nights
)

// Thresholds of the signs.
const (
	signPeriod   = 7 * day
	signLifetime = 30 * day
	nightEnd     = 5 * time.Hour // a night is from midnight to 5:00
	minNights    = 3             // within signPeriod
	minChases    = 2             // quarter hours with a deposit after a loss, within a day
)

// A raiseFact is a requested change of a limit.
type raiseFact struct {
	Kind     string      `json:"kind"`
	Period   string      `json:"period"`
	Currency string      `json:"currency"`
	From     money.Minor `json:"from"`
	To       int64       `json:"to"` // 0: removal
}

type chaseFact struct {
	Currency  string      `json:"currency"`
	Deposits  int         `json:"deposits"`
	Deposited money.Minor `json:"deposited"`
	Lost      money.Minor `json:"lost"`
}

type nightFact struct {
	Nights int `json:"nights"`
}

// Zones returns the time zone of a merchant.
type Zones func(ctx context.Context, merchantID int64) (*time.Location, error)

// FindSigns looks for signs of risky play. It reads only new requests to raise limits and members who played in the last two
// hours, so its cost does not depend on the number of members. It runs as a periodic job.
func (s *Service) FindSigns(ctx context.Context, ids db.IDs, zone Zones) error {
	now, err := s.clock(ctx, s.o.Store.Reader)
	if err != nil {
		return err
	}
	if err := s.findRaises(ctx, ids, now); err != nil {
		return err
	}
	for after := int64(0); ; {
		members, err := s.o.Store.Q().MembersPlayedSince(ctx, now-2*time.Hour.Milliseconds(), after)
		if err != nil {
			return fmt.Errorf("find members who played: %w", err)
		}
		if len(members) == 0 {
			break
		}
		for _, id := range members {
			if err := s.findPlaySigns(ctx, ids, zone, id, now); err != nil {
				return err
			}
			after = id
		}
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.DropOldSigns(ctx, now-signLifetime.Milliseconds())
		return err
	})
}

func (s *Service) findRaises(ctx context.Context, ids db.IDs, now int64) error {
	since := money.Minor(now - 2*time.Hour.Milliseconds())
	rows, err := s.o.Store.Q().LimitRaisesSince(ctx, nullAmount(&since))
	if err != nil {
		return fmt.Errorf("find raised limits: %w", err)
	}
	for _, r := range rows {
		fact := raiseFact{r.Kind, r.Period, r.Currency, money.Minor(r.Amount), r.AskedAmount.Int64}
		if err := s.putSign(ctx, ids, r.MerchantID, r.MemberID, signRaise, r.AskedAt.Int64, fact); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) findPlaySigns(ctx context.Context, ids db.IDs, zone Zones, memberID, now int64) error {
	q := s.o.Store.Q()
	member, err := q.MemberByID(ctx, memberID)
	if err != nil {
		return fmt.Errorf("find member: %w", err)
	}
	location, err := zone(ctx, member.MerchantID)
	if err != nil {
		return err
	}
	sums, err := q.QuarterSums(ctx, memberID, member.Currency, now-signPeriod.Milliseconds())
	if err != nil {
		return fmt.Errorf("read sums: %w", err)
	}
	if n := nights(sums, location); n >= minNights {
		if err := s.putSign(ctx, ids, member.MerchantID, memberID, signNight, now, nightFact{n}); err != nil {
			return err
		}
	}
	if fact, found := chase(sums, now-day.Milliseconds()); found {
		fact.Currency = member.Currency
		return s.putSign(ctx, ids, member.MerchantID, memberID, signChase, now, fact)
	}
	return nil
}

// nights returns the number of nights with a stake.
func nights(sums []query.QuarterSumsRow, location *time.Location) int {
	days := map[string]bool{}
	for _, r := range sums {
		local := time.UnixMilli(r.Since).In(location)
		if stake := (money.SplitSum{High: r.StakeHigh, Low: r.StakeLow}).Minor(); stake > 0 && local.Hour() < int(nightEnd.Hours()) {
			days[local.Format(time.DateOnly)] = true
		}
	}
	return len(days)
}

// chase reports whether the member deposited after losses and has lost in total, with the figures.
func chase(sums []query.QuarterSumsRow, since int64) (fact chaseFact, found bool) {
	var lost, deposited money.SplitSum
	for _, r := range sums {
		if r.Since < since {
			continue
		}
		deposit := money.SplitSum{High: r.DepositHigh, Low: r.DepositLow}
		if deposit.Minor() > 0 {
			deposited = deposited.Add(deposit)
			if lost.Minor() > 0 {
				fact.Deposits++
			}
		}
		lost = lost.Add(money.SplitSum{High: r.StakeHigh, Low: r.StakeLow}).Sub(money.SplitSum{High: r.ReturnHigh, Low: r.ReturnLow})
	}
	fact.Deposited, fact.Lost = deposited.Minor(), lost.Minor()
	return fact, fact.Deposits >= minChases && fact.Lost > 0
}

func (s *Service) putSign(ctx context.Context, ids db.IDs, merchantID, memberID int64, kind string, foundAt int64, fact any) error {
	text, err := json.Marshal(fact)
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		return tx.Q.PutProtectionSign(ctx, query.PutProtectionSignParams{ID: ids(), MerchantID: merchantID, MemberID: memberID, Kind: kind, Facts: string(text), FoundAt: foundAt})
	})
	if err != nil {
		return fmt.Errorf("store sign: %w", err)
	}
	return nil
}
