package session

import (
	"context"
	"net/http"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

// Trials registers trial members, who play with play money.
type Trials interface {
	BeginTrial(ctx context.Context, merchantID int64, ageConfirmed bool, from rest.Visitor) (memberID int64, err error)
}

const trialModule = spec.ModuleFreePlay

type trialInput struct {
	Body struct {
		ModuleID     string `json:"moduleId,omitempty" enum:"FREEPLAY3"`
		AgeConfirmed *bool  `json:"ageConfirmed,omitempty"`
	}
}

type trialGrant struct {
	Token          string `json:"token,omitempty"`
	UserName       string `json:"userName,omitempty"`
	Type           int    `json:"type,omitempty"`
	FirstTimeLogin bool   `json:"firstTimeLogin"`
	TrialIndicator int    `json:"trialIndicator" enum:"0,1" doc:"0: trial play is off, and the other fields are empty."`
	TrialName      string `json:"trialName,omitempty"`
}

// TrialRoutes registers the trial endpoint under its three paths. faults are faults of other packages that it can return, for the OpenAPI
// document.
func TrialRoutes(a *rest.API, s *Service, faults ...*fault.Fault) {
	for id, path := range map[string]string{
		"freePlay": "/wps/session/login/freeplay", "testPlay": "/wps/member/testPlay", "createTrial": "/wps/member/trial",
	} {
		rest.Typed(a, rest.Op{
			Method: http.MethodPost, Path: path, ID: id, Tag: "session",
			Summary: "Start a trial session with play money, without an account", Access: rest.Public,
			HandlesModule: trialModule, Rate: &ratelimit.Limit{Burst: 10, Every: 5 * time.Second}, Faults: faults,
		}, s.trial)
	}
}

func (s *Service) trial(ctx context.Context, in *trialInput) (trialGrant, error) {
	merchantID := rest.MerchantOf(ctx).ID
	on, err := s.o.Settings.ModuleEnabled(ctx, merchantID, trialModule)
	if err != nil || !on {
		return trialGrant{}, err
	}
	if in.Body.AgeConfirmed == nil { // ruling 32
		return trialGrant{}, rest.ErrParam.On("ageConfirmed")
	}
	from := rest.VisitorOf(ctx)
	id, err := s.o.Trials.BeginTrial(ctx, merchantID, *in.Body.AgeConfirmed, from)
	if err != nil {
		return trialGrant{}, err
	}
	g, err := s.open(ctx, openParams{merchantID, id, 0, from})
	return trialGrant{
		Token: g.Token, UserName: g.Username, Type: int(g.Type), FirstTimeLogin: g.FirstTimeLogin,
		TrialIndicator: 1, TrialName: g.Username,
	}, err
}
