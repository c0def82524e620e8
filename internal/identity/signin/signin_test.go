package signin_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/signin"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/outgoing"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// A harness is a site where people log in through a fake provider. It implements signin.Members.
type harness struct {
	*servertest.Site
	provider *fakeProvider
	signin   *signin.Service
	tokens   merchanttest.Tokens // of members with a session

	mu           sync.Mutex
	registered   int64
	emailOnBreak string // address of a person on a break
	spentAtEpoch int
}

var errAge = fault.New(fault.Invalid, "register.age_required")

var errOnBreak = fault.New(fault.Refused, "limits.held")

// Epoch also stores the number of used tickets in spentAtEpoch.
func (h *harness) Epoch(ctx context.Context, _ int64) (int64, error) {
	return 7, h.Store.Writer.QueryRowContext(ctx, "SELECT COUNT(*) FROM spent").Scan(&h.spentAtEpoch)
}

func (h *harness) CanRegisterExternal(context.Context, int64) error { return nil }

func (h *harness) RegisterExternal(ctx context.Context, _ int64, ofAge bool, email string, _ rest.Visitor, link func(*db.Tx, int64) error) (int64, error) {
	if !ofAge {
		return 0, errAge
	}
	if email != "" && email == h.emailOnBreak {
		return 0, errOnBreak
	}
	h.mu.Lock()
	h.registered++
	id := 5000 + h.registered
	h.mu.Unlock()
	return id, h.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.AddMember(ctx, query.AddMemberParams{
			ID: id, MerchantID: h.ID, Account: fmt.Sprintf("u%d", id), Currency: "VND", Language: "vi", CreatedAt: db.Millis(h.Clock.Now()),
		})
		if err != nil {
			return err
		}
		return link(tx, id)
	})
}

func newHarness(t *testing.T, store *db.Store) *harness {
	t.Helper()
	h := &harness{Site: servertest.New(t, store), tokens: merchanttest.Tokens{}}
	h.provider = newFakeProvider(t, h.Clock.Now)
	h.signin = signin.New(signin.Options{
		Store: store, Keys: h.Server.Keys, Settings: h.Merchants, Members: h, Now: h.Clock.Now, Log: slog.New(slog.DiscardHandler),
		Client: outgoing.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), Site: siteOrigin,
		Google:   signin.Client{ID: clientID, Secret: clientSecret, URL: h.provider.URL},
		Facebook: signin.Client{ID: clientID, Secret: clientSecret, URL: h.provider.URL},
		Firebase: signin.Firebase{Project: clientID, KeysURL: h.provider.URL + "/keys"},
	})
	for _, flag := range []spec.Flag{spec.FlagGoogleLogin, spec.FlagFacebookLogin} {
		if err := h.Merchants.SetSwitch(t.Context(), h.ID, merchant.SwitchOf(flag, true)); err != nil {
			t.Fatal(err)
		}
	}
	h.Serve(t, h.tokens, func(a *rest.API) { signin.Routes(a, h.signin) })
	return h
}

// A browser stores the cookie of one person.
type browser struct {
	h      *harness
	cookie string
}

// visit requests a page, stores its cookie and returns the redirect.
func (b *browser) visit(t *testing.T, path string) *url.URL {
	t.Helper()
	reply := b.h.Call(t, http.MethodGet, path, nil, "Cookie", "outside="+b.cookie)
	if reply.Status != http.StatusFound {
		t.Fatalf("%s: status %d: %s, want 302", path, reply.Status, reply.Body)
	}
	b.storeCookie(t, reply)
	redirect, err := url.Parse(reply.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	return redirect
}

func (b *browser) storeCookie(t *testing.T, reply merchanttest.Reply) {
	t.Helper()
	for _, line := range reply.Header.Values("Set-Cookie") {
		c, err := http.ParseSetCookie(line)
		if err != nil || !c.HttpOnly || c.Path != "/wps/session" || c.SameSite == http.SameSiteNoneMode {
			t.Fatalf("cookie %q: %v, want one for /wps/session, HttpOnly, not for other sites", line, err)
		}
		b.cookie = c.Value
	}
}

// logInAtProvider logs in at the provider and returns the path of the redirect back.
func (b *browser) logInAtProvider(t *testing.T, redirect *url.URL) string {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, redirect.String(), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusFound {
		t.Fatalf("the provider responds to %s with status %d, want 302", redirect, reply.StatusCode)
	}
	return strings.TrimPrefix(reply.Header.Get("Location"), siteOrigin)
}

// completeFlow runs a complete login and returns the query of the final redirect to the login page.
func (b *browser) completeFlow(t *testing.T, name, query string) url.Values {
	t.Helper()
	redirect := b.visit(t, "/wps/session/outside/"+name+"/start"+query)
	if !strings.HasPrefix(redirect.String(), b.h.provider.URL) {
		t.Fatalf("redirect to %s, want the provider", redirect)
	}
	loginURL := b.visit(t, b.logInAtProvider(t, redirect))
	if loginURL.Path != "/m/login" || loginURL.Host != "" {
		t.Fatalf("last redirect to %s, want /m/login", loginURL)
	}
	return loginURL.Query()
}

func (b *browser) redeem(t *testing.T, ticket string, agreed bool) (int64, error) {
	t.Helper()
	id, _, err := b.h.signin.RedeemTicket(t.Context(), b.h.ID, ticket, b.cookie, agreed, agreed, rest.Visitor{})
	return id, err
}

func nextTicket(t *testing.T, err error) string {
	t.Helper()
	var f *fault.Fault
	if !errors.Is(err, signin.ErrRegister) || !errors.As(err, &f) || f.Args["ticket"] == "" {
		t.Fatalf("error = %v, want ErrRegister with a ticket", err)
	}
	return f.Args["ticket"]
}

func TestLG04ExternalAccounts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		for _, name := range []string{"google", "facebook"} {
			t.Run("LG-04 by "+name, func(t *testing.T) {
				h := newHarness(t, store)
				h.provider.person = name + "-" + string(store.Engine)
				b := &browser{h: h}
				q := b.completeFlow(t, name, "?return=%2Fm%2Fgame%3Fid%3D1")
				if q.Get("return") != "/m/game?id=1" {
					t.Errorf("return = %q, want /m/game?id=1", q.Get("return"))
				}
				_, err := b.redeem(t, q.Get("ticket"), false)
				newTicket := nextTicket(t, err)
				if _, err := b.redeem(t, q.Get("ticket"), true); !errors.Is(err, signin.ErrFailed) {
					t.Errorf("a used ticket: %v, want ErrFailed", err)
				}
				h.Clock.Add(14 * time.Minute)
				id, err := b.redeem(t, newTicket, true)
				if err != nil || id == 0 {
					t.Fatalf("member id = %d, %v, want an id", id, err)
				}
				otherBrowser := &browser{h: h}
				found, err := otherBrowser.redeem(t, otherBrowser.completeFlow(t, name, "").Get("ticket"), false)
				if err != nil || found != id {
					t.Errorf("member = %d, %v, want %d", found, err, id)
				}
				h.provider.person = "another person " + name
				_, err = otherBrowser.redeem(t, otherBrowser.completeFlow(t, name, "").Get("ticket"), false)
				nextTicket(t, err)
			})
		}
	})
}

func TestPP08ExternalRegistrationRequiresAge(t *testing.T) {
	t.Parallel()
	h := newHarness(t, dbtest.SQLite(t))
	b := &browser{h: h}
	_, _, err := h.signin.RedeemTicket(t.Context(), h.ID, b.completeFlow(t, "google", "").Get("ticket"), b.cookie, true, false, rest.Visitor{})
	var f *fault.Fault
	if !errors.Is(err, errAge) || !errors.As(err, &f) || f.Args["ticket"] == "" || h.registered != 0 {
		t.Fatalf("error = %v with %d members, want the age fault with a ticket and none", err, h.registered)
	}
	if id, _, err := h.signin.RedeemTicket(t.Context(), h.ID, f.Args["ticket"], b.cookie, true, true, rest.Visitor{}); err != nil || id == 0 {
		t.Errorf("with confirmed age: member = %d, %v, want a member", id, err)
	}
}

func TestTicketIsValidForOneBrowserAndOneMinute(t *testing.T) {
	t.Parallel()
	h := newHarness(t, dbtest.SQLite(t))
	b, thief := &browser{h: h}, &browser{h: h}
	thief.completeFlow(t, "google", "")
	ticket := b.completeFlow(t, "google", "").Get("ticket")
	for _, otherBrowser := range []*browser{thief, {h: h}} {
		if _, err := otherBrowser.redeem(t, ticket, true); !errors.Is(err, signin.ErrFailed) {
			t.Errorf("another browser's ticket: %v, want ErrFailed", err)
		}
	}
	if _, _, err := h.signin.RedeemTicket(t.Context(), h.ID+1, ticket, b.cookie, true, true, rest.Visitor{}); !errors.Is(err, signin.ErrFailed) {
		t.Errorf("at another merchant: %v, want ErrFailed", err)
	}
	h.Clock.Add(time.Minute)
	if _, err := b.redeem(t, ticket, true); !errors.Is(err, signin.ErrFailed) {
		t.Errorf("after a minute: %v, want ErrFailed", err)
	}
	if _, err := b.redeem(t, "nonsense", true); !errors.Is(err, signin.ErrFailed) {
		t.Errorf("nonsense: %v, want ErrFailed", err)
	}
}

func TestSE01EpochIsReadBeforeTicketIsUsed(t *testing.T) {
	t.Parallel()
	h := newHarness(t, dbtest.SQLite(t))
	b := &browser{h: h}
	if _, err := b.redeem(t, b.completeFlow(t, "google", "").Get("ticket"), true); err != nil {
		t.Fatal(err)
	}
	_, epoch, err := h.signin.RedeemTicket(t.Context(), h.ID, b.completeFlow(t, "google", "").Get("ticket"), b.cookie, false, false, rest.Visitor{})
	if err != nil || epoch != 7 || h.spentAtEpoch != 1 {
		t.Errorf("epoch = %d, read after %d used tickets, %v, want 7 after 1", epoch, h.spentAtEpoch, err)
	}
}

func TestConcurrentTicketsRegisterOneMember(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHarness(t, store)
		var wg sync.WaitGroup
		ids := make([]int64, 4)
		for i := range ids {
			b := &browser{h: h}
			ticket := b.completeFlow(t, "google", "").Get("ticket")
			wg.Go(func() {
				var err error
				if ids[i], err = b.redeem(t, ticket, true); err != nil {
					t.Errorf("got %v, want no error", err)
				}
			})
		}
		wg.Wait()
		for _, id := range ids {
			if id == 0 || id != ids[0] {
				t.Errorf("members = %v, want one", ids)
			}
		}
	})
}

func TestInvalidCallbacks(t *testing.T) {
	h := newHarness(t, dbtest.SQLite(t))
	wantFailure := func(t *testing.T, redirect *url.URL) {
		t.Helper()
		if redirect.String() != "/m/login?outside=failed" {
			t.Errorf("redirect to %s, want /m/login?outside=failed", redirect)
		}
	}
	logIn := func(t *testing.T, name string) (*browser, string) {
		t.Helper()
		b := &browser{h: h}
		return b, b.logInAtProvider(t, b.visit(t, "/wps/session/outside/"+name+"/start"))
	}
	t.Run("LG-04 ER-04 a refusal keeps the return path", func(t *testing.T) {
		b := &browser{h: h}
		b.visit(t, "/wps/session/outside/google/start?return=%2Fm%2Fmember%2Fvip")
		redirect := b.visit(t, "/wps/session/outside/google/callback?error=access_denied")
		if redirect.String() != "/m/login?outside=failed&return=%2Fm%2Fmember%2Fvip" {
			t.Errorf("redirect to %s, want the failure with the return path", redirect)
		}
	})
	t.Run("another browser", func(t *testing.T) {
		_, callback := logIn(t, "google")
		wantFailure(t, (&browser{h: h}).visit(t, callback))
		otherBrowser, _ := logIn(t, "google")
		wantFailure(t, otherBrowser.visit(t, callback))
	})
	t.Run("another state", func(t *testing.T) {
		b, callback := logIn(t, "facebook")
		wantFailure(t, b.visit(t, strings.Replace(callback, "state=", "state=x", 1)))
	})
	t.Run("the other provider", func(t *testing.T) {
		b, callback := logIn(t, "google")
		wantFailure(t, b.visit(t, strings.Replace(callback, "google", "facebook", 1)))
	})
	t.Run("after ten minutes", func(t *testing.T) {
		b, callback := logIn(t, "google")
		h.Clock.Add(10 * time.Minute)
		wantFailure(t, b.visit(t, callback))
	})
	t.Run("consent refused", func(t *testing.T) {
		b, callback := logIn(t, "google")
		_, query, _ := strings.Cut(callback, "?")
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		wantFailure(t, b.visit(t, "/wps/session/outside/google/callback?error=access_denied&state="+q.Get("state")))
	})
	t.Run("a used code", func(t *testing.T) {
		b, callback := logIn(t, "facebook")
		cookie := b.cookie
		b.visit(t, callback)
		b.cookie = cookie
		wantFailure(t, b.visit(t, callback))
	})
	for what, tamper := range map[string]func(map[string]any){
		"another nonce":    func(c map[string]any) { c["nonce"] = "other" },
		"another audience": func(c map[string]any) { c["aud"] = "other" },
		"another issuer":   func(c map[string]any) { c["iss"] = "https://other.example" },
		"an expired token": func(c map[string]any) { c["exp"] = h.Clock.Now().Add(-time.Minute).Unix() },
	} {
		t.Run(what, func(t *testing.T) {
			h.provider.tamper = tamper
			defer func() { h.provider.tamper = nil }()
			b, callback := logIn(t, "google")
			wantFailure(t, b.visit(t, callback))
		})
	}
	t.Run("a provider that is off", func(t *testing.T) {
		if err := h.Merchants.SetSwitch(t.Context(), h.ID, merchant.SwitchOf(spec.FlagFacebookLogin, false)); err != nil {
			t.Fatal(err)
		}
		wantFailure(t, (&browser{h: h}).visit(t, "/wps/session/outside/facebook/start"))
	})
}

func TestReturnPathStaysOnTheSite(t *testing.T) {
	t.Parallel()
	h := newHarness(t, dbtest.SQLite(t))
	for path, want := range map[string]string{
		"/m/home": "/m/home", "https://evil.example/m/": "", "//evil.example": "", "/m/\\evil": "", "/m/\n": "", "/wps/x": "",
		"/m/" + strings.Repeat("x", 600): "", "javascript:alert(1)": "",
	} {
		b := &browser{h: h}
		if got := b.completeFlow(t, "google", "?return="+url.QueryEscape(path)).Get("return"); got != want {
			t.Errorf("return path of %q = %q, want %q", path, got, want)
		}
	}
}

func TestPhoneTokenWithoutFirebase(t *testing.T) {
	t.Parallel()
	s := signin.New(signin.Options{})
	if err := s.ConsumePhoneToken(t.Context(), "x", "+84912345678"); !errors.Is(err, signin.ErrInvalidPhoneToken) {
		t.Errorf("ConsumePhoneToken: got %v, want ErrInvalidPhoneToken", err)
	}
}
