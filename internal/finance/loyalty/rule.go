package loyalty

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/fault"
	"fairground/internal/finance/promo"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

// Kinds of rules. They are stored.
const (
	CheckIn  = promo.CheckIn
	CashBack = promo.CashBack
	VIP      = promo.VIP
	Referral = promo.Referral
)

// Kinds lists the kinds of rules.
var Kinds = []string{CheckIn, CashBack, VIP, Referral}

// Categories lists the game categories for which cash back can have a rate.
var Categories = []string{spec.Slots, spec.Fishing, spec.Live, spec.Sports, spec.Cards, spec.Esports, spec.Lottery, spec.FastLottery, spec.JadeLantern}

// Faults of operators' calls.
var (
	ErrUnknownRule = fault.ForOperators(fault.NotFound, "loyalty.unknown")
	ErrMalformed   = fault.ForOperators(fault.Invalid, "loyalty.malformed")
)

// Week is the number of check-ins after which the amounts start again.
const Week = 7

// A CheckInRule sets the amount for each day of a week of check-ins. The last day is the weekly gift.
type CheckInRule struct {
	Amounts []money.Minor `json:"amounts"`
}

// A CashBackRule sets the share of their stakes that members get back.
type CashBackRule struct {
	Every string           `json:"every"` // day, week
	Rates map[string]int64 `json:"rates"` // by category, in hundredths of a percent
	Least money.Minor      `json:"least"` // minimum amount that can be claimed
	Most  money.Minor      `json:"most"`  // maximum in each period; 0: no limit
}

// A Level is a VIP level.
type Level struct {
	Turnover money.Minor `json:"turnover"` // stakes that reach the level
	Reward   money.Minor `json:"reward"`   // paid once, when the member first reaches the level
	Extra    int64       `json:"extra"`    // added to each cash back rate, in hundredths of a percent
}

// A VIPRule has the levels above level 0.
type VIPRule struct {
	Days   int64   `json:"days"` // days for which stakes count and a level lasts; 0: all stakes count, and levels do not expire
	Levels []Level `json:"levels"`
}

// A ReferralRule sets the reward for an invited member and its conditions.
type ReferralRule struct {
	Reward   money.Minor `json:"reward"`
	Deposit  money.Minor `json:"deposit"`  // of the invited member, in total
	Turnover money.Minor `json:"turnover"` // of the invited member
	Days     int64       `json:"days"`     // days after registration to reach both
	Most     int64       `json:"most"`     // maximum rewards in a month; 0: no limit
}

// A Rule is a merchant's rule of one kind. Only the field of its kind is set.
type Rule struct {
	MerchantID  int64         `json:"-"`
	Kind        string        `json:"kind"`
	PromotionID int64         `json:"-"`
	Currency    string        `json:"currency"`
	Enabled     bool          `json:"enabled"`
	CheckIn     *CheckInRule  `json:"checkIn,omitempty"`
	CashBack    *CashBackRule `json:"cashBack,omitempty"`
	VIP         *VIPRule      `json:"vip,omitempty"`
	Referral    *ReferralRule `json:"referral,omitempty"`
	Version     int64         `json:"version"`

	since     int64 // when the rule was last enabled, in Unix ms
	evaluated int64 // id of the last round that was evaluated for levels
}

// kindFields returns a pointer to the fields of the rule's kind.
func (r *Rule) kindFields() any {
	switch r.Kind {
	case CheckIn:
		return r.CheckIn
	case CashBack:
		return r.CashBack
	case VIP:
		return r.VIP
	}
	return r.Referral
}

// newRule returns a disabled rule without values.
func newRule(merchantID int64, kind, currency string) Rule {
	r := Rule{MerchantID: merchantID, Kind: kind, Currency: currency}
	switch kind {
	case CheckIn:
		r.CheckIn = &CheckInRule{Amounts: make([]money.Minor, Week)}
	case CashBack:
		r.CashBack = &CashBackRule{Every: "day", Rates: map[string]int64{}}
	case VIP:
		r.VIP = &VIPRule{Days: 90, Levels: []Level{}}
	case Referral:
		r.Referral = &ReferralRule{Days: 30}
	}
	return r
}

func ruleOf(row query.LoyaltyRule) (Rule, error) {
	r := newRule(row.MerchantID, row.Kind, row.Currency)
	r.PromotionID, r.Enabled, r.Version, r.since, r.evaluated = row.PromotionID, row.Enabled, row.Version, row.Since, row.Evaluated
	if err := json.Unmarshal([]byte(row.Rule), r.kindFields()); err != nil {
		return r, fmt.Errorf("decode the rule %s: %w", row.Kind, err)
	}
	return r, nil
}

const (
	maxRate   = 1_000 // 10 %
	maxDays   = 366
	maxLevels = 20
)

// check returns an error if a value is invalid.
func (r *Rule) check() error {
	validAmount := func(m money.Minor) bool { return m >= 0 && m <= ledger.MaxAmount }
	validRate := func(n int64) bool { return n >= 0 && n <= maxRate }
	malformed := func(field string) error { return ErrMalformed.On(field) }
	switch r.Kind {
	case CheckIn:
		if r.CheckIn == nil || len(r.CheckIn.Amounts) != Week || slices.ContainsFunc(r.CheckIn.Amounts, func(m money.Minor) bool { return !validAmount(m) }) {
			return malformed("checkIn")
		}
	case CashBack:
		c := r.CashBack
		if c == nil || c.Every != "day" && c.Every != "week" || !validAmount(c.Least) || !validAmount(c.Most) || c.Most != 0 && c.Most < c.Least {
			return malformed("cashBack")
		}
		for category, n := range c.Rates {
			if !slices.Contains(Categories, category) || !validRate(n) {
				return malformed("cashBack.rates")
			}
		}
	case VIP:
		if r.VIP == nil || r.VIP.Days < 0 || r.VIP.Days > maxDays || len(r.VIP.Levels) > maxLevels {
			return malformed("vip")
		}
		previous := money.Minor(0)
		for _, l := range r.VIP.Levels {
			if l.Turnover <= previous || !validAmount(l.Turnover) || !validAmount(l.Reward) || !validRate(l.Extra) {
				return malformed("vip.levels")
			}
			previous = l.Turnover
		}
	case Referral:
		f := r.Referral
		if f == nil || !validAmount(f.Reward) || !validAmount(f.Deposit) || !validAmount(f.Turnover) || f.Days < 1 || f.Days > maxDays || f.Most < 0 || r.Enabled && f.Deposit == 0 && f.Turnover == 0 {
			return malformed("referral")
		}
	default:
		return ErrUnknownRule
	}
	return nil
}

// Rules returns a merchant's rules, one of each kind.
func (s *Service) Rules(ctx context.Context, merchantID int64) ([]Rule, error) {
	all := make([]Rule, len(Kinds))
	for i, kind := range Kinds {
		var err error
		if all[i], err = s.Rule(ctx, merchantID, kind); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Rule returns a merchant's rule. A missing rule is disabled and has version 0.
func (s *Service) Rule(ctx context.Context, merchantID int64, kind string) (Rule, error) {
	if !slices.Contains(Kinds, kind) {
		return Rule{}, ErrUnknownRule
	}
	row, err := s.o.Store.Q().LoyaltyRule(ctx, merchantID, kind)
	found, err := db.Found("read rule", err)
	if err != nil {
		return Rule{}, err
	}
	if found {
		return ruleOf(row)
	}
	c, err := s.o.Currency(ctx, merchantID)
	if err != nil {
		return Rule{}, err
	}
	return newRule(merchantID, kind, c.Code), nil
}

// enabledRule returns the rule, or ErrOff if it is disabled or has another currency than the member.
func (s *Service) enabledRule(ctx context.Context, who Member, kind string) (Rule, error) {
	r, err := s.Rule(ctx, who.MerchantID, kind)
	if err == nil && !r.Enabled {
		err = ErrOff
	}
	if err == nil && r.Currency != who.Currency {
		err = ErrOff.Because(errors.New("the member has another currency than the rule"))
	}
	return r, err
}

// SaveIn stores a rule. It fails if r.Version is not the current version. The first time, it also creates the promotion of the
// rule's rewards.
func (s *Service) SaveIn(ctx context.Context, tx *db.Tx, r Rule) (before *Rule, after Rule, err error) {
	if err := r.check(); err != nil {
		return nil, r, err
	}
	encoded, err := json.Marshal(r.kindFields())
	if err != nil {
		return nil, r, err
	}
	if _, err := tx.Q.LockMerchant(ctx, r.MerchantID); err != nil { // so that two concurrent changes cannot both create the rule
		return nil, r, fmt.Errorf("lock merchant: %w", err)
	}
	row, err := tx.Q.LoyaltyRule(ctx, r.MerchantID, r.Kind)
	found, err := db.Found("read rule", err)
	if err != nil {
		return nil, r, err
	}
	if row.Version != r.Version { // a rule that does not exist has version 0
		return nil, r, rest.ErrStale
	}
	now := db.Millis(s.o.Now())
	r.since = row.Since
	if r.Enabled && !row.Enabled {
		r.since = now
	}
	r.Version++
	if !found {
		p, err := s.o.Rewards.CreateIn(ctx, tx, rewardPromotion(r.MerchantID, r.Kind, r.Currency))
		if err != nil {
			return nil, r, err
		}
		r.PromotionID = p.ID
		err = tx.Q.AddLoyaltyRule(ctx, query.AddLoyaltyRuleParams{
			MerchantID: r.MerchantID, Kind: r.Kind, PromotionID: p.ID, Currency: r.Currency, Enabled: r.Enabled, Rule: string(encoded), Since: r.since,
		})
		return nil, r, err
	}
	old, err := ruleOf(row)
	if err != nil {
		return nil, r, err
	}
	r.PromotionID, r.Currency, r.evaluated = row.PromotionID, row.Currency, row.Evaluated
	n, err := tx.Q.ChangeLoyaltyRule(ctx, query.ChangeLoyaltyRuleParams{
		MerchantID: r.MerchantID, Kind: r.Kind, Enabled: r.Enabled, Rule: string(encoded), Since: r.since, Version: row.Version,
	})
	if err == nil && n == 0 {
		err = rest.ErrStale
	}
	return &old, r, err
}

// An auditedRule is a rule in the audit log.
type auditedRule struct {
	Rule

	Reason string `json:"reason,omitempty"`
}

// save stores a rule that an operator edited.
func (s *Service) save(ctx context.Context, r Rule, reason string) error {
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		before, saved, err := s.SaveIn(ctx, tx, r)
		if err != nil {
			return err
		}
		entry := audit.Entry{
			MerchantID: r.MerchantID, Permission: string(permission.PromotionEdit), Action: ActionEdit, Object: "loyalty/" + r.Kind, After: auditedRule{saved, reason},
		}
		if before != nil {
			entry.Before = before
		}
		if err := audit.Append(ctx, tx, s.o.Now(), entry); err != nil {
			return err
		}
		return s.o.Screens.ChangedOf(ctx, tx, r.MerchantID, "loyalty", r.Kind)
	})
}

// claimDays is the number of days in which members can claim a reward for a level or a referral.
const claimDays = 30

// rewardPromotion returns the promotion for the rewards of a rule.
func rewardPromotion(merchantID int64, kind, currency string) promo.Promotion {
	p := promo.Promotion{MerchantID: merchantID, Kind: kind, Currency: currency, Payout: promo.Cash, ClaimDays: claimDays, Days: 1, Published: true}
	text := func(vi, en, ur, pt string) promo.Texts {
		return promo.Texts{"vi": {Title: vi}, "en": {Title: en}, "ur": {Title: ur}, "pt": {Title: pt}}
	}
	switch kind {
	case CheckIn:
		p.Code, p.Category, p.Texts = "loyalty-check-in", "event", text("Điểm danh", "Check-in", "چیک اِن", "Check-in")
	case CashBack:
		p.Code, p.Category, p.Texts = "loyalty-cash-back", "cashback", text("Hoàn trả", "Cash back", "کیش بیک", "Cashback")
	case VIP:
		p.Code, p.Category, p.Texts = "loyalty-vip", "vip", text("Thưởng lên hạng VIP", "VIP level reward", "وی آئی پی درجے کا انعام", "Prêmio de nível VIP")
	case Referral:
		p.Code, p.Category, p.Texts = "loyalty-referral", "event", text("Thưởng mời bạn bè", "Reward for an invited friend", "دوست کو مدعو کرنے کا انعام", "Prêmio por convidar um amigo")
	}
	return p
}
