package promo

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/rest"
)

// Faults of operators' calls.
var (
	ErrMalformed = fault.ForOperators(fault.Invalid, "promotion.malformed")
	ErrTaken     = fault.ForOperators(fault.Conflict, "promotion.taken")
)

// Categories of promotions, in the order of the app.
var Categories = []string{"deposit", "cashback", "event", "vip"}

// A Text is a promotion's title and terms in one language.
type Text struct {
	Title string `json:"title"`
	Terms string `json:"terms"`
}

// Texts are a promotion's texts by language.
type Texts map[string]Text

var languages = []string{"vi", "en", "ur", "pt"}

func textsOf(encoded string) (Texts, error) {
	var t Texts
	if err := json.Unmarshal([]byte(encoded), &t); err != nil {
		return nil, fmt.Errorf("decode texts of promotion: %w", err)
	}
	return t, nil
}

// in returns the text in a language, else in English or Vietnamese.
func (t Texts) in(language string) Text {
	for _, l := range []string{language, "en", "vi"} {
		if t[l].Title != "" {
			return t[l]
		}
	}
	return Text{}
}

// A Promotion is a rule that grants rewards.
type Promotion struct {
	ID, MerchantID int64
	Code           string // identifies the promotion; members do not type it
	Kind           string
	Category       string
	Currency       string
	Texts          Texts
	Image          string
	Payout         string
	Rate           int64 // hundredths of a percent of the deposit or loss
	Amount         money.Minor
	Least          money.Minor // minimum deposit or loss
	Most           money.Minor // maximum reward; 0: no limit
	Wagering       int64       // how many times a bonus must be staked
	Every          string      // a member gets one reward per day or week; "": once
	PromoCode      string      // members type it to get the reward; only for the kind PromoCode
	MaxRewards     int64
	ClaimDays      int64 // days to claim a reward
	Days           int64 // days to stake a bonus
	StartsAt       int64
	EndsAt         int64
	ApplyBy        int64
	Published      bool
	Sorting        int64
	Version        int64

	grantedUntil int64 // Unix ms; the job has granted the rewards up to this time
}

func promotionOf(r query.Promotion) (Promotion, error) {
	texts, err := textsOf(r.Texts)
	return Promotion{
		ID: r.ID, MerchantID: r.MerchantID, Code: r.Code, Kind: r.Kind, Category: r.Category, Currency: r.Currency, Texts: texts, Image: r.Image,
		Payout: r.Payout, Rate: r.Rate, Amount: money.Minor(r.Amount), Least: money.Minor(r.Least), Most: money.Minor(r.Most), Wagering: r.Wagering,
		Every: r.Every, PromoCode: r.PromoCode, MaxRewards: r.MaxRewards, ClaimDays: r.ClaimDays, Days: r.Days, StartsAt: r.StartsAt, EndsAt: r.EndsAt,
		ApplyBy: r.ApplyBy, Published: r.Published, Sorting: r.Sorting, Version: r.Version, grantedUntil: r.EvaluatedAt,
	}, err
}

// Open reports whether the promotion runs at the given time, in Unix ms.
func (p *Promotion) Open(now int64) bool {
	return p.Published && p.StartsAt <= now && (p.EndsAt == 0 || now < p.EndsAt)
}

// takesApplications reports whether members can still apply or enter the code.
func (p *Promotion) takesApplications(now int64) bool {
	return p.Open(now) && (p.ApplyBy == 0 || now < p.ApplyBy)
}

// status returns draft, scheduled, published or ended.
func (p *Promotion) status(now int64) string {
	switch {
	case !p.Published:
		return "draft"
	case now < p.StartsAt:
		return "scheduled"
	case p.EndsAt != 0 && now >= p.EndsAt:
		return "ended"
	}
	return "published"
}

const rateUnit = 10_000

// rewardFor returns the reward for a deposit or loss, or 0 if the deposit or loss is too small.
func (p *Promotion) rewardFor(base money.Minor) money.Minor {
	if base < p.Least {
		return 0
	}
	reward := p.Amount
	if reward == 0 {
		base = min(base, ledger.MaxAmount)
		reward = base/rateUnit*money.Minor(p.Rate) + base%rateUnit*money.Minor(p.Rate)/rateUnit
	}
	if p.Most != 0 {
		reward = min(reward, p.Most)
	}
	return min(reward, ledger.MaxAmount)
}

// period returns the name of the period that contains a time. A member gets one reward per period.
func (p *Promotion) period(at time.Time) string {
	at = at.In(money.Zone(p.Currency))
	switch {
	case p.Kind == Birthday:
		return at.Format("2006")
	case p.Every == "day":
		return at.Format(time.DateOnly)
	case p.Every == "week":
		year, week := at.ISOWeek()
		return fmt.Sprintf("%d-W%02d", year, week)
	}
	return once
}

// periodStart returns the start of the day or week that contains a time.
func (p *Promotion) periodStart(at time.Time) time.Time {
	day := p.dayStart(at)
	if p.Every == "week" {
		return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
	}
	return day
}

// dayStart returns the start of the day that contains a time.
func (p *Promotion) dayStart(at time.Time) time.Time {
	at = at.In(money.Zone(p.Currency))
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())
}

var (
	codePattern      = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{1,47}$`)
	promoCodePattern = regexp.MustCompile(`^[A-Z0-9]{3,24}$`)
)

const (
	maxRate  = 100_000
	maxDays  = 365
	maxTitle = 120
	maxTerms = 4000
)

// check returns an error if a field is invalid or does not fit the kind.
func (p *Promotion) check() error {
	malformed := func(field string) error { return ErrMalformed.On(field) }
	byRate := slices.Contains([]string{FirstDeposit, Reload, LossRebate}, p.Kind)
	isLoyalty := slices.Contains(loyaltyKinds, p.Kind)
	switch {
	case !codePattern.MatchString(p.Code):
		return malformed("code")
	case !slices.Contains([]string{FirstDeposit, Reload, LossRebate, Birthday, PromoCode, Grant, Application}, p.Kind) && !isLoyalty:
		return malformed("kind")
	case !slices.Contains(Categories, p.Category):
		return malformed("category")
	case p.Payout != Cash && p.Payout != Bonus, isLoyalty && p.Payout != Cash:
		return malformed("payout")
	case p.Payout == Cash && p.Wagering != 0, p.Payout == Bonus && (p.Wagering < 1 || p.Wagering > MaxWagering):
		return malformed("wagering")
	case p.Rate < 0 || p.Rate > maxRate || p.Rate > 0 && (!byRate || p.Amount > 0) || p.Rate == 0 && p.Amount == 0 && p.Kind != Grant && p.Kind != Application && !isLoyalty:
		return malformed("rate")
	case p.Amount < 0 || p.Amount > ledger.MaxAmount:
		return malformed("amount")
	case p.Least < 0 || p.Least > ledger.MaxAmount:
		return malformed("least")
	case p.Most < 0 || p.Most > ledger.MaxAmount || p.Rate > 0 && p.Most == 0:
		return malformed("most")
	case !slices.Contains([]string{"", "day", "week"}, p.Every) || p.Kind == LossRebate && p.Every == "" || p.Kind == FirstDeposit && p.Every != "":
		return malformed("every")
	case p.Kind == PromoCode && !promoCodePattern.MatchString(p.PromoCode) || p.Kind != PromoCode && p.PromoCode != "":
		return malformed("promoCode")
	case p.MaxRewards < 0:
		return malformed("maxRewards")
	case p.ClaimDays < 1 || p.ClaimDays > maxDays:
		return malformed("claimDays")
	case p.Days < 1 || p.Days > maxDays:
		return malformed("days")
	case p.EndsAt != 0 && p.EndsAt <= p.StartsAt:
		return malformed("endsAt")
	case p.ApplyBy != 0 && (p.ApplyBy <= p.StartsAt || p.EndsAt != 0 && p.ApplyBy > p.EndsAt):
		return malformed("applyBy")
	}
	if p.Texts["vi"].Title == "" && p.Texts["en"].Title == "" {
		return malformed("texts")
	}
	for l, t := range p.Texts {
		if !slices.Contains(languages, l) || utf8.RuneCountInString(t.Title) > maxTitle || utf8.RuneCountInString(t.Terms) > maxTerms || t.Title == "" && t.Terms != "" {
			return malformed("texts")
		}
	}
	if p.Image != "" && !strings.HasPrefix(p.Image, "/") {
		return malformed("image")
	}
	return nil
}

// CreateIn stores a new promotion.
func (s *Service) CreateIn(ctx context.Context, tx *db.Tx, p Promotion) (Promotion, error) {
	p.PromoCode = strings.ToUpper(strings.TrimSpace(p.PromoCode))
	now := db.Millis(s.o.Now())
	if p.StartsAt == 0 {
		p.StartsAt = now
	}
	if err := p.check(); err != nil {
		return p, err
	}
	if _, err := tx.Q.LockMerchant(ctx, p.MerchantID); err != nil { // so that two requests cannot use the same code
		return p, fmt.Errorf("lock merchant: %w", err)
	}
	if err := s.checkTaken(ctx, tx, &p); err != nil {
		return p, err
	}
	texts, err := json.Marshal(p.Texts)
	if err != nil {
		return p, err
	}
	// The cleanup deletes uploaded pictures that nothing uses.
	if err := picture.KeepContentIn(ctx, tx, p.Image); err != nil {
		return p, err
	}
	p.ID, p.Version = s.o.IDs(), 1
	err = tx.Q.AddPromotion(ctx, query.AddPromotionParams{
		ID: p.ID, MerchantID: p.MerchantID, Code: p.Code, Kind: p.Kind, Category: p.Category, Currency: p.Currency, Texts: string(texts), Image: p.Image,
		Payout: p.Payout, Rate: p.Rate, Amount: int64(p.Amount), Least: int64(p.Least), Most: int64(p.Most), Wagering: p.Wagering, Every: p.Every,
		PromoCode: p.PromoCode, MaxRewards: p.MaxRewards, ClaimDays: p.ClaimDays, Days: p.Days, StartsAt: p.StartsAt, EndsAt: p.EndsAt, ApplyBy: p.ApplyBy,
		Published: p.Published, Sorting: p.Sorting, EvaluatedAt: max(p.StartsAt, now), CreatedAt: now,
	})
	if err != nil {
		return p, fmt.Errorf("add promotion: %w", err)
	}
	return p, nil
}

// ChangeIn stores an edited promotion. Code, kind and currency cannot change.
func (s *Service) ChangeIn(ctx context.Context, tx *db.Tx, p Promotion) (before, after Promotion, err error) {
	row, err := tx.Q.LockPromotion(ctx, p.ID)
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.MerchantID != p.MerchantID {
		return before, p, ErrUnknownPromotion
	}
	if err != nil {
		return before, p, fmt.Errorf("lock promotion: %w", err)
	}
	if before, err = promotionOf(row); err != nil {
		return before, p, err
	}
	if before.Version != p.Version {
		return before, p, rest.ErrStale
	}
	p.Code, p.Kind, p.Currency = before.Code, before.Kind, before.Currency
	p.PromoCode = strings.ToUpper(strings.TrimSpace(p.PromoCode))
	if p.StartsAt == 0 {
		p.StartsAt = before.StartsAt
	}
	if err := p.check(); err != nil {
		return before, p, err
	}
	if err := s.checkTaken(ctx, tx, &p); err != nil {
		return before, p, err
	}
	texts, err := json.Marshal(p.Texts)
	if err != nil {
		return before, p, err
	}
	err = tx.Q.ChangePromotion(ctx, query.ChangePromotionParams{
		ID: p.ID, Category: p.Category, Texts: string(texts), Image: p.Image, Payout: p.Payout, Rate: p.Rate, Amount: int64(p.Amount), Least: int64(p.Least),
		Most: int64(p.Most), Wagering: p.Wagering, Every: p.Every, PromoCode: p.PromoCode, MaxRewards: p.MaxRewards, ClaimDays: p.ClaimDays, Days: p.Days,
		StartsAt: p.StartsAt, EndsAt: p.EndsAt, ApplyBy: p.ApplyBy, Published: p.Published, Sorting: p.Sorting,
	})
	if err != nil {
		return before, p, fmt.Errorf("change promotion: %w", err)
	}
	if p.Published && !before.Published { // nothing is granted for the time when it was hidden
		if err := tx.Q.SetPromotionEvaluated(ctx, p.ID, max(db.Millis(s.o.Now()), p.StartsAt)); err != nil {
			return before, p, fmt.Errorf("change promotion: %w", err)
		}
	}
	p.Version++
	return before, p, picture.KeepContentIn(ctx, tx, p.Image)
}

// checkTaken returns ErrTaken if another promotion has the code or the promo code.
func (s *Service) checkTaken(ctx context.Context, tx *db.Tx, p *Promotion) error {
	existing, err := tx.Q.PromotionByCode(ctx, p.MerchantID, p.Code)
	found, err := db.Found("find promotion", err)
	if err != nil {
		return err
	}
	if found && existing.ID != p.ID {
		return ErrTaken.On("code")
	}
	if p.PromoCode == "" {
		return nil
	}
	existing, err = tx.Q.PromotionByPromoCode(ctx, p.MerchantID, p.PromoCode)
	found, err = db.Found("find promotion", err)
	if err != nil {
		return err
	}
	if found && existing.ID != p.ID {
		return ErrTaken.On("promoCode")
	}
	return nil
}

// edited is a changed promotion in the audit log.
type edited struct {
	*Promotion

	Reason string `json:"reason,omitempty"`
}

// recordChangeIn writes a change to the audit log and informs operators' screens.
func (s *Service) recordChangeIn(ctx context.Context, tx *db.Tx, action string, before, after *Promotion, reason string) error {
	entry := audit.Entry{
		MerchantID: after.MerchantID, Permission: string(permission.PromotionEdit), Action: "promotion." + action, Object: "promotion/" + formatID(after.ID), After: edited{after, reason},
	}
	if before != nil {
		entry.Before = before
	}
	if err := audit.Append(ctx, tx, s.o.Now(), entry); err != nil {
		return err
	}
	return s.o.Screens.ChangedOf(ctx, tx, after.MerchantID, "promotions", formatID(after.ID))
}

// Find returns a merchant's promotion.
func (s *Service) Find(ctx context.Context, merchantID, id int64) (Promotion, error) {
	row, err := s.o.Store.Q().PromotionByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.MerchantID != merchantID {
		return Promotion{}, ErrUnknownPromotion
	}
	if err != nil {
		return Promotion{}, fmt.Errorf("find promotion: %w", err)
	}
	return promotionOf(row)
}

// All returns a merchant's promotions in display order.
func (s *Service) All(ctx context.Context, merchantID int64) ([]Promotion, error) {
	rows, err := s.o.Store.Q().PromotionsOfMerchant(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read promotions: %w", err)
	}
	all := make([]Promotion, len(rows))
	for i, r := range rows {
		if all[i], err = promotionOf(r); err != nil {
			return nil, err
		}
	}
	return all, nil
}
