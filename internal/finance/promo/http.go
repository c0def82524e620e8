package promo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/finance/limits"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

const (
	tag = "promotion"
	// maxText is the maximum size of a text field in the form, in bytes.
	maxText = 4 << 10
	// uploadTimeout is shorter than the server's connection timeout, so that a slow client receives an error response.
	uploadTimeout = 45 * time.Second
)

type promotionReply struct {
	ID       string      `json:"id"`
	Code     string      `json:"code"`
	Title    string      `json:"title"`
	Category string      `json:"category" enum:"deposit,cashback,event,vip"`
	Kind     string      `json:"kind" enum:"first_deposit,reload,loss_rebate,birthday,promo_code,grant,application"`
	Terms    string      `json:"terms" doc:"Plain text; a line for each term."`
	Image    string      `json:"image" doc:"Address of a picture, or empty."`
	Currency string      `json:"currency"`
	Payout   string      `json:"payout" enum:"cash,bonus"`
	Percent  rest.Amount `json:"percent" doc:"Of the deposit or loss; 0: the amount is fixed."`
	Amount   rest.Amount `json:"amount" doc:"Fixed reward; 0: it depends."`
	Min      rest.Amount `json:"min" doc:"Least deposit or loss."`
	Max      rest.Amount `json:"max" doc:"Most reward; 0: no limit."`
	Wagering int64       `json:"wagering" doc:"How many times a bonus must be staked before it becomes cash; at most 10."`
	Days     int64       `json:"days" doc:"Days to stake a bonus."`
	Every    string      `json:"every" enum:",day,week" doc:"A new reward in each; empty: once."`
	From     int64       `json:"from" doc:"Unix ms."`
	To       int64       `json:"to" doc:"Unix ms; 0: no end."`
	ApplyBy  int64       `json:"applyBy" doc:"Unix ms; 0: until it ends."`
	State    string      `json:"state" enum:"open,applied,granted,refused,closed" doc:"Of the caller: open: can be joined or happens by itself; applied: an operator decides; granted: see the rewards; refused: the last application was refused; closed: the time to apply is over."`
}

type promotionsReply struct {
	List []promotionReply `json:"list"`
}

type promotionsInput struct {
	Category string `query:"category" enum:",deposit,cashback,event,vip" doc:"Empty: all."`
}

// A PromotionInput has the id of a promotion.
type PromotionInput struct {
	ID string `path:"id" pattern:"^[0-9]{1,19}$"`
}

// A RewardInput has the id of a reward.
type RewardInput struct {
	ID string `path:"id" pattern:"^[0-9]{1,19}$"`
}

func parseID(text string, unknown error) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, unknown
	}
	return id, nil
}

func percentText(rate int64) rest.Amount {
	return rest.Amount(strconv.FormatFloat(float64(rate)/100, 'f', -1, 64)) // exact for two decimals
}

func (s *Service) promotions(ctx context.Context, in *promotionsInput) (promotionsReply, error) {
	out := promotionsReply{List: []promotionReply{}}
	all, err := s.All(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return out, err
	}
	who, isMember := rest.CallerOf(ctx)
	last := map[int64]query.RewardStatesOfMemberRow{}
	if isMember {
		rows, err := s.o.Store.Q().RewardStatesOfMember(ctx, who.MemberID)
		if err != nil {
			return out, err
		}
		for _, r := range rows { // rows are ordered by time, so the newest replaces the others
			last[r.PromotionID] = r
		}
	}
	at := s.o.Now()
	now := db.Millis(at)
	for i := range all {
		p := &all[i]
		if !p.Open(now) || p.Kind == Grant || slices.Contains(loyaltyKinds, p.Kind) || in.Category != "" && p.Category != in.Category || isMember && p.Currency != who.Currency {
			continue
		}
		reward, hasReward := last[p.ID]
		r, err := p.reply(rest.LanguageOf(ctx), p.stateFor(at, reward, hasReward))
		if err != nil {
			return out, err
		}
		out.List = append(out.List, r)
	}
	return out, nil
}

// stateFor returns the promotion's state for a member with a last reward. A reward of an earlier period does not count, because the
// member can get another one.
func (p *Promotion) stateFor(now time.Time, last query.RewardStatesOfMemberRow, hasReward bool) string {
	if hasReward && last.Period == p.period(now) {
		switch {
		case last.Status == Applied:
			return "applied"
		case last.Status == Refused && p.Kind == Application:
			return "refused"
		case last.Status == Refused:
			return "open"
		case p.Every == "" || p.Kind == Application || p.Kind == PromoCode:
			return "granted"
		default: // it happens by itself
			return "open"
		}
	}
	if !p.takesApplications(db.Millis(now)) {
		return "closed"
	}
	return "open"
}

func (p *Promotion) reply(language, state string) (promotionReply, error) {
	c, err := money.Find(p.Currency)
	if err != nil {
		return promotionReply{}, rest.ErrSystem.Because(err)
	}
	text := p.Texts.in(language)
	return promotionReply{
		ID: formatID(p.ID), Code: p.Code, Title: text.Title, Category: p.Category, Kind: p.Kind, Terms: text.Terms, Image: p.Image, Currency: p.Currency, Payout: p.Payout,
		Percent: percentText(p.Rate), Amount: rest.AmountOf(c, p.Amount), Min: rest.AmountOf(c, p.Least), Max: rest.AmountOf(c, p.Most), Wagering: p.Wagering, Days: p.Days,
		Every: p.Every, From: p.StartsAt, To: p.EndsAt, ApplyBy: p.ApplyBy, State: state,
	}, nil
}

type applyPromotionInput struct {
	idempotency.Header
	PromotionInput

	ContentType string `header:"Content-Type" doc:"multipart/form-data with the field remark (at most 140 characters) and up to 3 files named image or images: PNG or JPEG, at most 5 MB each. Without files, also application/json with remark."`
	RawBody     []byte
}

// form parses the body in memory. The standard parser would write pictures to a temporary folder.
func (in *applyPromotionInput) form() (remark string, files []File, err error) {
	media, parameters, err := mime.ParseMediaType(in.ContentType)
	if media == "application/json" {
		var body struct {
			Remark string `json:"remark"`
		}
		decoder := json.NewDecoder(bytes.NewReader(in.RawBody))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&body); err != nil {
			return "", nil, rest.ErrParam.Because(err)
		}
		return body.Remark, nil, nil
	}
	if err != nil || parameters["boundary"] == "" {
		return "", nil, rest.ErrParam.Because(err)
	}
	parts := multipart.NewReader(bytes.NewReader(in.RawBody), parameters["boundary"])
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return remark, files, nil
		}
		if err != nil {
			return "", nil, rest.ErrParam.Because(err)
		}
		limit := maxText
		switch name := strings.TrimSuffix(part.FormName(), "s"); {
		case name == "image" && len(files) == MaxImages:
			return "", nil, ErrImages.On("image").With("max", MaxImages)
		case name == "image":
			limit = picture.MaxBytes
		case name != "remark" || part.FileName() != "":
			return "", nil, rest.ErrParam.On(part.FormName())
		}
		data, err := io.ReadAll(io.LimitReader(part, int64(limit)+1))
		switch {
		case err != nil:
			return "", nil, rest.ErrParam.Because(err)
		case part.FormName() == "remark" && len(data) > limit:
			return "", nil, ErrRemark.On("remark").With("max", MaxRemark)
		case part.FormName() == "remark":
			remark = string(data)
		case len(data) > limit:
			return "", nil, ErrPicture.On("image")
		default:
			files = append(files, File{part.Header.Get("Content-Type"), data})
		}
	}
}

type promoCodeInput struct {
	idempotency.Header

	Body struct {
		Code string `json:"code" minLength:"1" maxLength:"64"`
	}
}

type claimRewardInput struct {
	idempotency.Header
	RewardInput
}

type rewardsReply struct {
	List      []RewardView `json:"list" doc:"At most 200: open ones, and then the newest."`
	Unclaimed int64        `json:"unclaimed" doc:"Number of rewards that can be claimed."`
}

// Routes declares the members' calls.
func Routes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/promotion", ID: "promotions", Tag: tag, Access: rest.Public, Summary: "Promotions that run now",
	}, s.promotions)
	memberCall(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/promotion/{id}/apply", ID: "applyForPromotion", Summary: "Apply for a promotion; an operator decides",
		MaxBody: MaxImages*picture.MaxBytes + 64<<10, Timeout: uploadTimeout, Rate: &ratelimit.Limit{Burst: 10, Every: time.Minute},
		Faults: []*fault.Fault{ErrUnknownPromotion, ErrNotOpen, ErrApplied, ErrUsedUp, ErrPerson, ErrImages, ErrPicture, ErrRemark, limits.ErrExcluded, limits.ErrHeld, idempotency.ErrConflict},
	}, func(ctx context.Context, who Member, in *applyPromotionInput) (RewardView, error) {
		id, err := parseID(in.ID, ErrUnknownPromotion)
		if err != nil {
			return RewardView{}, err
		}
		remark, files, err := in.form()
		if err != nil {
			return RewardView{}, err
		}
		return s.Apply(ctx, who, rest.LanguageOf(ctx), in.IdempotencyKey, id, remark, files)
	})
	memberCall(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/promotion/code", ID: "redeemCode", Summary: "Get the reward of a promotion's code",
		Rate:   &ratelimit.Limit{Burst: 10, Every: time.Minute},
		Faults: []*fault.Fault{ErrCode, ErrApplied, ErrUsedUp, ErrPerson, limits.ErrExcluded, limits.ErrHeld, idempotency.ErrConflict},
	}, func(ctx context.Context, who Member, in *promoCodeInput) (RewardView, error) {
		return s.Redeem(ctx, who, rest.LanguageOf(ctx), in.IdempotencyKey, in.Body.Code)
	})
	memberCall(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/reward", ID: "rewards", Summary: "The caller's rewards, newest first",
	}, func(ctx context.Context, who Member, _ *struct{}) (rewardsReply, error) {
		list, unclaimed, err := s.Rewards(ctx, who, rest.LanguageOf(ctx))
		return rewardsReply{list, unclaimed}, err
	})
	memberCall(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/reward/{id}/claim", ID: "claimReward", Summary: "Claim a reward; it is credited once",
		Faults: []*fault.Fault{ErrUnknownReward, ErrState, ErrBonusRuns, limits.ErrExcluded, limits.ErrHeld, idempotency.ErrConflict},
	}, func(ctx context.Context, who Member, in *claimRewardInput) (RewardView, error) {
		id, err := parseID(in.ID, ErrUnknownReward)
		if err != nil {
			return RewardView{}, err
		}
		return s.Claim(ctx, who, in.IdempotencyKey, id)
	})
	memberCall(a, rest.Op{
		Method: http.MethodDelete, Path: "/wps/reward/{id}", ID: "giveUpReward", Summary: "Give up a reward",
		Description: "What is left of a bonus goes back to the house, and so do later wins and refunds of its stakes.",
		Faults:      []*fault.Fault{ErrUnknownReward, ErrState},
	}, func(ctx context.Context, who Member, in *RewardInput) (RewardView, error) {
		id, err := parseID(in.ID, ErrUnknownReward)
		if err != nil {
			return RewardView{}, err
		}
		return s.GiveUp(ctx, who, id)
	})
}

// memberCall declares a call for real members. Trial members get no rewards.
func memberCall[I, O any](a *rest.API, op rest.Op, do func(context.Context, Member, *I) (O, error)) {
	op.Tag, op.Access = tag, rest.Real
	rest.Typed(a, op, func(ctx context.Context, in *I) (O, error) {
		who, ok := rest.CallerOf(ctx)
		if !ok {
			var none O
			return none, rest.ErrNoSession
		}
		return do(ctx, Member{who.MemberID, who.MerchantID, who.Currency}, in)
	})
}
