package captcha_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/captcha"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

var captchaOff = merchant.SwitchOf(spec.ModuleCaptcha, false)

type doorInput struct {
	Body struct {
		Challenge string `json:"challenge"`
	}
}

// registerDoor is a call that takes a challenge, as login and registration do.
func doorRoutes(a *rest.API, s *captcha.Service) {
	rest.Wps(a, rest.Op{Method: http.MethodPost, Path: "/wps/check", ID: "check", Summary: "Check a challenge"},
		func(ctx context.Context, in *doorInput) (struct{}, error) {
			return struct{}{}, s.CheckPass(ctx, rest.NetworkOf(ctx), in.Body.Challenge)
		})
}

func (s *site) check(t *testing.T, challenge string) merchanttest.Reply {
	t.Helper()
	return s.Call(t, "POST", "/wps/check", map[string]string{"challenge": challenge})
}

type puzzle struct {
	ID                                             string
	Background, Piece                              string
	Width, Height, PieceWidth, PieceHeight, PieceY int
}

func (s *site) puzzle(t *testing.T) (id string, x float64) {
	t.Helper()
	p := merchanttest.Value[puzzle](t, s.Call(t, "GET", "/wps/captcha/slider", nil))
	var sealed struct {
		X int `json:"x"`
	}
	if _, err := s.keys.Unseal("captcha.slider", p.ID, &sealed); err != nil {
		t.Fatal(err)
	}
	return p.ID, float64(sealed.X)
}

type slid struct {
	ID string  `json:"id"`
	X  float64 `json:"x"`
}

func (s *site) slide(t *testing.T, id string, x float64) merchanttest.Reply {
	t.Helper()
	return s.Call(t, "POST", "/wps/captcha/slider", slid{id, x})
}

type granted struct{ Pass string }

func TestSlider(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		t.Run("RG-11 the server's part: the puzzle's form", func(t *testing.T) {
			reply := s.Call(t, "GET", "/wps/captcha/slider", nil)
			merchanttest.Golden(t, "slider", reply, "id", "background", "piece", "pieceY")
			p := merchanttest.Value[puzzle](t, reply)
			if !strings.HasPrefix(p.Background, "data:image/jpeg;base64,") || !strings.HasPrefix(p.Piece, "data:image/png;base64,") {
				t.Errorf("%.30s %.30s", p.Background, p.Piece)
			}
			if reply.Header.Get("Set-Cookie") != "" {
				t.Error("sets a cookie")
			}
		})
		t.Run("in its place it gives a pass, which opens once", func(t *testing.T) {
			id, x := s.puzzle(t)
			reply := s.slide(t, id, x+5)
			merchanttest.Golden(t, "slide", reply, "pass")
			pass := merchanttest.Value[granted](t, reply).Pass
			merchanttest.Golden(t, "check", s.check(t, " "+pass))
			merchanttest.Golden(t, "check_invalid", s.check(t, pass))
			merchanttest.Golden(t, "slide_invalid", s.slide(t, id, x))
		})
		t.Run("LG-06 the server's part: a miss uses the puzzle up", func(t *testing.T) {
			id, x := s.puzzle(t)
			merchanttest.Golden(t, "slide_missed", s.slide(t, id, x-5.5))
			merchanttest.Golden(t, "slide_invalid", s.slide(t, id, x))
		})
		t.Run("too late", func(t *testing.T) {
			id, x := s.puzzle(t)
			other, y := s.puzzle(t)
			pass := merchanttest.Value[granted](t, s.slide(t, other, y)).Pass
			s.Clock.Add(time.Minute)
			merchanttest.Golden(t, "slide_invalid", s.slide(t, id, x))
			s.Clock.Add(4 * time.Minute)
			merchanttest.Golden(t, "check_invalid", s.check(t, pass))
		})
		t.Run("one thing is no other", func(t *testing.T) {
			id, x := s.puzzle(t)
			cookie, _ := s.image(t)
			merchanttest.Golden(t, "check_invalid", s.check(t, id))
			merchanttest.Golden(t, "check_invalid", s.check(t, cookie))
			merchanttest.Golden(t, "check_invalid", s.check(t, `{"lot_number":"1"}`))
			merchanttest.Golden(t, "check_required", s.check(t, "  "))
			merchanttest.Golden(t, "slide_invalid", s.slide(t, cookie, x))
		})
		for name, body := range map[string]string{
			"slide_missing":  `{"id":"abc"}`,
			"slide_empty":    `{"id":"","x":1}`,
			"slide_negative": `{"id":"abc","x":-1}`,
			"slide_far":      `{"id":"abc","x":1e9}`,
			"slide_type":     `{"id":"abc","x":"12"}`,
			"slide_unknown":  `{"id":"abc","x":12,"y":3}`,
			"slide_long":     `{"id":"` + strings.Repeat("a", 1025) + `","x":1}`,
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Golden(t, name, s.Call(t, "POST", "/wps/captcha/slider", body), "message")
			})
		}
	})
}

// A pass is good where it was earned.
func TestPassesAreBoundToTheirNetwork(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	id, x := s.puzzle(t)
	pass := merchanttest.Value[granted](t, s.slide(t, id, x)).Pass
	if err := s.captchas.CheckPass(t.Context(), rest.NetworkOf(t.Context()), pass); err == nil { // no request, so no network
		t.Error("good elsewhere")
	}
	merchanttest.Golden(t, "check", s.check(t, pass)) // and not used up by that
}

func TestCodeGivesAPass(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		code := func(cookie, answer string) merchanttest.Reply {
			return s.Call(t, "POST", "/wps/captcha/code", map[string]string{"captcha": answer}, "Cookie", "captcha="+cookie)
		}
		cookie, answer := s.image(t)
		reply := code(cookie, answer)
		merchanttest.Golden(t, "code", reply, "pass")
		merchanttest.Golden(t, "code_incorrect", code(cookie, answer))
		merchanttest.Golden(t, "check", s.check(t, merchanttest.Value[granted](t, reply).Pass))
		cookie, answer = s.image(t)
		merchanttest.Golden(t, "code_incorrect", code(cookie, other(answer)))
		merchanttest.Golden(t, "code_required", code(cookie, ""))
		merchanttest.Golden(t, "code_required", s.Call(t, "POST", "/wps/captcha/code", map[string]string{"captcha": answer}))
		merchanttest.Golden(t, "code_long", code(cookie, strings.Repeat("1", 17)), "message")
		merchanttest.Golden(t, "code_unknown", s.Call(t, "POST", "/wps/captcha/code", `{"captcha":"1","answer":"2"}`), "message")
	})
}

// Answers of one network are counted in the database: another replica knows of them.
func TestProofsAreLimited(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			o := dbtest.Migrated(t, e)
			one := newSite(t, dbtest.Open(t, o), nil)
			two := newSite(t, dbtest.Open(t, o), nil)
			for range 15 {
				for _, s := range []*site{one, two} {
					if reply := s.slide(t, "abc", 1); reply.Status != http.StatusUnprocessableEntity {
						t.Fatalf("%d: %s", reply.Status, reply.Body)
					}
				}
			}
			merchanttest.Golden(t, "slide_limited", one.slide(t, "abc", 1))
			merchanttest.Golden(t, "slide_limited", two.slide(t, "abc", 1))
			two.Clock.Add(20 * time.Second)
			merchanttest.Golden(t, "slide_invalid", two.slide(t, "abc", 1))
		})
	}
}

func TestNoPuzzleAfterTheEnd(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	s.captchas.Close()
	s.captchas.Close() // twice is not an error
	merchanttest.Golden(t, "slider_unavailable", s.Call(t, "GET", "/wps/captcha/slider", nil))
}
