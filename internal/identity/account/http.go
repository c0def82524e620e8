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
	Avatar    string    `json:"avatar" doc:"Where the member's picture is; empty when none was chosen."`
	Affiliate string    `json:"affiliateCode,omitempty" doc:"By which the member invites; absent for those who have none."`
}

// Refusals are what other domains keep people off with, for the document.
type Refusals struct {
	Closed    []*fault.Fault // the whole site
	Picture   []*fault.Fault // of a captcha
	Challenge []*fault.Fault // of a slider
	Sending   []*fault.Fault // of a code
	Code      []*fault.Fault // of one that was typed
	Phone     []*fault.Fault // of a number that a provider should have seen proved
}

// Routes adds the members' calls to the API.
func Routes(a *rest.API, s *Service, r Refusals) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/member/info", ID: "memberInfo", Tag: "member",
		Summary: "Who the caller is", Access: rest.Session, Faults: []*fault.Fault{member.ErrUnknown},
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
