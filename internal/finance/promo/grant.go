package promo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"strings"
	"time"
	"unicode/utf8"

	"fairground/internal/finance/limits"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/tasks"
	"fairground/internal/platform/validation"
)

// A grant is a reward to store.
type grant struct {
	id            int64 // 0: a new one
	promotion     *Promotion
	memberID      int64
	period        string
	amount        money.Minor
	status        string
	remark        string
	images        []string
	operator      string
	otherAccounts []int64 // of the same person
	onBreak       bool
	quiet         bool // the member gets no message
}

// addIn locks the promotion, applies its rules and stores the reward. It returns the reason of a refusal, or "". With keepRefusal, it
// also stores a refused reward, so that a job does not try again.
func (s *Service) addIn(ctx context.Context, tx *db.Tx, g grant, keepRefusal bool) (r query.Reward, refusal string, err error) {
	p := g.promotion
	if _, err := tx.Q.LockPromotion(ctx, p.ID); err != nil {
		return r, "", fmt.Errorf("lock promotion: %w", err)
	}
	if refusal, err = s.refusalIn(ctx, tx, g); err != nil {
		return r, "", err
	}
	if refusal != "" && !keepRefusal {
		return r, refusal, nil
	}
	return s.storeIn(ctx, tx, g, refusal)
}

// storeIn stores a reward, or a refused reward if refusal is not empty. A member has one reward per promotion and period. For another
// one, storeIn returns the code of ErrApplied.
func (s *Service) storeIn(ctx context.Context, tx *db.Tx, g grant, refusal string) (r query.Reward, refused string, err error) {
	p := g.promotion
	images := ""
	if len(g.images) > 0 {
		list, err := json.Marshal(g.images)
		if err != nil {
			return r, "", err
		}
		images = string(list)
	}
	if g.id == 0 {
		g.id = s.o.IDs()
	}
	now := s.o.Now()
	r = query.Reward{
		ID: g.id, MerchantID: p.MerchantID, MemberID: g.memberID, PromotionID: p.ID, Period: g.period, Status: g.status, Payout: p.Payout, Currency: p.Currency,
		Amount: int64(g.amount), Required: int64(g.amount) * p.Wagering, Days: p.Days, Remark: g.remark, Images: images, DecidedBy: g.operator,
		CreatedAt: db.Millis(now), Version: 1,
	}
	switch {
	case refusal != "":
		r.Status, r.Reason, r.EndedAt = Refused, refusal, notNull(db.Millis(now))
	case g.status == Unclaimed:
		r.ExpiresAt = db.Millis(now.AddDate(0, 0, int(p.ClaimDays)))
	}
	if r.Period == "" {
		r.Period = formatID(r.ID)
	}
	n, err := tx.Q.AddReward(ctx, query.AddRewardParams{
		ID: r.ID, MerchantID: r.MerchantID, MemberID: r.MemberID, PromotionID: r.PromotionID, Period: r.Period, Status: r.Status, Payout: r.Payout,
		Currency: r.Currency, Amount: r.Amount, Required: r.Required, Days: r.Days, Remark: r.Remark, Images: r.Images, Reason: r.Reason,
		DecidedBy: r.DecidedBy, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, EndedAt: r.EndedAt,
	})
	if err != nil {
		return r, "", fmt.Errorf("add reward: %w", err)
	}
	if n == 0 {
		return r, ErrApplied.Code, nil
	}
	if refusal != "" {
		return r, refusal, nil
	}
	for _, name := range g.images {
		if err := s.pictures.KeepIn(ctx, tx, name); err != nil {
			return r, "", err
		}
	}
	if r.Status == Unclaimed && !g.quiet {
		if err := s.notifyIn(ctx, tx, &r, Granted, r.Amount); err != nil {
			return r, "", err
		}
	}
	return r, "", s.announceIn(ctx, tx, &r)
}

// refusalIn applies the rules that do not depend on the kind: breaks, one account per person, and the maximum number of rewards.
// It returns the reason of a refusal, or "".
func (s *Service) refusalIn(ctx context.Context, tx *db.Tx, g grant) (string, error) {
	if g.onBreak {
		return reasonBreak, nil
	}
	for _, other := range g.otherAccounts {
		n, err := tx.Q.CountRewardsOfMember(ctx, g.promotion.ID, other)
		if err != nil {
			return "", fmt.Errorf("count rewards of the person: %w", err)
		}
		if n > 0 {
			return reasonPerson, nil
		}
	}
	if g.promotion.MaxRewards == 0 {
		return "", nil
	}
	n, err := tx.Q.CountRewardsOfPromotion(ctx, g.promotion.ID)
	if err != nil {
		return "", fmt.Errorf("count rewards: %w", err)
	}
	if n >= g.promotion.MaxRewards {
		return reasonUsedUp, nil
	}
	return "", nil
}

// prepare reads the data for the rules before the transaction. During a break, it sets onBreak and returns the fault.
func (s *Service) prepare(ctx context.Context, g *grant) (err error) {
	if err := s.o.Limits.Check(ctx, g.memberID); err != nil {
		if !errors.Is(err, limits.ErrExcluded) && !errors.Is(err, limits.ErrHeld) {
			return err
		}
		g.onBreak = true
		return err
	}
	g.otherAccounts, err = s.o.Persons.Same(ctx, g.promotion.MerchantID, g.memberID)
	return err
}

// faultOf returns the fault for the reason of a refusal.
func faultOf(refusal string) error {
	switch refusal {
	case "":
		return nil
	case reasonPerson:
		return ErrPerson
	case reasonUsedUp:
		return ErrUsedUp
	}
	return ErrApplied
}

// A File is an uploaded picture.
type File struct {
	ContentType string
	Data        []byte
}

// Apply stores a member's application for a promotion. An operator decides about it.
func (s *Service) Apply(ctx context.Context, who Member, language, key string, id int64, remark string, files []File) (RewardView, error) {
	remark = validation.Trim(remark)
	content := []string{formatID(id), remark}
	for _, f := range files {
		sum := sha256.Sum256(f.Data)
		content = append(content, hex.EncodeToString(sum[:]))
	}
	g, refused := s.application(ctx, who, id, remark, files)
	request := idempotency.Request{Owner: idempotency.Member(who.ID), Call: "applyForPromotion", Key: key, Content: content}
	return s.addRequested(ctx, request, g, refused, language)
}

// addRequested adds the reward that a member requested, unless refused is not nil. A repeated request gets the first response.
func (s *Service) addRequested(ctx context.Context, request idempotency.Request, g grant, refused error, language string) (RewardView, error) {
	return idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (RewardView, error) {
		if refused != nil { // here, so that it is the response to a repeated request, too
			return RewardView{}, refused
		}
		r, refusal, err := s.addIn(ctx, tx, g, false)
		if err == nil {
			err = faultOf(refusal)
		}
		if err == nil && r.Status == Applied {
			ref := formatID(r.ID)
			err = s.o.Tasks.AddIn(ctx, tx, tasks.Task{MerchantID: r.MerchantID, Kind: taskKind, Reference: ref, Object: "rewards/" + ref, Permission: permission.PromotionEdit})
		}
		if err != nil {
			return RewardView{}, err
		}
		return viewOf(r, g.promotion, language)
	})
}

// application returns the grant that a member applies for, and stores its pictures.
func (s *Service) application(ctx context.Context, who Member, id int64, remark string, files []File) (grant, error) {
	p, err := s.Find(ctx, who.MerchantID, id)
	if err != nil {
		return grant{}, err
	}
	now := s.o.Now()
	if p.Kind != Application || p.Currency != who.Currency || !p.takesApplications(db.Millis(now)) {
		return grant{}, ErrNotOpen
	}
	if utf8.RuneCountInString(remark) > MaxRemark {
		return grant{}, ErrRemark.On("remark").With("max", MaxRemark)
	}
	g := grant{promotion: &p, memberID: who.ID, period: p.period(now), amount: p.Amount, status: Applied, remark: remark}
	if err := s.prepare(ctx, &g); err != nil {
		return g, err
	}
	g.images, err = s.storePictures(ctx, files)
	return g, err
}

// maxSide is the maximum length of a stored picture's longer side, in pixels.
const maxSide = 2000

// storePictures checks and stores uploaded pictures. They are deleted later, unless a transaction marks them as used.
func (s *Service) storePictures(ctx context.Context, files []File) (names []string, err error) {
	if len(files) > MaxImages {
		return nil, ErrImages.On("image").With("max", MaxImages)
	}
	uploads := make([]*picture.Upload, len(files))
	for i, f := range files {
		if _, format, err := image.DecodeConfig(bytes.NewReader(f.Data)); err != nil || format != "png" && format != "jpeg" { // VA-08 allows no other formats
			return nil, ErrPicture.On("image")
		}
		if uploads[i], err = picture.Check(f.ContentType, f.Data); err != nil {
			return nil, ErrPicture.On("image").Because(err)
		}
	}
	for _, u := range uploads {
		rendered, err := s.decoder.Render(ctx, u, u.Fit(maxSide))
		if errors.Is(err, picture.ErrFormat) {
			return nil, ErrPicture.On("image").Because(err)
		}
		if err != nil {
			return nil, err
		}
		name, err := s.pictures.Put(ctx, "promotion/", rendered)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// Redeem grants the reward of a code that the member entered.
func (s *Service) Redeem(ctx context.Context, who Member, language, key, code string) (RewardView, error) {
	code = strings.ToUpper(strings.TrimSpace(code))
	g, refused := s.codeGrant(ctx, who, code)
	request := idempotency.Request{Owner: idempotency.Member(who.ID), Call: "redeemCode", Key: key, Content: code}
	return s.addRequested(ctx, request, g, refused, language)
}

// codeGrant returns the grant of a promotion's code.
func (s *Service) codeGrant(ctx context.Context, who Member, code string) (grant, error) {
	row, err := s.o.Store.Q().PromotionByPromoCode(ctx, who.MerchantID, code)
	if errors.Is(err, sql.ErrNoRows) {
		return grant{}, ErrCode.On("code")
	}
	if err != nil {
		return grant{}, fmt.Errorf("find promotion: %w", err)
	}
	p, err := promotionOf(row)
	if err != nil {
		return grant{}, err
	}
	now := s.o.Now()
	if p.Currency != who.Currency || !p.takesApplications(db.Millis(now)) {
		return grant{}, ErrCode.On("code")
	}
	g := grant{promotion: &p, memberID: who.ID, period: p.period(now), amount: p.Amount, status: Unclaimed}
	return g, s.prepare(ctx, &g)
}

// grantByRule grants a reward by a promotion's rule, once per member and period. Jobs call it.
func (s *Service) grantByRule(ctx context.Context, p *Promotion, memberID int64, period string, amount money.Minor) error {
	if amount <= 0 {
		return nil
	}
	g := grant{promotion: p, memberID: memberID, period: period, amount: amount, status: Unclaimed}
	if err := s.prepare(ctx, &g); err != nil && !g.onBreak {
		return err
	}
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		_, _, err := s.addIn(ctx, tx, g, true)
		return err
	})
}

const day = 24 * time.Hour
