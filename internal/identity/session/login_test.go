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
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

const (
	hisMobile = "+84912345678"
	code      = "246813"
	picture   = "135790"
)

// gate stands in for captchas, codes and providers. It says what the real ones say.
type gate struct {
	known  int64 // who the ticket "known" stands for
	epoch  func(context.Context, int64) (int64, error)
	codes  int // that were looked at
	passes int
	proved func() // runs when a proof was found right, before the login goes on
}

func (g *gate) right() error {
	if g.proved != nil {
		g.proved()
	}
	return nil
}

func (g *gate) CheckImage(_ context.Context, cookie, answer string) error {
	switch {
	case answer == "":
		return captcha.ErrRequired.On("captcha")
	case cookie != "sealed" || answer != picture:
		return captcha.ErrIncorrect.On("captcha")
	}
	return nil
}

func (g *gate) CheckPass(_ context.Context, _, pass string) error {
	g.passes++
	switch pass {
	case "":
		return captcha.ErrChallengeRequired.On("challenge")
	case "pass":
		return nil
	}
	return captcha.ErrChallengeInvalid.On("challenge")
}

func (g *gate) Check(_ context.Context, of notify.Subject, _, given string) error {
	g.codes++
	if of.Channel != notify.SMS || of.Purpose != notify.ForLogin || given != code {
		return verification.ErrIncorrect.On("verificationCode")
	}
	return g.right()
}

func (g *gate) Prove(_ context.Context, token, e164 string) error {
	if token != "proves "+e164 {
		return signin.ErrUnproved
	}
	return g.right()
}

func (g *gate) Enter(ctx context.Context, _ int64, ticket, browser string, agreed, ofAge bool, _ rest.Visitor) (memberID, epoch int64, err error) {
	switch {
	case browser != "the-one" || ticket != "known" && ticket != "new":
		return 0, 0, signin.ErrFailed.On("ticket")
	case ticket == "new" && !agreed:
		return 0, 0, signin.ErrRegister.With("ticket", "again")
	case ticket == "new" && !ofAge:
		return 0, 0, member.ErrAge.On("ageConfirmed").With("age", 18).With("ticket", "again")
	}
	if epoch, err = g.epoch(ctx, g.known); err != nil {
		return 0, 0, err
	}
	return g.known, epoch, g.right()
}

// serveModes has three members: an agent by username, a player with a number, and a service account with another.
func serveModes(t *testing.T, store *db.Store) (*site, *gate) {
	t.Helper()
	s := newSite(t, store)
	g := &gate{known: s.memberID, epoch: s.members.Epoch}
	for username, m := range map[string]struct {
		kind   member.Type
		mobile string
	}{"thanhtung": {member.Player, hisMobile}, "service01": {member.Staff, "+84912345679"}, "closed001": {member.Player, "+84912345677"}} {
		id, err := s.members.Create(t.Context(), member.Draft{
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
	s.sessions = s.guarded(t, s.members, g)
	s.Serve(t, s.sessions, func(a *rest.API) { session.Routes(a, s.sessions) })
	s.flag(t, spec.FlagSMSLogin, true)
	return s, g
}

func (s *site) flag(t *testing.T, code spec.Flag, on bool) {
	t.Helper()
	if err := s.Merchants.SetSwitch(t.Context(), s.ID, merchant.SwitchOf(code, on)); err != nil {
		t.Fatal(err)
	}
}

func (s *site) set(t *testing.T, name merchant.Setting, value string) {
	t.Helper()
	if err := s.Merchants.Set(t.Context(), s.ID, name, json.RawMessage(value)); err != nil {
		t.Fatal(err)
	}
}

type fields map[string]any

func sms(changes fields) fields {
	f := fields{"type": "sms", "username": "912345678", "password": code, "countryDialingCode": "84"}
	maps.Copy(f, changes)
	return f
}

func firebase(changes fields) fields {
	f := fields{"type": "firebase", "firebaseMobileNo": "0912345678", "countryDialingCode": "84", "firebaseIdToken": "proves " + hisMobile, "firebaseChannel": "sms"}
	maps.Copy(f, changes)
	return f
}

const cookies = "outside=the-one; captcha=sealed"

// Each way to log in, and everything that each is refused with; sent as it is, and encrypted.
func TestWaysToLogIn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s, _ := serveModes(t, store)
		s.set(t, "login.captcha_after", "10")
		nonce := 0
		for name, body := range map[string]fields{
			"mode_sms":                 sms(nil),
			"mode_sms_zero":            sms(fields{"username": " 0912345678 "}),
			"mode_sms_wrong":           sms(fields{"password": "000000"}),
			"mode_sms_unknown_wrong":   sms(fields{"username": "987654321", "password": "000000"}),
			"mode_sms_unknown":         sms(fields{"username": "987654321"}),
			"mode_sms_service":         sms(fields{"username": "912345679"}),
			"mode_sms_closed":          sms(fields{"username": "912345677"}),
			"mode_sms_format":          sms(fields{"username": "12ab"}),
			"mode_sms_no_country":      sms(fields{"countryDialingCode": ""}),
			"mode_sms_no_code":         sms(fields{"password": ""}),
			"mode_firebase":            firebase(nil),
			"mode_firebase_other":      firebase(fields{"firebaseMobileNo": "912345679"}),
			"mode_firebase_none":       firebase(fields{"firebaseIdToken": ""}),
			"mode_firebase_unknown":    firebase(fields{"firebaseMobileNo": "987654321", "firebaseIdToken": "proves +84987654321"}),
			"mode_outside":             {"type": "outside", "ticket": "known"},
			"mode_outside_stale":       {"type": "outside", "ticket": "stale"},
			"mode_outside_none":        {"type": "outside"},
			"mode_outside_new":         {"type": "outside", "ticket": "new"},
			"mode_outside_agreed":      {"type": "outside", "ticket": "new", "agreement": true, "ageConfirmed": true},
			"mode_agent":               {"username": "minhanh92", "password": "qua-xanh7", "area": "agent"},
			"mode_agent_player":        {"username": "thanhtung", "password": "qua-xanh7", "area": "agent"},
			"mode_agent_player_wrong":  {"username": "thanhtung", "password": "qua-xanh8", "area": "agent"},
			"mode_agent_player_by_sms": sms(fields{"area": "agent"}),
			"mode_area_unknown":        {"username": "minhanh92", "password": "qua-xanh7", "area": "moon"},
			"mode_service":             {"username": "service01", "password": "qua-xanh7"},
			"mode_closed":              {"username": "closed001", "password": "qua-xanh7"},
			"mode_closed_wrong":        {"username": "closed001", "password": "qua-xanh8"},
		} {
			t.Run("CA-20 the login's part: "+name, func(t *testing.T) {
				merchanttest.Golden(t, name, s.Call(t, "POST", "/wps/session/login", body, "Cookie", cookies), "token", "message")
				nonce++
				sealed := s.seal(t, fmt.Sprintf("nonce-of-the-mode-%d", nonce), body)
				if body["username"] == nil {
					sealed = s.seal(t, fmt.Sprintf("nonce-of-the-mode-%d", nonce), with(body, fields{"username": "", "password": ""}))
				}
				merchanttest.Golden(t, name, s.Call(t, "POST", "/wps/session/login", sealed, "Encryption", "jwe", "Cookie", cookies), "token", "message")
			})
		}
		t.Run("PP-08 a ticket of nobody's with the agreement and without the age", func(t *testing.T) {
			reply := s.Call(t, "POST", "/wps/session/login", fields{"type": "outside", "ticket": "new", "agreement": true}, "Cookie", cookies)
			var said struct {
				Code, Field string
				Args        map[string]string
			}
			said.Code = errorCode(t, reply)
			if err := json.Unmarshal(reply.Body, &said); err != nil || reply.Status != 400 || said.Code != "register.age_required" ||
				said.Field != "ageConfirmed" || said.Args["age"] != "18" || said.Args["ticket"] != "again" {
				t.Errorf("%d %s", reply.Status, reply.Body)
			}
		})
		t.Run("a ticket in another browser", func(t *testing.T) {
			merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", fields{"type": "outside", "ticket": "known"}), 422, externalFailed, "message")
		})
		s.flag(t, spec.FlagSMSLogin, false)
		t.Run("numbers are switched off", func(t *testing.T) {
			merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", sms(nil)), 403, accessDenied, "message")
			merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", firebase(nil)), 403, accessDenied, "message")
		})
	})
}

func with(a, b fields) fields {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// A failure says that the next login needs the captcha; so it is for accounts that do not exist.
func TestCaptchaAfterFailures(t *testing.T) {
	t.Parallel()
	for _, username := range []string{"minhanh92", "nobody123"} {
		t.Run(username, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				s, _ := serveModes(t, store)
				wrong := fields{"username": username, "password": "qua-xanh8"}
				call := func(name string, body fields) {
					t.Helper()
					merchanttest.Golden(t, name, s.Call(t, "POST", "/wps/session/login", body, "Cookie", cookies), "token", "message")
				}
				s.set(t, "login.captcha_after", "2")
				call("captcha_not_yet", wrong)
				call("captcha_next", wrong)
				call("captcha_missing", wrong)
				call("captcha_wrong", with(wrong, fields{"captcha": "000000"}))
				call("captcha_next", with(wrong, fields{"captcha": picture}))
				call("login_thanhtung", fields{"username": "thanhtung", "password": "qua-xanh7"}) // a neighbour needs none
				if username == "minhanh92" {
					call("captcha_missing", fields{"username": username, "password": "qua-xanh7"})
					call("login", fields{"username": username, "password": "qua-xanh7", "captcha": picture})
					call("login", fields{"username": username, "password": "qua-xanh7"}) // its failures are forgiven
					call("captcha_not_yet", wrong)
					s.Clock.Add(16 * time.Minute)
				} else {
					s.Clock.Add(31 * time.Minute)
				}
				call("captcha_not_yet", wrong) // forgotten
			})
		})
	}
}

func TestCaptchaFromTheStartAndNever(t *testing.T) {
	t.Parallel()
	s, _ := serveModes(t, dbtest.SQLite(t))
	s.set(t, "login.captcha_after", "0")
	merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", right), 400, captchaRequired, "message")
	merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login",
		fields{"username": "minhanh92", "password": "qua-xanh8", "captcha": picture}, "Cookie", cookies), 401, loginIncorrectCaptcha, "message")
	off := merchant.SwitchOf(spec.ModuleCaptcha, false)
	if err := s.Merchants.SetSwitch(t.Context(), s.ID, off); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", loginBody{Username: "minhanh92", Password: "qua-xanh8"}), 401, loginIncorrect, "message")
	}
}

// One network that fails with many names is asked as well.
func TestCaptchaOfANetwork(t *testing.T) {
	t.Parallel()
	s, _ := serveModes(t, dbtest.SQLite(t))
	for i := range 9 {
		reply := s.Call(t, "POST", "/wps/session/login", fields{"username": fmt.Sprintf("nobody%d", i), "password": "qua-xanh8"})
		merchanttest.Want(t, reply, 401, loginIncorrectCaptcha, "message") // of that account
	}
	merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", right), 200, agentGrant, "token", "message")
	s.Call(t, "POST", "/wps/session/login", fields{"username": "nobody10", "password": "qua-xanh8"})
	merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", right), 400, captchaRequired, "message")
	s.Clock.Add(2 * time.Minute)
	merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", right), 200, agentGrant, "token", "message")
}

func TestSliderChallenge(t *testing.T) {
	t.Parallel()
	s, g := serveModes(t, dbtest.SQLite(t))
	s.set(t, "login.slider", "true")
	call := func(name string, body fields) {
		t.Helper()
		merchanttest.Golden(t, name, s.Call(t, "POST", "/wps/session/login", body, "Cookie", cookies), "token", "message")
	}
	call("slider_missing", fields{"username": "minhanh92", "password": "qua-xanh7"})
	call("slider_wrong", fields{"username": "minhanh92", "password": "qua-xanh7", "challenge": "old"})
	call("login", fields{"username": "minhanh92", "password": "qua-xanh7", "challenge": "pass"})
	call("mode_sms", sms(nil)) // LG-06: the slider is the username mode's
	call("captcha_next", fields{"username": "minhanh92", "password": "qua-xanh8", "challenge": "pass"})
	looked := g.passes
	call("captcha_missing", fields{"username": "minhanh92", "password": "qua-xanh7", "challenge": "pass"})
	if g.passes != looked {
		t.Error("a pass was used up by a login without the captcha")
	}
	call("slider_missing_captcha", fields{"username": "minhanh92", "password": "qua-xanh7", "captcha": picture})
	call("mode_outside", fields{"type": "outside", "ticket": "known"}) // the other service has seen to that
}

// What was refused before the proof was looked at is no guess.
func TestRefusedBeforeTheProofIsNoGuess(t *testing.T) {
	t.Parallel()
	s, _ := serveModes(t, dbtest.SQLite(t))
	s.set(t, "login.captcha_after", "0")
	for range 20 {
		if reply := s.Call(t, "POST", "/wps/session/login", right); reply.Status != 400 {
			t.Fatalf("%d %s", reply.Status, reply.Body)
		}
	}
	for range 8 {
		wrong := sms(fields{"password": "000000", "captcha": picture})
		if reply := s.Call(t, "POST", "/wps/session/login", wrong, "Cookie", cookies); reply.Status != 422 {
			t.Fatalf("%d %s", reply.Status, reply.Body)
		}
	}
	reply := s.Call(t, "POST", "/wps/session/login", sms(fields{"captcha": picture}), "Cookie", cookies)
	merchanttest.Want(t, reply, 429, limited) // wrong codes are guesses
}
