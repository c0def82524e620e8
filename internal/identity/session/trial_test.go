package session_test

import (
	"errors"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func serveTrial(t *testing.T, store *db.Store) *loginSite {
	t.Helper()
	s := newLoginSite(t, store)
	s.Serve(t, s.sessions, func(a *rest.API) {
		session.Routes(a, s.sessions)
		session.TrialRoutes(a, s.sessions)
	})
	return s
}

var adult = map[string]any{"moduleId": "FREEPLAY3", "ageConfirmed": true}

func TestTrial(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := serveTrial(t, store)
		paths := []string{"/wps/session/login/freeplay", "/wps/member/testPlay", "/wps/member/trial"}
		t.Run("CA-02 CA-18 part (trial): each path starts a trial", func(t *testing.T) {
			for _, path := range paths {
				reply := s.Call(t, "POST", path, adult, "ModuleId", "FREEPLAY3")
				merchanttest.Want(t, reply, 200,
					`{"success":true,"value":{"token":"(varies)","userName":"(varies)","type":4,"firstTimeLogin":false,"trialIndicator":1,"trialName":"(varies)"}}`, "token", "userName", "trialName")
			}
		})
		type grant struct{ Token, TrialName string }
		trial := merchanttest.Value[grant](t, s.Call(t, "POST", "/wps/session/login/freeplay", adult))
		caller, err := s.sessions.Authenticate(t.Context(), trial.Token)
		if err != nil || caller.Type != member.Trial || caller.Currency != "FUN" || caller.Username != trial.TrialName {
			t.Fatalf("caller = %+v, %v, want a trial member with FUN", caller, err)
		}
		balance := func() int64 {
			t.Helper()
			accounts, err := s.ledger.Balances(t.Context(), caller.MemberID)
			if err != nil {
				t.Fatal(err)
			}
			var sum int64
			for _, a := range accounts {
				sum += int64(a.Balance)
			}
			return sum
		}
		if got := balance(); got != 10_000_000 {
			t.Errorf("initial balance = %d, want 10000000", got)
		}
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login/freeplay", map[string]any{"moduleId": "FREEPLAY3"}), 400,
			`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"ageConfirmed"}`, "message")
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login/freeplay", map[string]any{"moduleId": "FREEPLAY3", "ageConfirmed": false}), 400,
			`{"success":false,"message":"(varies)","errorCode":"register.age_required","field":"ageConfirmed","args":{"age":"18"}}`, "message")
		otherModule := map[string]any{"moduleId": "REG3", "ageConfirmed": true}
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login/freeplay", otherModule), 400,
			`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"moduleId"}`, "message")
		off := merchant.SwitchOf(spec.ModuleFreePlay, false)
		if err := s.Merchants.SetSwitch(t.Context(), s.ID, off); err != nil {
			t.Fatal(err)
		}
		t.Run("ruling 23: with free play off, the indicator is 0 even if the client names the module", func(t *testing.T) {
			for _, path := range paths {
				merchanttest.Want(t, s.Call(t, "POST", path, adult), 200, trialOff)
				merchanttest.Want(t, s.Call(t, "POST", path, adult, "ModuleId", "FREEPLAY3"), 200, trialOff)
				merchanttest.Want(t, s.Call(t, "POST", path, adult, "ModuleId", "NOSUCH3"), 403,
					`{"success":false,"message":"not allowed","errorCode":"module.off","args":{"module":"NOSUCH3"}}`)
			}
		})

		sweep := func() {
			t.Helper()
			if err := s.accounts().ExpireTrials(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if sweep(); !alive(t, s.sessions, trial.Token) {
			t.Error("the sweep ended an active trial")
		}
		s.set(t, "session.absolute", `"72h"`)
		s.set(t, "session.idle", `"24h"`)
		s.Clock.Add(24*time.Hour - time.Second)
		renewed, err := s.sessions.Renew(t.Context(), caller.SessionID, trial.Token)
		if err != nil {
			t.Fatal(err)
		}
		s.Clock.Add(2 * time.Second)
		sweep()
		if alive(t, s.sessions, renewed.Token) || !alive(t, s.sessions, s.login(t)) || balance() != 10_000_000 {
			t.Error("want the expired trial ended, other sessions and the ledger unchanged")
		}
	})
}

func TestTrialsAreLimited(t *testing.T) {
	t.Parallel()
	s := serveTrial(t, dbtest.SQLite(t))
	start := func() error {
		_, err := s.members.BeginTrial(t.Context(), s.ID, true, rest.VisitorOf(t.Context()))
		return err
	}
	for i := range 20 {
		if err := start(); err != nil {
			t.Fatalf("trial %d: %v", i+1, err)
		}
	}
	if err := start(); !errors.Is(err, ratelimit.ErrLimited) {
		t.Errorf("trial 21 of one network: got %v, want ErrLimited", err)
	}
	s.Clock.Add(3 * time.Minute)
	if err := start(); err != nil {
		t.Errorf("start: got %v, want no error", err)
	}
}
