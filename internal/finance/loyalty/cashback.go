package loyalty

import (
	"context"
	"fmt"
	"time"

	"fairground/internal/finance/promo"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/rest"
)

// A CategoryView is the cash back of one game category.
type CategoryView struct {
	Category string      `json:"category" doc:"Code of a category of games, such as RNG."`
	Turnover rest.Amount `json:"turnover" doc:"Stakes of settled rounds, less refunds."`
	Percent  rest.Amount `json:"percent" doc:"The caller's rate: that of the category and the extra of the VIP level."`
	Amount   rest.Amount `json:"amount"`
}

// A ClaimView is a claimed cash back.
type ClaimView struct {
	Period    string      `json:"period" doc:"First day, YYYY-MM-DD."`
	Turnover  rest.Amount `json:"turnover"`
	Amount    rest.Amount `json:"amount"`
	ClaimedAt int64       `json:"claimedAt" doc:"Unix ms."`
}

// A CashBackView is the cash back of the last complete period.
type CashBackView struct {
	Every    string         `json:"every" enum:"day,week"`
	Period   string         `json:"period" doc:"First day of the last complete period in the site's time zone, YYYY-MM-DD."`
	From     int64          `json:"from" doc:"Begin of the period, in Unix ms."`
	To       int64          `json:"to" doc:"End of the period, in Unix ms."`
	ClaimBy  int64          `json:"claimBy" doc:"Until when it can be claimed, in Unix ms."`
	Currency string         `json:"currency"`
	Level    int64          `json:"level" doc:"The caller's VIP level."`
	List     []CategoryView `json:"list" doc:"Categories with a rate."`
	Turnover rest.Amount    `json:"turnover" doc:"Of all categories with a rate."`
	Amount   rest.Amount    `json:"amount" doc:"What can be claimed, or was claimed."`
	Min      rest.Amount    `json:"min" doc:"The least that can be claimed."`
	State    string         `json:"state" enum:"open,claimed,none" doc:"open: it can be claimed; none: too little."`
	Running  rest.Amount    `json:"running" doc:"Cash back of the current period up to now."`
	History  []ClaimView    `json:"history" doc:"The newest 60 claims."`
}

// A span is a cash back period.
type span struct{ from, to, claimBy time.Time }

func (p span) name() string { return p.from.Format(time.DateOnly) }

// lastSpan returns the last complete period. Its cash back can be claimed until the current period ends.
func (r *CashBackRule) lastSpan(now time.Time, currency string) span {
	to, days := startOfDay(now, currency), 1
	if r.Every == "week" {
		to, days = to.AddDate(0, 0, -(int(to.Weekday())+6)%7), 7
	}
	return span{to.AddDate(0, 0, -days), to, to.AddDate(0, 0, days)}
}

// coveredUntil returns the end of a claimed period: a day, or the rest of a week. A day can only be claimed on the next day, a week only
// after its end.
func coveredUntil(claim query.CashBack, currency string) (time.Time, error) {
	from, err := time.ParseInLocation(time.DateOnly, claim.Period, money.Zone(currency))
	if err != nil {
		return from, fmt.Errorf("read cash back: %w", err)
	}
	if claim.ClaimedAt < db.Millis(from.AddDate(0, 0, 2)) {
		return from.AddDate(0, 0, 1), nil
	}
	return from.AddDate(0, 0, (7-int(from.Weekday()))%7+1), nil
}

// unclaimed returns the part of a period after the member's claims, which may be of periods of another length. It is empty if the
// period was claimed.
func (p span) unclaimed(claims []query.CashBack, currency string) (span, error) {
	for _, c := range claims {
		end, err := coveredUntil(c, currency)
		if err != nil {
			return p, err
		}
		if end.After(p.from) {
			p.from = end
		}
	}
	return p, nil
}

func (p span) empty() bool { return !p.from.Before(p.to) }

// A cashBackResult is the cash back for a member's stakes.
type cashBackResult struct {
	list     []categoryCashBack
	turnover money.Minor
	amount   money.Minor
}

type categoryCashBack struct {
	category         string
	turnover, amount money.Minor
	rate             int64
}

// compute returns the cash back for stakes by category. extra is added to each rate.
func (r *CashBackRule) compute(stakes map[string]money.Minor, extra int64) (b cashBackResult) {
	for _, category := range Categories {
		rate := r.Rates[category]
		if rate == 0 {
			continue
		}
		c := categoryCashBack{category: category, turnover: stakes[category], rate: rate + extra}
		c.amount = share(c.turnover, c.rate)
		b.list = append(b.list, c)
		b.turnover = min(b.turnover+min(c.turnover, ledger.MaxAmount), ledger.MaxAmount)
		b.amount = min(b.amount+c.amount, ledger.MaxAmount)
	}
	if r.Most != 0 {
		b.amount = min(b.amount, r.Most)
	}
	if b.amount < r.Least {
		b.amount = 0
	}
	return b
}

func (s *Service) stakes(ctx context.Context, q *query.Queries, memberID int64, from, to time.Time) (map[string]money.Minor, error) {
	rows, err := q.TurnoverByCategory(ctx, memberID, db.Millis(from), db.Millis(to))
	if err != nil {
		return nil, fmt.Errorf("read stakes: %w", err)
	}
	stakes := map[string]money.Minor{}
	for _, r := range rows {
		stakes[r.Category] = money.SplitSum{High: r.High, Low: r.Low}.Minor()
	}
	return stakes, nil
}

// cashBackRule returns the rule, or ErrOff if the merchant has disabled cash back.
func (s *Service) cashBackRule(ctx context.Context, who Member) (Rule, error) {
	enabled, err := s.o.Switches.CashBack(ctx, who.MerchantID)
	if err == nil && !enabled {
		err = ErrOff
	}
	if err != nil {
		return Rule{}, err
	}
	return s.enabledRule(ctx, who, CashBack)
}

// vipExtra returns a member's VIP level and the rate that it adds.
func (s *Service) vipExtra(ctx context.Context, q *query.Queries, who Member, now time.Time) (level, extra int64, err error) {
	vip, err := s.Rule(ctx, who.MerchantID, VIP)
	if err != nil || !vip.Enabled || vip.Currency != who.Currency {
		return 0, 0, err
	}
	m, err := s.loadRank(ctx, q, vip.VIP, who.ID, now)
	if err != nil || m.level == 0 {
		return 0, 0, err
	}
	return m.level, vip.VIP.Levels[m.level-1].Extra, nil
}

// CashBack returns a member's cash back.
func (s *Service) CashBack(ctx context.Context, who Member) (CashBackView, error) {
	rule, err := s.cashBackRule(ctx, who)
	if err != nil {
		return CashBackView{}, err
	}
	return s.cashBackView(ctx, s.o.Store.Q(), who, rule, s.o.Now())
}

func (s *Service) cashBackView(ctx context.Context, q *query.Queries, who Member, rule Rule, now time.Time) (CashBackView, error) {
	none := CashBackView{}
	c, err := money.Find(rule.Currency)
	if err != nil {
		return none, rest.ErrSystem.Because(err)
	}
	level, extra, err := s.vipExtra(ctx, q, who, now)
	if err != nil {
		return none, err
	}
	history, err := q.CashBacks(ctx, who.ID)
	if err != nil {
		return none, fmt.Errorf("read cash back: %w", err)
	}
	period := rule.CashBack.lastSpan(now, rule.Currency)
	unclaimed, err := period.unclaimed(history, rule.Currency)
	if err != nil {
		return none, err
	}
	isClaimed := unclaimed.empty()
	if !isClaimed {
		period = unclaimed
	}
	stakes, err := s.stakes(ctx, q, who.ID, period.from, period.to)
	if err != nil {
		return none, err
	}
	runningStakes, err := s.stakes(ctx, q, who.ID, period.to, now.Add(time.Millisecond))
	if err != nil {
		return none, err
	}
	due := rule.CashBack.compute(stakes, extra)
	running := rule.CashBack.compute(runningStakes, extra)
	amount := func(m money.Minor) rest.Amount { return rest.AmountOf(c, m) }
	v := CashBackView{
		Every: rule.CashBack.Every, Period: period.name(), From: db.Millis(period.from), To: db.Millis(period.to), ClaimBy: db.Millis(period.claimBy), Currency: rule.Currency,
		Level: level, List: []CategoryView{}, Turnover: amount(due.turnover), Amount: amount(due.amount), Min: amount(rule.CashBack.Least), State: "open",
		Running: amount(running.amount), History: []ClaimView{},
	}
	if due.amount == 0 {
		v.State = "none"
	}
	for _, row := range due.list {
		v.List = append(v.List, CategoryView{row.category, amount(row.turnover), percentText(row.rate), amount(row.amount)})
	}
	for _, h := range history {
		v.History = append(v.History, ClaimView{h.Period, amount(money.Minor(h.Turnover)), amount(money.Minor(h.Amount)), h.ClaimedAt})
	}
	if isClaimed { // by the newest claim
		v.State, v.Amount = "claimed", v.History[0].Amount
	}
	return v, nil
}

// ClaimCashBack credits the cash back of the last complete period, once.
func (s *Service) ClaimCashBack(ctx context.Context, who Member, key string) (CashBackView, error) {
	rule, err := s.cashBackRule(ctx, who)
	if err != nil {
		return CashBackView{}, err
	}
	request := idempotency.Request{Owner: idempotency.Member(who.ID), Call: "claimRebate", Key: key}
	return idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (CashBackView, error) {
		none := CashBackView{}
		now, err := s.o.Time(ctx, tx)
		if err != nil {
			return none, err
		}
		if err := tx.Q.LockMember(ctx, who.ID); err != nil { // so that a member's claims run one after another
			return none, fmt.Errorf("lock member: %w", err)
		}
		claims, err := tx.Q.CashBacks(ctx, who.ID)
		if err != nil {
			return none, fmt.Errorf("read cash back: %w", err)
		}
		period, err := rule.CashBack.lastSpan(now, rule.Currency).unclaimed(claims, rule.Currency)
		if err != nil {
			return none, err
		}
		if period.empty() {
			return none, ErrClaimed
		}
		added, err := tx.Q.AddCashBack(ctx, who.ID, period.name(), db.Millis(now))
		if err != nil {
			return none, fmt.Errorf("add cash back: %w", err)
		}
		if added == 0 {
			return none, ErrClaimed
		}
		_, extra, err := s.vipExtra(ctx, tx.Q, who, now)
		if err != nil {
			return none, err
		}
		stakes, err := s.stakes(ctx, tx.Q, who.ID, period.from, period.to)
		if err != nil {
			return none, err
		}
		due := rule.CashBack.compute(stakes, extra)
		if due.amount == 0 {
			return none, ErrNothing
		}
		reward, err := s.o.Rewards.PayIn(ctx, tx, who, promo.Gift{PromotionID: rule.PromotionID, Period: period.name(), Amount: due.amount})
		if err != nil {
			return none, err
		}
		err = tx.Q.SetCashBack(ctx, query.SetCashBackParams{
			MemberID: who.ID, Period: period.name(), Turnover: int64(due.turnover), Amount: int64(due.amount), RewardID: reward,
		})
		if err != nil {
			return none, fmt.Errorf("set cash back: %w", err)
		}
		return s.cashBackView(ctx, tx.Q, who, rule, now)
	})
}
