package captcha_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/captcha"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/humancheck"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

type challenge struct {
	Algorithm, Challenge, Salt, Signature string
	MaxNumber, ExpiresIn                  int
	Required                              bool
}

func (s *site) set(t *testing.T, name merchant.Setting, value string) {
	t.Helper()
	if err := s.Merchants.Set(t.Context(), s.ID, name, json.RawMessage(value)); err != nil {
		t.Fatal(err)
	}
}

func workSite(t *testing.T, store *db.Store, when string) *site {
	t.Helper()
	s := newSite(t, store, nil)
	s.set(t, merchant.CaptchaProofCost, "20") // keeps the tests quick
	s.set(t, "captcha.proof_of_work", `"`+when+`"`)
	return s
}

// work requests a proof of work. It also returns the device cookie that the response sets, if any.
func (s *site) work(t *testing.T, query string, headers ...string) (challenge, string) {
	t.Helper()
	reply := s.Call(t, "GET", "/wps/captcha/proof?"+query, nil, headers...)
	device := ""
	if set, err := http.ParseSetCookie(reply.Header.Get("Set-Cookie")); err == nil && set.Name == "device" {
		device = set.Value
	}
	return merchanttest.Value[challenge](t, reply), device
}

// solve returns the payload that ALTCHA's widget sends.
func solve(t *testing.T, c challenge) string {
	t.Helper()
	for number := range c.MaxNumber + 1 {
		if captcha.WorkDigest(c.Salt, number) == c.Challenge {
			return payload(t, c, number)
		}
	}
	t.Fatalf("no number up to %d solves the challenge", c.MaxNumber)
	return ""
}

func payload(t *testing.T, c challenge, number int) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"algorithm": c.Algorithm, "challenge": c.Challenge, "number": number, "salt": c.Salt, "signature": c.Signature, "took": 12,
	})
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(text)
}

func (s *site) attempt(account, proof string) humancheck.Attempt {
	return humancheck.Attempt{MerchantID: s.ID, Purpose: humancheck.ForLogin, Network: "192.0.2.1", Account: account, Proof: proof}
}

// requiredCost returns the cost that an attempt without a proof requires, or "".
func requiredCost(t *testing.T, s *site, a humancheck.Attempt) string {
	t.Helper()
	err := s.captchas.CheckProof(t.Context(), a)
	var f *fault.Fault
	if errors.As(err, &f) && errors.Is(err, captcha.ErrProofRequired) {
		return f.Args["cost"]
	}
	if err != nil {
		t.Fatal(err)
	}
	return ""
}

func fail(t *testing.T, s *site, a humancheck.Attempt, times int) {
	t.Helper()
	for range times {
		if err := s.captchas.CountFailure(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSE02PartProofOfWork(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := workSite(t, store, "always")
		check := func(a humancheck.Attempt) error { return s.captchas.CheckProof(t.Context(), a) }
		wantRefused := func(t *testing.T, a humancheck.Attempt) {
			t.Helper()
			if err := check(a); !errors.Is(err, captcha.ErrProofRequired) {
				t.Errorf("got %v, want ErrProofRequired", err)
			}
		}
		t.Run("response", func(t *testing.T) {
			reply := s.Call(t, "GET", "/wps/captcha/proof?purpose=login", nil)
			merchanttest.Want(t, reply, 200, `{"success":true,"value":{"algorithm":"SHA-256","challenge":"(varies)","maxnumber":20,
				"salt":"(varies)","signature":"(varies)","required":true,"expiresIn":600}}`, "challenge", "salt", "signature")
			set, err := http.ParseSetCookie(reply.Header.Get("Set-Cookie"))
			if err != nil || set.Name != "device" || !set.HttpOnly || set.SameSite != http.SameSiteStrictMode || set.Path != "/wps" {
				t.Errorf("cookie = %+v, %v, want an HttpOnly cookie device", set, err)
			}
			merchanttest.Want(t, s.Call(t, "GET", "/wps/captcha/proof?purpose=wish", nil), 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"purpose"}`, "message")
		})
		t.Run("a solved challenge is valid once", func(t *testing.T) {
			c, _ := s.work(t, "purpose=login")
			a := s.attempt("anna", solve(t, c))
			if err := check(a); err != nil {
				t.Errorf("solved: %v", err)
			}
			wantRefused(t, a)
		})
		t.Run("missing, forged or for another purpose or network", func(t *testing.T) {
			wantRefused(t, s.attempt("anna", ""))
			c, _ := s.work(t, "purpose=login")
			proof := solve(t, c)
			forged := c
			forged.Signature = strings.Repeat("0", 64)
			wantRefused(t, s.attempt("anna", solve(t, forged)))
			ownSalt := c
			ownSalt.Salt = strings.Replace(c.Salt, "expires=", "expires=9", 1)
			ownSalt.Challenge = captcha.WorkDigest(ownSalt.Salt, 1)
			wantRefused(t, s.attempt("anna", payload(t, ownSalt, 1)))
			other := s.attempt("anna", proof)
			other.Purpose = humancheck.ForRegister
			wantRefused(t, other)
			other = s.attempt("anna", proof)
			other.Network = "203.0.113.1"
			wantRefused(t, other)
			if err := check(s.attempt("anna", proof)); err != nil {
				t.Errorf("the refused attempts used the proof up: %v", err)
			}
		})
		t.Run("expired", func(t *testing.T) {
			c, _ := s.work(t, "purpose=login")
			s.Clock.Add(10 * time.Minute)
			wantRefused(t, s.attempt("anna", solve(t, c)))
		})
		t.Run("too cheap", func(t *testing.T) {
			cheapWork, _ := s.work(t, "purpose=login")
			a := s.attempt("bert", solve(t, cheapWork))
			fail(t, s, a, 5)
			wantRefused(t, a)
			if cost := requiredCost(t, s, a); cost != "40" {
				t.Errorf("cost after 5 failures = %s, want 40", cost)
			}
			costlyWork, _ := s.work(t, "purpose=login&cost=40")
			if costlyWork.MaxNumber != 40 {
				t.Errorf("maxnumber = %d, want the requested 40", costlyWork.MaxNumber)
			}
			if err := check(s.attempt("bert", solve(t, costlyWork))); err != nil {
				t.Errorf("proof of the required cost: %v", err)
			}
		})
		t.Run("off", func(t *testing.T) {
			s.set(t, "captcha.proof_of_work", `"off"`)
			if err := check(s.attempt("bert", "")); err != nil {
				t.Errorf("got %v, want nil", err)
			}
		})
	})
}

// Replicas share the counts, because they are in the database.
func TestSE02PartCostRisesAndFalls(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			o := dbtest.Migrated(t, e)
			s := workSite(t, dbtest.Open(t, o), "after_failures")
			replica := newSite(t, dbtest.Open(t, o), nil)
			want := func(a humancheck.Attempt, cost string) {
				t.Helper()
				if got := requiredCost(t, replica, a); got != cost {
					t.Errorf("required cost = %q, want %q", got, cost)
				}
			}
			carl := s.attempt("carl", "")
			fail(t, s, carl, 3)
			want(carl, "")
			for _, cost := range []string{"20", "40", "80", "160", "320", "640", "640"} {
				fail(t, s, carl, 1)
				want(carl, cost)
			}
			other := s.attempt("dora", "")
			want(other, "")
			advance := func(by time.Duration) { s.Clock.Add(by); replica.Clock.Add(by) }
			advance(15 * time.Minute)
			want(carl, "320")
			advance(5 * 15 * time.Minute)
			want(carl, "")
			fail(t, s, carl, 2)
			want(carl, "40")
			if err := s.captchas.ForgetFailures(t.Context(), carl); err != nil {
				t.Fatal(err)
			}
			want(carl, "")

			advance(24 * time.Hour)
			_, device := s.work(t, "purpose=login")
			withDevice := s.attempt("", "")
			withDevice.Device = device
			fail(t, s, withDevice, 4)
			want(withDevice, "20")
			want(other, "") // the network has a higher limit of failures
			withDevice.Network = "192.0.2.9"
			want(withDevice, "20") // the device keeps its count on another network
			fail(t, s, other, 17)  // 21 of the network; dora's own count is full of them
			stranger := s.attempt("emil", "")
			want(stranger, "20")
			stranger.Network = "192.0.2.10"
			want(stranger, "")

			// After the counts have fallen, the sweep deletes their rows.
			advance(24 * time.Hour)
			if err := s.Server.Limiter.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			rows := -1
			if err := s.Store.Writer.QueryRowContext(context.Background(), "SELECT count(*) FROM tally").Scan(&rows); err != nil || rows != 0 {
				t.Errorf("%d rows left, want 0 (%v)", rows, err)
			}
		})
	}
}
