package account_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"testing"

	"fairground/internal/identity/account"
	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret/secrettest"
)

// interruptedMembers runs interrupt after the credentials are checked and before the session opens.
type interruptedMembers struct {
	*member.Service
	interrupt func()
}

func (s interruptedMembers) Admit(ctx context.Context, id int64) (rest.MemberType, error) {
	kind, err := s.Service.Admit(ctx, id)
	s.interrupt()
	return kind, err
}

func TestSE01EndingSessionsEndsLoginsInProgress(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.member(t, "minhanh92", "qua-xanh7", member.Player)
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			name      string
			interrupt func()
			want      error
		}{
			{"no interruption", func() {}, nil},
			{"account closed", func() { must(h.accounts.Disable(t.Context(), h.ID, "minhanh92")) }, member.ErrOvertaken},
			{"account closed and reopened", func() {
				must(h.accounts.Disable(t.Context(), h.ID, "minhanh92"))
				must(h.accounts.Enable(t.Context(), h.ID, "minhanh92"))
			}, member.ErrOvertaken},
			{"password changed", func() {
				token := h.login(t, "minhanh92", "qua-xanh7")
				reply := h.Call(t, "PUT", changePath, change("qua-xanh7", "qua-do-999", "qua-do-999"), "Authorization", token)
				if reply.Status != http.StatusOK {
					t.Errorf("got %d %s, want 200", reply.Status, reply.Body)
				}
			}, member.ErrOvertaken},
		} {
			t.Run(c.name, func(t *testing.T) {
				must(h.accounts.Enable(t.Context(), h.ID, "minhanh92"))
				keys, err := secrettest.Open(t.Context(), store, h.Clock.Now)
				must(err)
				sessions, err := session.New(session.Options{
					Store: store, Bus: h.Bus, Members: interruptedMembers{h.members, c.interrupt}, Settings: h.Merchants, Captchas: h.Server.Captchas, Breaks: h.Server.Limits,
					Limiter: ratelimit.NewStored(store, keys, h.Clock.Now), IDs: h.IDs, Now: h.Clock.Now, Log: slog.New(slog.DiscardHandler),
				})
				must(err)
				t.Cleanup(sessions.Close)
				g, err := sessions.Login(t.Context(), session.Credentials{MerchantID: h.ID, Username: "minhanh92", Password: "qua-xanh7", Address: "192.0.2.1"})
				if !errors.Is(err, c.want) || (g.Token == "") != (c.want != nil) {
					t.Errorf("login = %+v, %v, want error %v", g, err, c.want)
				}
			})
		}
	})
}

func TestSE01ConcurrentLoginsEndWithThePasswordChange(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		var all sync.WaitGroup
		var mu sync.Mutex
		var tokens []string
		for range 12 {
			all.Go(func() {
				g, err := h.sessions.Login(t.Context(), session.Credentials{MerchantID: h.ID, Username: "minhanh92", Password: "qua-xanh7", Address: "192.0.2.1"})
				mu.Lock()
				defer mu.Unlock()
				if err == nil { // others are too late or limited
					tokens = append(tokens, g.Token)
				}
			})
		}
		all.Go(func() {
			reply := h.Call(t, "PUT", changePath, change("qua-xanh7", "qua-do-999", "qua-do-999"), "Authorization", token)
			if reply.Status != http.StatusOK {
				t.Errorf("got %d %s, want 200", reply.Status, reply.Body)
			}
		})
		all.Wait()
		for _, token := range tokens {
			if h.isLoggedIn(t.Context(), token) {
				t.Error("a session of the old password is still active")
			}
		}
		if n := h.count(t, "session WHERE ended_at IS NULL"); n != 1 {
			t.Errorf("%d active sessions, want only the caller's new one", n)
		}
	})
}

// interruptedPasswords runs interrupt after a password check.
type interruptedPasswords struct {
	account.Passwords
	interrupt func()
}

func (p interruptedPasswords) Matches(ctx context.Context, stored, password string) (bool, error) {
	right, err := p.Passwords.Matches(ctx, stored, password)
	p.interrupt()
	return right, err
}

func TestSE01EndingSessionsEndsChangesInProgress(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		interrupt := func() {}
		o := h.options()
		o.Codes = acceptAllCodes{}
		o.Passwords = interruptedPasswords{Passwords: o.Passwords, interrupt: func() { interrupt() }}
		service := account.New(o)
		self := account.Self{Caller: rest.Caller{MemberID: id, MerchantID: h.ID}}
		const password = "qua-xanh7"
		for name, change := range map[string]func() error{
			"a number": func() error {
				return service.BindMobile(t.Context(), self, map[string]string{"mobileNum": "0912345678", "countryDialingCode": "84", "verificationCode": "000000", "password": password})
			},
			"an address": func() error {
				return service.BindEmail(t.Context(), self, map[string]string{"email": "a@b.co", "verificationCode": "000000", "password": password})
			},
			"a question": func() error {
				return service.SetQuestion(t.Context(), self, map[string]string{"question": "first_pet", "answer": "Mun", "password": password})
			},
			"a payment password": func() error {
				return service.SetPaymentPassword(t.Context(), self, map[string]string{"paymentPassword": "246810", "confirmPaymentPassword": "246810", "password": password})
			},
		} {
			interrupt = func() {
				if err := h.accounts.Disable(t.Context(), h.ID, "minhanh92"); err != nil {
					t.Errorf("Disable: got %v, want no error", err)
				}
				if err := h.accounts.Enable(t.Context(), h.ID, "minhanh92"); err != nil {
					t.Errorf("Enable: got %v, want no error", err)
				}
			}
			if err := change(); !errors.Is(err, member.ErrOvertaken) {
				t.Errorf("%s: %v, want ErrOvertaken", name, err)
			}
		}
		if n := h.count(t, "member WHERE mobile IS NULL AND email IS NULL AND question = '' AND payment_hash = ''"); n != 1 {
			t.Error("a change was written")
		}
	})
}
