package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"testing"
	"time"

	"fairground/internal/identity/captcha"
	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/identity/signin"
	"fairground/internal/identity/verification"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/humancheck"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

const (
	playersMobile = "+84912345678"
	rightCode     = "246813"
	captchaAnswer = "135790"
)

// fakeChecks fakes captchas, codes and external logins. It returns the same faults as the real ones.
type fakeChecks struct {
	noWork
	known      int64 // id of the member with the ticket "known"
	epoch      func(context.Context, int64) (int64, error)
	codes      int    // number of checked codes
	passes     int    // number of checked passes
	afterProof func() // called after a correct proof, before the login continues

	needsWork bool
	failed    []humancheck.Attempt
}

func (checks *fakeChecks) CheckProof(_ context.Context, a humancheck.Attempt) error {
	if checks.needsWork && a.Proof != "solved" {
		return captcha.ErrProofRequired.With("cost", 20)
	}
	return nil
}

func (checks *fakeChecks) CountFailure(_ context.Context, a humancheck.Attempt) error {
	checks.failed = append(checks.failed, a)
	return nil
}

func (checks *fakeChecks) proofSucceeded() error {
	if checks.afterProof != nil {
		checks.afterProof()
	}
	return nil
}

func (checks *fakeChecks) CheckImage(_ context.Context, cookie, answer string) error {
	switch {
	case answer == "":
		return captcha.ErrRequired.On("captcha")
	case cookie != "sealed" || answer != captchaAnswer:
		return captcha.ErrIncorrect.On("captcha")
	}
	return nil
}

func (checks *fakeChecks) CheckChallenge(_ context.Context, _, pass string) error {
	checks.passes++
	switch pass {
	case "":
		return captcha.ErrChallengeRequired.On("challenge")
	case "pass":
		return nil
	}
	return captcha.ErrChallengeInvalid.On("challenge")
}

func (checks *fakeChecks) Check(_ context.Context, subject notify.Subject, _, given string) error {
	checks.codes++
	if subject.Channel != notify.SMS || subject.Purpose != notify.ForLogin || given != rightCode {
		return verification.ErrIncorrect.On("verificationCode")
	}
	return checks.proofSucceeded()
}

func (checks *fakeChecks) ConsumePhoneToken(_ context.Context, token, e164 string) error {
	if token != "proves "+e164 {
		return signin.ErrInvalidPhoneToken
	}
	return checks.proofSucceeded()
}

func (checks *fakeChecks) RedeemTicket(ctx context.Context, _ int64, ticket, browserSecret string, agreed, ofAge bool, _ rest.Visitor) (memberID, epoch int64, err error) {
	switch {
	case browserSecret != "the-one" || ticket != "known" && ticket != "new":
		return 0, 0, signin.ErrFailed.On("ticket")
	case ticket == "new" && !agreed:
		return 0, 0, signin.ErrRegister.With("ticket", "again")
	case ticket == "new" && !ofAge:
		return 0, 0, member.ErrAge.On("ageConfirmed").With("age", 18).With("ticket", "again")
	}
	if epoch, err = checks.epoch(ctx, checks.known); err != nil {
		return 0, 0, err
	}
	return checks.known, epoch, checks.proofSucceeded()
}

// serveWithChecks serves a site with an agent (minhanh92), a player, a staff account and a disabled player.
func serveWithChecks(t *testing.T, store *db.Store) (*loginSite, *fakeChecks) {
	t.Helper()
	s := newLoginSite(t, store)
	checks := &fakeChecks{known: s.memberID, epoch: s.members.Epoch}
	for username, m := range map[string]struct {
		kind   member.Type
		mobile string
	}{"thanhtung": {member.Player, playersMobile}, "service01": {member.Staff, "+84912345679"}, "closed001": {member.Player, "+84912345677"}} {
		id, err := s.members.Create(t.Context(), member.NewMember{
			MerchantID: s.ID, Username: username, Password: "qua-xanh7", Type: m.kind, Currency: "VND", Language: "vi",
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Store.Writer.ExecContext(t.Context(), fmt.Sprintf("UPDATE member SET mobile = '%s' WHERE id = %d", m.mobile, id)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Store.Writer.ExecContext(t.Context(), "UPDATE member SET status = 'disabled' WHERE account = 'closed001'"); err != nil {
		t.Fatal(err)
	}
	s.sessions = s.withChecks(t, s.members, checks)
	s.Serve(t, s.sessions, func(a *rest.API) { session.Routes(a, s.sessions) })
	s.setFlag(t, spec.FlagSMSLogin, true)
	return s, checks
}

func (s *loginSite) setFlag(t *testing.T, code spec.Flag, on bool) {
	t.Helper()
	if err := s.Merchants.SetSwitch(t.Context(), s.ID, merchant.SwitchOf(code, on)); err != nil {
		t.Fatal(err)
	}
}

func (s *loginSite) set(t *testing.T, name merchant.Setting, value string) {
	t.Helper()
	if err := s.Merchants.Set(t.Context(), s.ID, name, json.RawMessage(value)); err != nil {
		t.Fatal(err)
	}
}

type fields map[string]any

func sms(changes fields) fields {
	f := fields{"type": "sms", "username": "912345678", "password": rightCode, "countryDialingCode": "84"}
	maps.Copy(f, changes)
	return f
}

func firebase(changes fields) fields {
	f := fields{"type": "firebase", "firebaseMobileNo": "0912345678", "countryDialingCode": "84", "firebaseIdToken": "proves " + playersMobile, "firebaseChannel": "sms"}
	maps.Copy(f, changes)
	return f
}

const cookies = "outside=the-one; captcha=sealed"

// TestLoginTypes tests each login type and its faults, with plain and encrypted bodies.
func TestLoginTypes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s, _ := serveWithChecks(t, store)
		s.set(t, "login.captcha_after", "10")
		nonce := 0
		for name, c := range map[string]struct {
			request fields
			status  int
			body    string
		}{
			"SMS":                                {sms(nil), 200, playerGrant},
			"SMS with a leading zero and spaces": {sms(fields{"username": " 0912345678 "}), 200, playerGrant},
			"SMS with a wrong code": {sms(fields{"password": "000000"}), 422,
				`{"success":false,"message":"(varies)","errorCode":"verification.incorrect","field":"verificationCode"}`},
			"SMS with an unknown number and a wrong code": {sms(fields{"username": "987654321", "password": "000000"}), 422,
				`{"success":false,"message":"(varies)","errorCode":"verification.incorrect","field":"verificationCode"}`},
			"SMS with an unknown number": {sms(fields{"username": "987654321"}), 401, loginIncorrect},
			"SMS for a staff account": {sms(fields{"username": "912345679"}), 403,
				`{"success":false,"message":"(varies)","errorCode":"login.not_member"}`},
			"SMS for a disabled account": {sms(fields{"username": "912345677"}), 403,
				`{"success":false,"message":"(varies)","errorCode":"login.locked"}`},
			"SMS with a malformed number": {sms(fields{"username": "12ab"}), 400,
				`{"success":false,"message":"(varies)","errorCode":"member.mobile_format","field":"username","args":{"max":"20"}}`},
			"SMS without a country": {sms(fields{"countryDialingCode": ""}), 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"countryDialingCode"}`},
			"SMS without a code": {sms(fields{"password": ""}), 400,
				`{"success":false,"message":"(varies)","errorCode":"validation.required","field":"password"}`},
			"Firebase": {firebase(nil), 200, playerGrant},
			"Firebase with the token of another number": {firebase(fields{"firebaseMobileNo": "912345679"}), 422,
				`{"success":false,"message":"(varies)","errorCode":"outside.unproved"}`},
			"Firebase without a token": {firebase(fields{"firebaseIdToken": ""}), 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"firebaseIdToken"}`},
			"Firebase with an unknown number": {firebase(fields{"firebaseMobileNo": "987654321", "firebaseIdToken": "proves +84987654321"}), 401,
				loginIncorrect},
			"external":                        {fields{"type": "outside", "ticket": "known"}, 200, agentGrant},
			"external with an expired ticket": {fields{"type": "outside", "ticket": "stale"}, 422, externalFailed},
			"external without a ticket": {fields{"type": "outside"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"ticket"}`},
			"external, not registered": {fields{"type": "outside", "ticket": "new"}, 409,
				`{"success":false,"message":"(varies)","errorCode":"outside.register","args":{"ticket":"again"}}`},
			"external, registering": {fields{"type": "outside", "ticket": "new", "agreement": true, "ageConfirmed": true}, 200, agentGrant},
			"agents' area":          {fields{"username": "minhanh92", "password": "qua-xanh7", "area": "agent"}, 200, agentGrant},
			"agents' area for a player": {fields{"username": "thanhtung", "password": "qua-xanh7", "area": "agent"}, 403,
				`{"success":false,"message":"(varies)","errorCode":"login.not_agent"}`},
			"agents' area for a player with a wrong password": {fields{"username": "thanhtung", "password": "qua-xanh8", "area": "agent"}, 401,
				loginIncorrect},
			"agents' area for a player by SMS": {sms(fields{"area": "agent"}), 403,
				`{"success":false,"message":"(varies)","errorCode":"login.not_agent"}`},
			"unknown area": {fields{"username": "minhanh92", "password": "qua-xanh7", "area": "moon"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"area"}`},
			"staff account": {fields{"username": "service01", "password": "qua-xanh7"}, 403,
				`{"success":false,"message":"(varies)","errorCode":"login.not_member"}`},
			"disabled account": {fields{"username": "closed001", "password": "qua-xanh7"}, 403,
				`{"success":false,"message":"(varies)","errorCode":"login.locked"}`},
			"disabled account with a wrong password": {fields{"username": "closed001", "password": "qua-xanh8"}, 401, loginIncorrect},
		} {
			t.Run("CA-20 part (login): "+name, func(t *testing.T) {
				merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", c.request, "Cookie", cookies), c.status, c.body, "token", "message")
				nonce++
				request := c.request
				if request["username"] == nil {
					request = with(request, fields{"username": "", "password": ""})
				}
				encrypted := s.encrypt(t, fmt.Sprintf("nonce-of-login-%d", nonce), request)
				reply := s.Call(t, "POST", "/wps/session/login", encrypted, "Encryption", "jwe", "Cookie", cookies)
				merchanttest.Want(t, reply, c.status, c.body, "token", "message")
			})
		}
		t.Run("PP-08 registering by a ticket requires the age confirmation", func(t *testing.T) {
			reply := s.Call(t, "POST", "/wps/session/login", fields{"type": "outside", "ticket": "new", "agreement": true}, "Cookie", cookies)
			merchanttest.Want(t, reply, 400, `{"success":false,"message":"(varies)","errorCode":"register.age_required","field":"ageConfirmed",
				"args":{"age":"18","ticket":"again"}}`, "message")
		})
		t.Run("ticket in another browser", func(t *testing.T) {
			merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", fields{"type": "outside", "ticket": "known"}), 422, externalFailed, "message")
		})
		s.setFlag(t, spec.FlagSMSLogin, false)
		t.Run("login by number is off", func(t *testing.T) {
			merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", sms(nil)), 403, accessDenied, "message")
			merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", firebase(nil)), 403, accessDenied, "message")
		})
	})
}

func with(a, b fields) fields {
	merged := maps.Clone(a)
	maps.Copy(merged, b)
	return merged
}

// The captcha argument of a failure is the same for unknown accounts.
func TestCaptchaAfterFailures(t *testing.T) {
	t.Parallel()
	for _, username := range []string{"minhanh92", "unknown123"} {
		t.Run(username, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				s, _ := serveWithChecks(t, store)
				wrong := fields{"username": username, "password": "qua-xanh8"}
				call := func(status int, want string, body fields) {
					t.Helper()
					merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", body, "Cookie", cookies), status, want, "token", "message")
				}
				s.set(t, "login.captcha_after", "2")
				call(401, loginIncorrect, wrong)
				call(401, loginIncorrectCaptcha, wrong)
				call(400, captchaRequired, wrong)
				call(422, `{"success":false,"message":"(varies)","errorCode":"captcha.incorrect","field":"captcha","args":{"captcha":"true"}}`, with(wrong, fields{"captcha": "000000"}))
				call(401, loginIncorrectCaptcha, with(wrong, fields{"captcha": captchaAnswer}))
				call(200, playerGrant, fields{"username": "thanhtung", "password": "qua-xanh7"}) // other accounts need none
				if username == "minhanh92" {
					call(400, captchaRequired, fields{"username": username, "password": "qua-xanh7"})
					call(200, agentGrant, fields{"username": username, "password": "qua-xanh7", "captcha": captchaAnswer})
					call(200, agentGrant, fields{"username": username, "password": "qua-xanh7"}) // failures are reset
					call(401, loginIncorrect, wrong)
					s.Clock.Add(16 * time.Minute)
				} else {
					s.Clock.Add(31 * time.Minute)
				}
				call(401, loginIncorrect, wrong) // failures have expired
			})
		})
	}
}

func TestCaptchaAlwaysAndNever(t *testing.T) {
	t.Parallel()
	s, _ := serveWithChecks(t, dbtest.SQLite(t))
	s.set(t, "login.captcha_after", "0")
	merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", validLogin), 400, captchaRequired, "message")
	merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login",
		fields{"username": "minhanh92", "password": "qua-xanh8", "captcha": captchaAnswer}, "Cookie", cookies), 401, loginIncorrectCaptcha, "message")
	off := merchant.SwitchOf(spec.ModuleCaptcha, false)
	if err := s.Merchants.SetSwitch(t.Context(), s.ID, off); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", loginRequest{Username: "minhanh92", Password: "qua-xanh8"}), 401, loginIncorrect, "message")
	}
}

// After failures with many usernames, a network needs the captcha for every account.
func TestCaptchaForNetwork(t *testing.T) {
	t.Parallel()
	s, _ := serveWithChecks(t, dbtest.SQLite(t))
	for i := range 9 {
		reply := s.Call(t, "POST", "/wps/session/login", fields{"username": fmt.Sprintf("unknown%d", i), "password": "qua-xanh8"})
		merchanttest.Want(t, reply, 401, loginIncorrectCaptcha, "message") // for that account
	}
	merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", validLogin), 200, agentGrant, "token", "message")
	s.Call(t, "POST", "/wps/session/login", fields{"username": "unknown10", "password": "qua-xanh8"})
	merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", validLogin), 400, captchaRequired, "message")
	s.Clock.Add(2 * time.Minute)
	merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", validLogin), 200, agentGrant, "token", "message")
}

func TestSliderChallenge(t *testing.T) {
	t.Parallel()
	s, checks := serveWithChecks(t, dbtest.SQLite(t))
	s.set(t, "login.slider", "true")
	call := func(status int, want string, body fields) {
		t.Helper()
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", body, "Cookie", cookies), status, want, "token", "message")
	}
	call(400, `{"success":false,"message":"(varies)","errorCode":"challenge.required","field":"challenge"}`,
		fields{"username": "minhanh92", "password": "qua-xanh7"})
	call(422, `{"success":false,"message":"(varies)","errorCode":"challenge.invalid","field":"challenge"}`,
		fields{"username": "minhanh92", "password": "qua-xanh7", "challenge": "old"})
	call(200, agentGrant, fields{"username": "minhanh92", "password": "qua-xanh7", "challenge": "pass"})
	call(200, playerGrant, sms(nil)) // LG-06: only username logins require the slider
	call(401, loginIncorrectCaptcha, fields{"username": "minhanh92", "password": "qua-xanh8", "challenge": "pass"})
	checked := checks.passes
	call(400, captchaRequired, fields{"username": "minhanh92", "password": "qua-xanh7", "challenge": "pass"})
	if checks.passes != checked {
		t.Error("a login without the captcha used up a pass")
	}
	call(400, `{"success":false,"message":"(varies)","errorCode":"challenge.required","field":"challenge","args":{"captcha":"true"}}`,
		fields{"username": "minhanh92", "password": "qua-xanh7", "captcha": captchaAnswer})
	call(200, agentGrant, fields{"type": "outside", "ticket": "known"}) // external logins need no slider
}

// SE-02 part (proof of work): the proof is checked first, so that a refusal does not use up the slider pass or the image.
func TestProofOfWork(t *testing.T) {
	t.Parallel()
	s, checks := serveWithChecks(t, dbtest.SQLite(t))
	s.set(t, "login.slider", "true")
	checks.needsWork = true
	call := func(status int, want string, body fields) {
		t.Helper()
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", body, "Cookie", cookies), status, want, "token", "message")
	}
	call(422, `{"success":false,"message":"(varies)","errorCode":"proof.required","args":{"cost":"20"}}`,
		fields{"username": "minhanh92", "password": "qua-xanh7", "challenge": "pass"})
	if checks.passes != 0 || len(checks.failed) != 0 {
		t.Errorf("a login without the proof used %d passes and counted %d failures, want none", checks.passes, len(checks.failed))
	}
	call(422, `{"success":false,"message":"(varies)","errorCode":"challenge.invalid","field":"challenge"}`,
		fields{"username": "minhanh92", "password": "qua-xanh7", "challenge": "old", "proofOfWork": "solved"})
	call(200, agentGrant, fields{"username": "minhanh92", "password": "qua-xanh7", "challenge": "pass", "proofOfWork": "solved"})
	call(401, loginIncorrectCaptcha, fields{"username": "minhanh92", "password": "qua-xanh8", "challenge": "pass", "proofOfWork": "solved"})
	if len(checks.failed) != 2 || checks.failed[0].Account != "" || checks.failed[1].Account != "minhanh92" {
		t.Errorf("counted failures = %+v, want a slider's without an account and a password's of minhanh92", checks.failed)
	}
}

// Logins refused before the credentials are checked do not count as failures.
func TestRefusedLoginIsNotCounted(t *testing.T) {
	t.Parallel()
	s, _ := serveWithChecks(t, dbtest.SQLite(t))
	s.set(t, "login.captcha_after", "0")
	for range 20 {
		if reply := s.Call(t, "POST", "/wps/session/login", validLogin); reply.Status != 400 {
			t.Fatalf("got %d %s, want 400", reply.Status, reply.Body)
		}
	}
	for range 8 {
		wrong := sms(fields{"password": "000000", "captcha": captchaAnswer})
		if reply := s.Call(t, "POST", "/wps/session/login", wrong, "Cookie", cookies); reply.Status != 422 {
			t.Fatalf("got %d %s, want 422", reply.Status, reply.Body)
		}
	}
	reply := s.Call(t, "POST", "/wps/session/login", sms(fields{"captcha": captchaAnswer}), "Cookie", cookies)
	merchanttest.Want(t, reply, 429, limited) // wrong codes count
}
