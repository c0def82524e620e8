package account

import (
	"context"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/platform/rest"
)

type clubLabel struct {
	LabelName string `json:"labelName"`
}

type info struct {
	ID        string    `json:"id"`
	Nickname  string    `json:"nickname"`
	Username  string    `json:"account"`
	Type      int       `json:"type" doc:"0 player, 1 agent, 2 head agent, 4 trial."`
	ClubLabel clubLabel `json:"clubLabel"`
	Avatar    string    `json:"avatar" doc:"URL of the member's picture, or empty."`
	Affiliate string    `json:"affiliateCode,omitempty" doc:"The member's invitation code, if any."`
}

// Refusals are faults of other packages that these operations can return. They appear in the API document.
type Refusals struct {
	Closed   []*fault.Fault // the site is closed
	Captcha  []*fault.Fault
	Slider   []*fault.Fault
	Work     []*fault.Fault // a proof of work is required
	Delivery []*fault.Fault // a code cannot be sent
	Code     []*fault.Fault // a code is wrong or expired
	Phone    []*fault.Fault // a provider has not verified the number
}

// Routes adds the operations of this package to the API.
func Routes(a *rest.API, s *Service, r Refusals) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/member/info", ID: "memberInfo", Tag: "member", Unrestricted: true,
		Summary: "Get the caller's account", Access: rest.Session, Faults: []*fault.Fault{member.ErrUnknown},
	}, s.info)
	registerRoutes(a, s, r)
	passwordRoutes(a, s, r)
	securityRoutes(a, s, r)
	avatarRoutes(a, s)
}

func (s *Service) info(ctx context.Context, _ *struct{}) (info, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return info{}, rest.ErrNoSession
	}
	m, err := s.Info(ctx, caller.MemberID)
	if err != nil {
		return info{}, err
	}
	return info{
		ID: strconv.FormatInt(m.ID, 10), Nickname: m.Nickname, Username: m.Username, Type: int(m.Type),
		ClubLabel: clubLabel{LabelName: m.VIPLabel}, Avatar: m.Avatar, Affiliate: m.AffiliateCode,
	}, nil
}
