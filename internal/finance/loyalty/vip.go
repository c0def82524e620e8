package loyalty

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairground/internal/finance/limits"
	"fairground/internal/finance/promo"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// A LevelView is a VIP level.
type LevelView struct {
	Level    int64       `json:"level"`
	Name     string      `json:"name"`
	Turnover rest.Amount `json:"turnover" doc:"Stakes that reach it."`
	Percent  rest.Amount `json:"percent" doc:"Added to each rate of cash back."`
	Reward   rest.Amount `json:"reward" doc:"Paid once, when the level is reached first."`
	State    string      `json:"state" enum:"passed,current,ahead"`
}

// A RankView is a member's VIP level and progress.
type RankView struct {
	Level    int64       `json:"level"`
	Name     string      `json:"name" doc:"Such as VIP 3."`
	Days     int64       `json:"days" doc:"Stakes of so many days count. 0: all."`
	Until    int64       `json:"until" doc:"The level is kept at least until then, in Unix ms. 0: no end."`
	Currency string      `json:"currency"`
	Turnover rest.Amount `json:"turnover" doc:"Stakes of settled rounds, less refunds."`
	Next     rest.Amount `json:"next" doc:"Stakes for the next level. 0: there is none."`
	Left     rest.Amount `json:"left" doc:"Stakes that are missing for the next level."`
	Levels   []LevelView `json:"levels" doc:"From level 0."`
}

// levelName returns the name of a level. The page header shows it.
func levelName(level int64) string { return "VIP " + formatID(level) }

// levelFor returns the level that the stakes reach.
func (r *VIPRule) levelFor(turnover money.Minor) (level int64) {
	for i, l := range r.Levels {
		if turnover >= l.Turnover {
			level = int64(i) + 1
		}
	}
	return level
}

// levelEnd returns the end of a level that a member reaches now, or 0 if levels do not expire.
func (r *VIPRule) levelEnd(now time.Time) int64 {
	if r.Days == 0 {
		return 0
	}
	return db.Millis(now.AddDate(0, 0, int(r.Days)))
}

// A rank is a member's level with its end and the stakes that count.
type rank struct {
	level    int64
	until    int64
	turnover money.Minor
}

// loadRank returns a member's rank. A member keeps a level until its end, even if the stakes no longer reach it.
func (s *Service) loadRank(ctx context.Context, q *query.Queries, rule *VIPRule, memberID int64, now time.Time) (rank, error) {
	row, err := q.VIPMember(ctx, memberID)
	if _, err = db.Found("read level", err); err != nil {
		return rank{}, err
	}
	turnover, err := s.turnover(ctx, q, rule, memberID, now)
	return rule.rankFor(row, turnover, now), err
}

func (r *VIPRule) rankFor(row query.VipMember, turnover money.Minor, now time.Time) rank {
	m := rank{level: min(row.Level, int64(len(r.Levels))), until: row.Until, turnover: turnover}
	reached := r.levelFor(turnover)
	if r.Days == 0 { // levels do not expire
		return rank{level: max(reached, m.level), turnover: turnover}
	}
	if reached > m.level || m.until <= db.Millis(now) {
		m.level, m.until = reached, r.levelEnd(now)
	}
	if m.level == 0 {
		m.until = 0
	}
	return m
}

// turnover returns the stakes that count for the level.
func (s *Service) turnover(ctx context.Context, q *query.Queries, rule *VIPRule, memberID int64, now time.Time) (money.Minor, error) {
	since := int64(0)
	if rule.Days != 0 {
		since = db.Millis(now.AddDate(0, 0, -int(rule.Days)))
	}
	sum, err := q.TurnoverSince(ctx, memberID, since)
	if err != nil {
		return 0, fmt.Errorf("read stakes: %w", err)
	}
	return money.SplitSum{High: sum.High, Low: sum.Low}.Minor(), nil
}

// Rank returns a member's level and progress. Trial members have level 0.
func (s *Service) Rank(ctx context.Context, who Member, trial bool) (RankView, error) {
	rule, err := s.Rule(ctx, who.MerchantID, VIP)
	if err == nil && (!rule.Enabled || !trial && rule.Currency != who.Currency) { // trial members have play money
		err = ErrOff
	}
	if err != nil {
		return RankView{}, err
	}
	c, err := money.Find(rule.Currency)
	if err != nil {
		return RankView{}, rest.ErrSystem.Because(err)
	}
	var m rank
	if !trial {
		if m, err = s.loadRank(ctx, s.o.Store.Q(), rule.VIP, who.ID, s.o.Now()); err != nil {
			return RankView{}, err
		}
	}
	amount := func(n money.Minor) rest.Amount { return rest.AmountOf(c, n) }
	v := RankView{
		Level: m.level, Name: levelName(m.level), Days: rule.VIP.Days, Until: m.until, Currency: rule.Currency, Turnover: amount(m.turnover), Next: amount(0), Left: amount(0),
		Levels: []LevelView{{Name: levelName(0), Turnover: amount(0), Percent: percentText(0), Reward: amount(0)}},
	}
	for i, l := range rule.VIP.Levels {
		level := int64(i) + 1
		v.Levels = append(v.Levels, LevelView{Level: level, Name: levelName(level), Turnover: amount(l.Turnover), Percent: percentText(l.Extra), Reward: amount(l.Reward)})
		if level == m.level+1 {
			v.Next, v.Left = amount(l.Turnover), amount(max(0, l.Turnover-m.turnover))
		}
	}
	for i := range v.Levels {
		l := &v.Levels[i]
		switch {
		case l.Level < m.level:
			l.State = "passed"
		case l.Level == m.level:
			l.State = "current"
		default:
			l.State = "ahead"
		}
	}
	return v, nil
}

// overlap is how far the job looks back, because a round may settle after the job has read it. A round that takes longer counts
// when the member plays the next round.
const overlap = 10 * time.Minute

// idsPerMs is the increase of ids per millisecond.
const idsPerMs = 1 << 22

// evaluateLevels raises the levels of members who played, and ends levels that have expired.
func (s *Service) evaluateLevels(ctx context.Context, rule Rule) error {
	seen := map[int64]bool{}
	last := max(0, rule.evaluated-overlap.Milliseconds()*idsPerMs)
	for {
		rows, err := s.o.Store.Q().MembersOfRounds(ctx, last)
		if err != nil {
			return fmt.Errorf("read rounds: %w", err)
		}
		for _, r := range rows {
			last = r.FirstID
			if seen[r.MemberID] || r.MerchantID != rule.MerchantID || r.Currency != rule.Currency || !rest.MemberType(r.Type).Real() {
				continue
			}
			seen[r.MemberID] = true
			if err := s.Evaluate(ctx, rule, r.MemberID); err != nil {
				return err
			}
		}
		if len(rows) == 0 {
			break
		}
	}
	for after := int64(0); ; {
		ids, err := s.o.Store.Q().VIPMembersUntil(ctx, rule.MerchantID, db.Millis(s.o.Now()), after)
		if err != nil {
			return fmt.Errorf("read levels: %w", err)
		}
		for _, id := range ids {
			after = id
			if err := s.Evaluate(ctx, rule, id); err != nil {
				return err
			}
		}
		if len(ids) == 0 {
			break
		}
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.SetLoyaltyEvaluated(ctx, rule.MerchantID, VIP, last) })
}

// Evaluate sets a member's level and grants the reward of each level that is reached for the first time. It can be repeated at any
// time. Members on a break keep their level and get no reward.
func (s *Service) Evaluate(ctx context.Context, rule Rule, memberID int64) error {
	paused, err := s.onBreak(ctx, memberID)
	if err != nil {
		return err
	}
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		row, err := tx.Q.LockVIPMember(ctx, memberID, rule.MerchantID)
		if err != nil {
			return fmt.Errorf("lock level: %w", err)
		}
		now, err := s.o.Time(ctx, tx)
		if err != nil {
			return err
		}
		turnover, err := s.turnover(ctx, tx.Q, rule.VIP, memberID, now)
		if err != nil {
			return err
		}
		m := rule.VIP.rankFor(row, turnover, now)
		if paused && m.level > row.Level || m.level == row.Level && m.until == row.Until {
			return nil
		}
		for level := row.Level + 1; level <= m.level; level++ {
			reward := rule.VIP.Levels[level-1].Reward
			if reward == 0 {
				continue
			}
			gift := promo.Gift{PromotionID: rule.PromotionID, Period: "level/" + formatID(level), Amount: reward}
			if err := s.o.Rewards.GrantIn(ctx, tx, memberID, gift, ""); err != nil {
				return err
			}
		}
		return s.setLevelIn(ctx, tx, memberID, row, m, now)
	})
}

func (s *Service) setLevelIn(ctx context.Context, tx *db.Tx, memberID int64, row query.VipMember, m rank, now time.Time) error {
	if m.level != row.Level {
		row.ReachedAt = db.Millis(now)
		if err := s.o.Members.LabelIn(ctx, tx, memberID, levelName(m.level)); err != nil {
			return err
		}
	}
	err := tx.Q.SetVIPMember(ctx, query.SetVIPMemberParams{MemberID: memberID, Level: m.level, ReachedAt: row.ReachedAt, Until: m.until})
	if err != nil {
		return fmt.Errorf("set level: %w", err)
	}
	return nil
}

// StartAtIn sets a member's first level without a reward. It does nothing if the member already had a level.
func (s *Service) StartAtIn(ctx context.Context, tx *db.Tx, rule Rule, memberID, level int64) error {
	row, err := tx.Q.LockVIPMember(ctx, memberID, rule.MerchantID)
	if err != nil {
		return fmt.Errorf("lock level: %w", err)
	}
	if row.ReachedAt != 0 {
		return nil
	}
	now := s.o.Now()
	return s.setLevelIn(ctx, tx, memberID, row, rank{level: level, until: rule.VIP.levelEnd(now)}, now)
}

// onBreak reports whether a member is on a break or held.
func (s *Service) onBreak(ctx context.Context, memberID int64) (bool, error) {
	err := s.o.Limits.Check(ctx, memberID)
	if errors.Is(err, limits.ErrExcluded) || errors.Is(err, limits.ErrHeld) {
		return true, nil
	}
	return false, err
}
