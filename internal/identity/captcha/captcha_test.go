package captcha_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/identity/captcha"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/outgoing"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

type site struct {
	*servertest.Site
	keys     *secret.Keys
	captchas *captcha.Service
}

// newSite serves the captcha endpoints and a test endpoint that checks a pass.
func newSite(t *testing.T, store *db.Store, change func(*captcha.Options)) *site {
	t.Helper()
	s := &site{Site: servertest.New(t, store)}
	s.keys = s.Server.Keys
	o := captcha.Options{
		Store: store, Keys: s.keys, Limiter: s.Server.Limiter, Settings: s.Merchants,
		Now: s.Clock.Now, Client: outgoing.New(loopback), PuzzleTimeout: time.Minute,
	}
	if change != nil {
		change(&o)
	}
	s.captchas = captcha.New(o)
	t.Cleanup(s.captchas.Close)
	s.Serve(t, merchanttest.Tokens{}, func(a *rest.API) {
		captcha.Routes(a, s.captchas)
		checkRoutes(a, s.captchas)
	})
	return s
}

func (s *site) image(t *testing.T) (cookie, answer string) {
	t.Helper()
	reply := s.Call(t, "GET", "/wps/captcha", nil)
	if image := merchanttest.Value[string](t, reply); !strings.HasPrefix(image, "data:image/png;base64,iVBOR") {
		t.Fatalf("image = %.40s, want a PNG as a data URL", image)
	}
	set, err := http.ParseSetCookie(reply.Header.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	return set.Value, s.answer(t, set.Value)
}

// answer unseals the cookie with the server's keys.
func (s *site) answer(t *testing.T, cookie string) string {
	t.Helper()
	var sealed struct {
		A string `json:"a"`
	}
	if _, err := s.keys.Unseal("captcha.image", cookie, &sealed); err != nil {
		t.Fatal(err)
	}
	return sealed.A
}

func wrongAnswer(answer string) string {
	if answer[0] == '9' {
		return "8" + answer[1:]
	}
	return "9" + answer[1:]
}

func TestCA03Image(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		t.Run("CA-03 response format and cookie", func(t *testing.T) {
			reply := s.Call(t, "GET", "/wps/captcha", nil)
			merchanttest.Want(t, reply, 200, `{"success":true,"value":"(varies)"}`, "value")
			set, err := http.ParseSetCookie(reply.Header.Get("Set-Cookie"))
			if err != nil {
				t.Fatal(err)
			}
			if set.Name != "captcha" || !set.HttpOnly || set.SameSite != http.SameSiteStrictMode || set.Path != "/wps" || set.MaxAge != 300 || set.Secure {
				t.Errorf("cookie = %+v, want captcha for /wps, HttpOnly and strict, for 300 seconds", set)
			}
			if got := reply.Header.Get("Cache-Control"); got != "no-store" {
				t.Errorf("Cache-Control = %q, want no-store", got)
			}
		})
		t.Run("right answer is accepted once", func(t *testing.T) {
			cookie, answer := s.image(t)
			if err := s.captchas.CheckImage(t.Context(), cookie, " "+answer+" "); err != nil {
				t.Errorf("right answer: %v", err)
			}
			if err := s.captchas.CheckImage(t.Context(), cookie, answer); !errors.Is(err, captcha.ErrIncorrect) {
				t.Errorf("replay: got %v, want ErrIncorrect", err)
			}
		})
		t.Run("wrong answer uses the image up", func(t *testing.T) {
			cookie, answer := s.image(t)
			for _, given := range []string{wrongAnswer(answer), answer} {
				if err := s.captchas.CheckImage(t.Context(), cookie, given); !errors.Is(err, captcha.ErrIncorrect) {
					t.Errorf("CheckImage = %v, want ErrIncorrect", err)
				}
			}
		})
		t.Run("empty answer does not use the image up", func(t *testing.T) {
			cookie, answer := s.image(t)
			for _, given := range [][2]string{{cookie, ""}, {cookie, "  "}, {"", answer}, {"", ""}} {
				if err := s.captchas.CheckImage(t.Context(), given[0], given[1]); !errors.Is(err, captcha.ErrRequired) {
					t.Errorf("CheckImage = %v, want ErrRequired", err)
				}
			}
			if err := s.captchas.CheckImage(t.Context(), cookie, answer); err != nil {
				t.Errorf("%v", err)
			}
		})
		t.Run("expired, foreign or invalid cookie", func(t *testing.T) {
			cookie, answer := s.image(t)
			foreign, foreignAnswer := s.image(t)
			for foreignAnswer == answer {
				foreign, foreignAnswer = s.image(t)
			}
			for name, given := range map[string]string{
				"of another image": foreign, "truncated": cookie[:len(cookie)-2], "invalid": "x", "too long": strings.Repeat("A", 9000),
			} {
				if err := s.captchas.CheckImage(t.Context(), given, answer); !errors.Is(err, captcha.ErrIncorrect) {
					t.Errorf("cookie %s: got %v, want ErrIncorrect", name, err)
				}
			}
			s.Clock.Add(5 * time.Minute)
			if err := s.captchas.CheckImage(t.Context(), cookie, answer); !errors.Is(err, captcha.ErrIncorrect) {
				t.Errorf("expired cookie: got %v, want ErrIncorrect", err)
			}
		})
		t.Run("full-width digits are rejected", func(t *testing.T) {
			cookie, answer := s.image(t)
			wide := strings.Map(func(r rune) rune { return r - '0' + '０' }, answer)
			if err := s.captchas.CheckImage(t.Context(), cookie, wide); !errors.Is(err, captcha.ErrIncorrect) {
				t.Errorf("CheckImage = %v, want ErrIncorrect", err)
			}
		})
	})
}

func TestConcurrentRightAnswersPassOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		cookie, answer := s.image(t)
		var passed atomic.Int64
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if s.captchas.CheckImage(t.Context(), cookie, answer) == nil {
					passed.Add(1)
				}
			})
		}
		wg.Wait()
		if n := passed.Load(); n != 1 {
			t.Errorf("%d answers passed, want 1", n)
		}
	})
}

func TestVA10Equation(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	if err := s.Merchants.Set(t.Context(), s.ID, "captcha.kind", json.RawMessage(`"equation"`)); err != nil {
		t.Fatal(err)
	}
	equations := 0
	for range 10 {
		cookie, answer := s.image(t)
		if len(answer) < 6 {
			equations++
		}
		if err := s.captchas.CheckImage(t.Context(), cookie, answer); err != nil {
			t.Errorf("%v", err)
		}
	}
	if equations != 10 {
		t.Errorf("%d of 10 images were equations, want 10", equations)
	}
}

func TestImageModuleAndLimit(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	calls, reply := 0, merchanttest.Reply{Status: http.StatusOK}
	for ; reply.Status == http.StatusOK && calls < 100; calls++ { // on a slow machine the bucket refills meanwhile
		reply = s.Call(t, "GET", "/wps/captcha", nil)
	}
	if calls < 21 {
		t.Errorf("limited after %d calls, want at least 21", calls)
	}
	merchanttest.Want(t, reply, 429, `{"success":false,"message":"too many requests","errorCode":"rate.limited"}`)
	off := newSite(t, dbtest.SQLite(t), nil)
	if err := off.Merchants.SetSwitch(t.Context(), off.ID, captchaOff); err != nil {
		t.Fatal(err)
	}
	merchanttest.Want(t, off.Call(t, "GET", "/wps/captcha", nil), 403,
		`{"success":false,"message":"not allowed","errorCode":"module.off","args":{"module":"CAPTCHA3"}}`)
}

func TestBrokenDatabase(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	cookie, answer := s.image(t)
	if _, err := s.Store.Writer.ExecContext(t.Context(), "DROP TABLE spent"); err != nil {
		t.Fatal(err)
	}
	t.Run("SE-15 part (server): an answer that cannot be recorded is rejected", func(t *testing.T) {
		t.Parallel()
		reply := s.Call(t, "POST", "/wps/check/image", map[string]string{"captcha": answer}, "Cookie", "captcha="+cookie)
		merchanttest.Want(t, reply, 500, `{"success":false,"message":"system error","errorCode":"system.error","requestId":"(varies)"}`)
		if text := fmt.Sprint(string(reply.Body)); strings.Contains(text, "spent") || strings.Contains(text, answer) {
			t.Errorf("response reveals internals: %s", text)
		}
	})
}
