package loyalty

import (
	"context"
	"fmt"
	"time"

	"fairground/internal/finance/promo"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/rest"
)

// A DayView is a day of the current week of check-ins.
type DayView struct {
	Day    int64       `json:"day" doc:"1 to 7."`
	Amount rest.Amount `json:"amount"`
	Gift   bool        `json:"gift" doc:"The weekly gift."`
	State  string      `json:"state" enum:"done,today,open" doc:"today: the caller can check in now."`
}

// A CheckInView is a member's check-in.
type CheckInView struct {
	Today     string      `json:"today" doc:"The current day in the site's time zone, YYYY-MM-DD."`
	EndsAt    int64       `json:"endsAt" doc:"When the day ends, in Unix ms."`
	CheckedIn bool        `json:"checkedIn" doc:"The caller has checked in today."`
	Streak    int64       `json:"streak" doc:"Days in a row, with today if checked in."`
	Longest   int64       `json:"longest"`
	Amount    rest.Amount `json:"amount" doc:"What today pays, or has paid."`
	Currency  string      `json:"currency"`
	Days      []DayView   `json:"days" doc:"The 7 days of the current run."`
	Month     string      `json:"month" doc:"The month of the calendar, YYYY-MM."`
	Dates     []string    `json:"dates" doc:"Days of the month with a check-in, YYYY-MM-DD."`
}

const monthFormat = "2006-01"

// streakToday returns the length of the streak with a check-in today, and whether the member has checked in today. A missed day
// starts a new streak.
func streakToday(streak query.CheckInStreak, today time.Time) (length int64, done bool) {
	switch {
	case streak.LastDay >= today.Format(time.DateOnly): // LastDay is later than today if the clock went back
		return streak.Streak, true
	case streak.LastDay == today.AddDate(0, 0, -1).Format(time.DateOnly):
		return streak.Streak + 1, false
	}
	return 1, false
}

func (r *CheckInRule) amount(streakLength int64) money.Minor { return r.Amounts[(streakLength-1)%Week] }

// CheckIn returns a member's check-in with the calendar of a month. An empty month is the current one.
func (s *Service) CheckIn(ctx context.Context, who Member, month string) (CheckInView, error) {
	rule, err := s.enabledRule(ctx, who, CheckIn)
	if err != nil {
		return CheckInView{}, err
	}
	streak, err := s.o.Store.Q().Streak(ctx, who.ID)
	if _, err = db.Found("read streak", err); err != nil {
		return CheckInView{}, err
	}
	return s.checkInView(ctx, s.o.Store.Q(), who, rule, streak, startOfDay(s.o.Now(), who.Currency), month)
}

func (s *Service) checkInView(ctx context.Context, q *query.Queries, who Member, rule Rule, streak query.CheckInStreak, today time.Time, month string) (CheckInView, error) {
	none := CheckInView{}
	c, err := money.Find(rule.Currency)
	if err != nil {
		return none, rest.ErrSystem.Because(err)
	}
	monthStart := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, today.Location())
	if month != "" {
		if monthStart, err = time.ParseInLocation(monthFormat, month, today.Location()); err != nil {
			return none, ErrMonth.On("month")
		}
	}
	rows, err := q.CheckIns(ctx, who.ID, monthStart.Format(time.DateOnly), monthStart.AddDate(0, 1, 0).Format(time.DateOnly))
	if err != nil {
		return none, fmt.Errorf("read check-ins: %w", err)
	}
	length, done := streakToday(streak, today)
	v := CheckInView{
		Today: today.Format(time.DateOnly), EndsAt: db.Millis(today.AddDate(0, 0, 1)), CheckedIn: done, Streak: length, Longest: streak.Longest, Currency: rule.Currency,
		Amount: rest.AmountOf(c, rule.CheckIn.amount(length)), Days: make([]DayView, Week), Month: monthStart.Format(monthFormat), Dates: []string{},
	}
	if !done {
		v.Streak--
	}
	dayOfWeek := (length-1)%Week + 1
	for i := range v.Days {
		d := DayView{Day: int64(i) + 1, Amount: rest.AmountOf(c, rule.CheckIn.Amounts[i]), Gift: i == Week-1, State: "open"}
		switch {
		case d.Day < dayOfWeek || d.Day == dayOfWeek && done:
			d.State = "done"
		case d.Day == dayOfWeek:
			d.State = "today"
		}
		v.Days[i] = d
	}
	for _, row := range rows {
		v.Dates = append(v.Dates, row.Day)
	}
	return v, nil
}

// DoCheckIn checks a member in, once a day by the database's clock.
func (s *Service) DoCheckIn(ctx context.Context, who Member, key string) (CheckInView, error) {
	rule, err := s.enabledRule(ctx, who, CheckIn)
	if err != nil {
		return CheckInView{}, err
	}
	if err := s.o.Limits.Check(ctx, who.ID); err != nil {
		return CheckInView{}, err
	}
	otherAccounts, err := s.o.Persons.Same(ctx, who.MerchantID, who.ID)
	if err != nil {
		return CheckInView{}, err
	}
	request := idempotency.Request{Owner: idempotency.Member(who.ID), Call: "doCheckIn", Key: key}
	return idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (CheckInView, error) {
		streak, err := tx.Q.LockStreak(ctx, who.ID)
		if err != nil {
			return CheckInView{}, fmt.Errorf("lock streak: %w", err)
		}
		now, err := s.o.Time(ctx, tx)
		if err != nil {
			return CheckInView{}, err
		}
		today := startOfDay(now, who.Currency)
		length, done := streakToday(streak, today)
		if done {
			return CheckInView{}, ErrCheckedIn
		}
		day, amount := today.Format(time.DateOnly), rule.CheckIn.amount(length)
		var reward int64
		if amount > 0 {
			if len(otherAccounts) > 0 { // so that the accounts of a person check in one after another
				if _, err := tx.Q.LockPromotion(ctx, rule.PromotionID); err != nil {
					return CheckInView{}, fmt.Errorf("lock promotion: %w", err)
				}
			}
			rewarded, err := anyRewarded(ctx, tx, otherAccounts, rule.PromotionID, day)
			if err != nil {
				return CheckInView{}, err
			}
			if rewarded {
				return CheckInView{}, ErrPerson
			}
			if reward, err = s.o.Rewards.PayIn(ctx, tx, who, promo.Gift{PromotionID: rule.PromotionID, Period: day, Amount: amount}); err != nil {
				return CheckInView{}, err
			}
		}
		streak.LastDay, streak.Streak, streak.Longest = day, length, max(streak.Longest, length)
		if err := tx.Q.AddCheckIn(ctx, query.AddCheckInParams{MemberID: who.ID, Day: day, Streak: length, Amount: int64(amount), RewardID: reward}); err != nil {
			return CheckInView{}, fmt.Errorf("add check-in: %w", err)
		}
		err = tx.Q.SetStreak(ctx, query.SetStreakParams{MemberID: who.ID, LastDay: day, Streak: length, Longest: streak.Longest})
		if err != nil {
			return CheckInView{}, fmt.Errorf("set streak: %w", err)
		}
		return s.checkInView(ctx, tx.Q, who, rule, streak, today, "")
	})
}
