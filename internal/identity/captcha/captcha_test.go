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
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

type site struct {
	*merchanttest.Site
	keys     *secret.Keys
	captchas *captcha.Service
}

// newSite serves the captchas, and a call that asks for a challenge as a login does.
func newSite(t *testing.T, store *db.Store, change func(*captcha.Options)) *site {
	t.Helper()
	s := &site{Site: merchanttest.New(t, store)}
	var err error
	if s.keys, err = secret.Open(t.Context(), store, s.Clock.Now); err != nil {
		t.Fatal(err)
	}
	o := captcha.Options{
		Store: store, Keys: s.keys, Limiter: ratelimit.NewStored(store, s.keys, s.Clock.Now), Settings: s.Merchants,
		Now: s.Clock.Now, Client: outgoing.New(loopback), Patience: time.Minute,
	}
	if change != nil {
		change(&o)
	}
	s.captchas = captcha.New(o)
	t.Cleanup(s.captchas.Close)
	s.Serve(t, merchanttest.Tokens{}, func(a *rest.API) {
		captcha.Routes(a, s.captchas)
		doorRoutes(a, s.captchas)
	})
	return s
}

func (s *site) image(t *testing.T) (cookie, answer string) {
	t.Helper()
	reply := s.Call(t, "GET", "/wps/captcha", nil)
	if picture := merchanttest.Value[string](t, reply); !strings.HasPrefix(picture, "data:image/png;base64,iVBOR") {
		t.Fatalf("%.40s", picture)
	}
	set, err := http.ParseSetCookie(reply.Header.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	return set.Value, s.answer(t, set.Value)
}

// answer looks into the sealed cookie, as only the server can.
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

// other is a wrong answer.
func other(answer string) string {
	if answer[0] == '9' {
		return "8" + answer[1:]
	}
	return "9" + answer[1:]
}

func TestCA03Image(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		t.Run("CA-03 the answer's form and its cookie", func(t *testing.T) {
			reply := s.Call(t, "GET", "/wps/captcha", nil)
			merchanttest.Golden(t, "image", reply, "value")
			set, err := http.ParseSetCookie(reply.Header.Get("Set-Cookie"))
			if err != nil {
				t.Fatal(err)
			}
			if set.Name != "captcha" || !set.HttpOnly || set.SameSite != http.SameSiteStrictMode || set.Path != "/wps" || set.MaxAge != 300 || set.Secure {
				t.Errorf("%+v", set)
			}
			if got := reply.Header.Get("Cache-Control"); got != "no-store" {
				t.Errorf("may be kept: %q", got)
			}
		})
		t.Run("the right answer, once", func(t *testing.T) {
			cookie, answer := s.image(t)
			if err := s.captchas.CheckImage(t.Context(), cookie, " "+answer+" "); err != nil {
				t.Errorf("%v", err)
			}
			if err := s.captchas.CheckImage(t.Context(), cookie, answer); !errors.Is(err, captcha.ErrIncorrect) {
				t.Errorf("replayed: %v", err)
			}
		})
		t.Run("a wrong answer uses the picture up", func(t *testing.T) {
			cookie, answer := s.image(t)
			for _, given := range []string{other(answer), answer} {
				if err := s.captchas.CheckImage(t.Context(), cookie, given); !errors.Is(err, captcha.ErrIncorrect) {
					t.Errorf("%v", err)
				}
			}
		})
		t.Run("an empty answer does not", func(t *testing.T) {
			cookie, answer := s.image(t)
			for _, given := range [][2]string{{cookie, ""}, {cookie, "  "}, {"", answer}, {"", ""}} {
				if err := s.captchas.CheckImage(t.Context(), given[0], given[1]); !errors.Is(err, captcha.ErrRequired) {
					t.Errorf("%v", err)
				}
			}
			if err := s.captchas.CheckImage(t.Context(), cookie, answer); err != nil {
				t.Errorf("%v", err)
			}
		})
		t.Run("too late, another's, or no cookie of ours", func(t *testing.T) {
			cookie, answer := s.image(t)
			foreign, its := s.image(t)
			for its == answer {
				foreign, its = s.image(t)
			}
			for what, given := range map[string]string{
				"another picture's": foreign, "a damaged one": cookie[:len(cookie)-2], "nonsense": "x", "too long": strings.Repeat("A", 9000),
			} {
				if err := s.captchas.CheckImage(t.Context(), given, answer); !errors.Is(err, captcha.ErrIncorrect) {
					t.Errorf("%s: %v", what, err)
				}
			}
			s.Clock.Add(5 * time.Minute)
			if err := s.captchas.CheckImage(t.Context(), cookie, answer); !errors.Is(err, captcha.ErrIncorrect) {
				t.Errorf("too late: %v", err)
			}
		})
		t.Run("digits of other scripts are no answer", func(t *testing.T) {
			cookie, answer := s.image(t)
			wide := strings.Map(func(r rune) rune { return r - '0' + '０' }, answer)
			if err := s.captchas.CheckImage(t.Context(), cookie, wide); !errors.Is(err, captcha.ErrIncorrect) {
				t.Errorf("%v", err)
			}
		})
	})
}

// However many answer at once, one picture lets one through.
func TestParallelAnswers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		cookie, answer := s.image(t)
		var through atomic.Int64
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if s.captchas.CheckImage(t.Context(), cookie, answer) == nil {
					through.Add(1)
				}
			})
		}
		wg.Wait()
		if n := through.Load(); n != 1 {
			t.Errorf("%d came through", n)
		}
	})
}

func TestVA10Equation(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	if err := s.Merchants.Set(t.Context(), s.ID, "captcha.kind", json.RawMessage(`"equation"`)); err != nil {
		t.Fatal(err)
	}
	short := 0
	for range 10 {
		cookie, answer := s.image(t)
		if len(answer) < 6 {
			short++
		}
		if err := s.captchas.CheckImage(t.Context(), cookie, answer); err != nil {
			t.Errorf("%v", err)
		}
	}
	if short != 10 {
		t.Errorf("%d of 10 were sums", short)
	}
}

func TestImageModuleAndLimit(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	calls, reply := 0, merchanttest.Reply{Status: http.StatusOK}
	for ; reply.Status == http.StatusOK && calls < 100; calls++ { // while it runs, a slow machine gives tokens back
		reply = s.Call(t, "GET", "/wps/captcha", nil)
	}
	if calls < 21 {
		t.Errorf("limited after %d", calls)
	}
	merchanttest.Golden(t, "image_limited", reply)
	off := newSite(t, dbtest.SQLite(t), nil)
	if err := off.Merchants.SetSwitch(t.Context(), off.ID, captchaOff); err != nil {
		t.Fatal(err)
	}
	merchanttest.Golden(t, "image_off", off.Call(t, "GET", "/wps/captcha", nil))
}

func TestBrokenDatabase(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	cookie, answer := s.image(t)
	if _, err := s.Store.Writer.ExecContext(t.Context(), "DROP TABLE spent"); err != nil {
		t.Fatal(err)
	}
	t.Run("SE-15 the server's part: a proof that cannot be used up is no proof", func(t *testing.T) {
		t.Parallel()
		reply := s.Call(t, "POST", "/wps/captcha/code", map[string]string{"captcha": answer}, "Cookie", "captcha="+cookie)
		merchanttest.Golden(t, "code_broken", reply)
		if text := fmt.Sprint(string(reply.Body)); strings.Contains(text, "spent") || strings.Contains(text, answer) {
			t.Error(text)
		}
	})
}
