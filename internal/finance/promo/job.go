package promo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	// pageSize is the LIMIT of the SQL queries that the jobs repeat.
	pageSize = 500
	// overlap is how far a job looks back, because the transaction of a deposit or an approval may commit late.
	overlap = 10 * time.Minute
	// settlingTime is the wait between the end of a period and the rebate of its losses, so that its rounds can settle.
	settlingTime = time.Hour
	// warningTime is how long before the expiry of a reward the member gets a message.
	warningTime = day
	// birthdayRetry is the delay after which birthdays are evaluated again, if some of them failed.
	birthdayRetry = time.Hour
)

// Evaluate grants the rewards that are due. It can be repeated at any time, because a member gets one reward per
// promotion and period.
func (s *Service) Evaluate(ctx context.Context) error {
	now := s.o.Now()
	rows, err := s.o.Store.Q().PromotionsToEvaluate(ctx, db.Millis(now))
	if err != nil {
		return fmt.Errorf("read promotions: %w", err)
	}
	var failed []error
	for _, row := range rows {
		p, err := promotionOf(row)
		if err == nil {
			err = s.evaluate(ctx, &p, now)
		}
		if err != nil { // continue with the other promotions
			failed = append(failed, fmt.Errorf("evaluate promotion %s: %w", row.Code, err))
		}
	}
	return errors.Join(failed...)
}

func (s *Service) evaluate(ctx context.Context, p *Promotion, now time.Time) (err error) {
	until := db.Millis(now)
	switch p.Kind {
	case FirstDeposit, Reload:
		err = s.evaluateDeposits(ctx, p, until)
	case LossRebate:
		until, err = s.evaluateLosses(ctx, p, now)
	case Birthday:
		until, err = s.evaluateBirthdays(ctx, p, now)
	}
	if err != nil && p.Kind != Birthday {
		return err
	}
	return errors.Join(err, s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.SetPromotionEvaluated(ctx, p.ID, until) }))
}

func (s *Service) evaluateDeposits(ctx context.Context, p *Promotion, until int64) error {
	if p.EndsAt != 0 {
		until = min(until+1, p.EndsAt)
	} else {
		until++
	}
	params := query.DepositsForPromotionsParams{
		MerchantID: p.MerchantID, Currency: p.Currency, Until: notNull(until), AfterAt: notNull(max(p.StartsAt, p.grantedUntil-overlap.Milliseconds()) - 1),
	}
	var failed []error
	for {
		deposits, err := s.o.Store.Q().DepositsForPromotions(ctx, params)
		if err != nil {
			return fmt.Errorf("read deposits: %w", err)
		}
		for _, d := range deposits {
			params.AfterAt, params.AfterID = notNull(d.EndedAt), d.ID
			if d.Later != (p.Kind == Reload) {
				continue
			}
			if err := s.grantByRule(ctx, p, d.MemberID, p.period(time.UnixMilli(d.EndedAt)), p.rewardFor(money.Minor(d.Amount))); err != nil {
				failed = append(failed, fmt.Errorf("deposit %d: %w", d.ID, err))
			}
		}
		if len(deposits) < pageSize {
			return errors.Join(failed...)
		}
	}
}

// evaluateLosses rebates the losses of each period that has ended. It returns the end of the last of them. Losses before grantedUntil
// were rebated, perhaps in a period of another length.
func (s *Service) evaluateLosses(ctx context.Context, p *Promotion, now time.Time) (int64, error) {
	days := 1
	if p.Every == "week" {
		days = 7
	}
	start := p.periodStart(time.UnixMilli(p.grantedUntil))
	for {
		end := start.AddDate(0, 0, days)
		if end.Add(settlingTime).After(now) || p.EndsAt != 0 && db.Millis(start) >= p.EndsAt {
			return max(db.Millis(start), p.grantedUntil), nil
		}
		since, until := max(db.Millis(start), p.StartsAt, p.grantedUntil), db.Millis(end)
		if p.EndsAt != 0 {
			until = min(until, p.EndsAt)
		}
		if err := s.rebate(ctx, p, since, until, p.period(start)); err != nil {
			return 0, err
		}
		start = end
	}
}

func (s *Service) rebate(ctx context.Context, p *Promotion, since, until int64, period string) error {
	params := query.ResultsOfPeriodParams{MerchantID: p.MerchantID, Currency: p.Currency, Since: since, Until: until}
	var failed []error
	for {
		results, err := s.o.Store.Q().ResultsOfPeriod(ctx, params)
		if err != nil {
			return fmt.Errorf("read results: %w", err)
		}
		for _, r := range results {
			params.After = r.MemberID
			loss := -money.SplitSum{High: r.High, Low: r.Low}.Minor()
			if loss <= 0 {
				continue
			}
			if err := s.grantByRule(ctx, p, r.MemberID, period, p.rewardFor(loss)); err != nil {
				failed = append(failed, fmt.Errorf("member %d: %w", r.MemberID, err))
			}
		}
		if len(results) < pageSize {
			return errors.Join(failed...)
		}
	}
}

// evaluateBirthdays grants a reward to verified members on their birthday. It decrypts their identities, so it reads all members once a
// day, and later on that day only those who were verified since its last run. It returns the time of the next full read:
// the start of the next day, or after a failure an earlier attempt.
func (s *Service) evaluateBirthdays(ctx context.Context, p *Promotion, now time.Time) (next int64, err error) {
	if !p.Open(db.Millis(now)) {
		return db.Millis(now), nil
	}
	today := p.dayStart(now)
	since, tomorrow := int64(0), db.Millis(today.AddDate(0, 0, 1))
	readAll := db.Millis(now) >= p.grantedUntil
	if !readAll {
		since = db.Millis(today)
		if last, ok := s.birthdaysRead.Load(p.ID); ok {
			since = max(since, last.(int64))
		}
	}
	params := query.VerifiedMembersParams{MerchantID: p.MerchantID, Currency: p.Currency, Since: since}
	var failed []error
	for {
		members, err := s.o.Store.Q().VerifiedMembers(ctx, params)
		if err != nil {
			return 0, fmt.Errorf("read verified members: %w", err)
		}
		for _, id := range members {
			params.After = id
			date, err := s.o.Births.BirthDate(ctx, id)
			if err == nil && isBirthday(date, today) {
				err = s.grantByRule(ctx, p, id, p.period(today), p.Amount)
			}
			if err != nil {
				failed = append(failed, fmt.Errorf("member %d: %w", id, err))
			}
		}
		if len(members) == pageSize {
			continue
		}
		if len(failed) == 0 || readAll { // a member verified later on the day is tried again in the next run
			s.birthdaysRead.Store(p.ID, db.Millis(now.Add(-overlap)))
		}
		switch {
		case !readAll: // the time of the next full read stays
			return db.Millis(now), errors.Join(failed...)
		case len(failed) > 0:
			return min(tomorrow, db.Millis(now.Add(birthdayRetry))), errors.Join(failed...)
		}
		return tomorrow, nil
	}
}

// isBirthday reports whether today is the birthday of a person born on date. In years without a 29 February,
// that birthday is on 28 February.
func isBirthday(date string, today time.Time) bool {
	born, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return false
	}
	leap := time.Date(today.Year(), time.February, 29, 0, 0, 0, 0, time.UTC).Day() == 29
	if born.Month() == time.February && born.Day() == 29 && !leap {
		born = born.AddDate(0, 0, -1)
	}
	return born.Month() == today.Month() && born.Day() == today.Day()
}

// Settle turns bonuses with enough stakes into cash, ends expired rewards, and warns members before a reward expires. It can be
// repeated at any time.
func (s *Service) Settle(ctx context.Context) error {
	return errors.Join(s.completeAll(ctx), s.expireAll(ctx), s.warnAll(ctx))
}

func (s *Service) completeAll(ctx context.Context) error {
	var failed []error
	for after := int64(0); ; {
		ids, err := s.o.Store.Q().WageringRewards(ctx, after)
		if err != nil {
			return fmt.Errorf("read bonuses: %w", err)
		}
		for _, id := range ids {
			after = id
			if err := s.Complete(ctx, id); err != nil {
				failed = append(failed, fmt.Errorf("complete reward %d: %w", id, err))
			}
		}
		if len(ids) < pageSize {
			return errors.Join(failed...)
		}
	}
}

// Complete turns a bonus into cash if the member has staked enough. Otherwise it stores the progress.
func (s *Service) Complete(ctx context.Context, id int64) error {
	q := s.o.Store.Q()
	r, err := q.RewardByID(ctx, id)
	if err != nil {
		return fmt.Errorf("read reward: %w", err)
	}
	stakes, err := s.stakesSince(ctx, q, r.MemberID, r.ClaimedAt.Int64)
	if err != nil || r.Status != Wagering || stakes == r.Wagered && stakes < r.Required {
		return err
	}
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		r, err := tx.Q.LockReward(ctx, id)
		if err != nil || r.Status != Wagering {
			return err
		}
		if r.Wagered, err = s.stakesSince(ctx, tx.Q, r.MemberID, r.ClaimedAt.Int64); err != nil {
			return err
		}
		if r.Wagered >= r.Required {
			return s.endIn(ctx, tx, &r, Completed)
		}
		if err := tx.Q.SetRewardWagered(ctx, r.ID, r.Wagered); err != nil {
			return err
		}
		return s.announceIn(ctx, tx, &r)
	})
}

func (s *Service) expireAll(ctx context.Context) error {
	var failed []error
	for {
		failures := len(failed)
		ids, err := s.o.Store.Q().ExpiredRewards(ctx, db.Millis(s.o.Now()))
		if err != nil {
			return fmt.Errorf("read expired rewards: %w", err)
		}
		for _, id := range ids {
			err := s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
				r, err := tx.Q.LockReward(ctx, id)
				if err != nil || r.Status != Unclaimed && r.Status != Wagering {
					return err
				}
				status := Expired
				if r.Status == Wagering {
					stakes, err := s.stakesSince(ctx, tx.Q, r.MemberID, r.ClaimedAt.Int64)
					if err != nil {
						return err
					}
					if stakes >= r.Required { // completed since the last run
						status = Completed
					}
				}
				return s.endIn(ctx, tx, &r, status)
			})
			if err != nil {
				failed = append(failed, fmt.Errorf("expire reward %d: %w", id, err))
			}
		}
		if len(ids) < pageSize || len(failed) > failures { // failed rewards are read again
			return errors.Join(failed...)
		}
	}
}

func (s *Service) warnAll(ctx context.Context) error {
	now := s.o.Now()
	ids, err := s.o.Store.Q().ExpiringRewards(ctx, db.Millis(now.Add(warningTime)))
	if err != nil {
		return fmt.Errorf("read expiring rewards: %w", err)
	}
	var failed []error
	for _, id := range ids {
		err := s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
			n, err := tx.Q.SetRewardWarned(ctx, id, db.Millis(now))
			if err != nil || n == 0 {
				return err
			}
			r, err := tx.Q.LockReward(ctx, id)
			if err != nil {
				return err
			}
			if err := s.notifyIn(ctx, tx, &r, Expiring, r.Amount); err != nil {
				return err
			}
			return s.announceIn(ctx, tx, &r)
		})
		if err != nil {
			failed = append(failed, fmt.Errorf("warn of expiring reward %d: %w", id, err))
		}
	}
	return errors.Join(failed...)
}
