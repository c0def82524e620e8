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
	"fairground/internal/platform/secret"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// world is a site where people log in by the stand-ins.
type world struct {
	*merchanttest.Site
	provider *service
	signin   *signin.Service
	tokens   merchanttest.Tokens // of those who have a session

	mu     sync.Mutex
	moved  int64
	barred string // somebody's address who is on a break
	spent  int
}

var errAge = fault.New(fault.Invalid, "register.age_required")

var errBarred = fault.New(fault.Refused, "register.not_possible")

// Epoch stands for the member's, and notes how many tickets were used up when it was asked for.
func (h *world) Epoch(ctx context.Context, _ int64) (int64, error) {
	return 7, h.Store.Writer.QueryRowContext(ctx, "SELECT COUNT(*) FROM spent").Scan(&h.spent)
}

// CanRegisterExternal lets everybody become one.
func (h *world) CanRegisterExternal(context.Context, int64) error { return nil }

// RegisterExternal makes a member, as the members' package does.
func (h *world) RegisterExternal(ctx context.Context, _ int64, ofAge bool, email string, _ rest.Visitor, link func(*db.Tx, int64) error) (int64, error) {
	if !ofAge {
		return 0, errAge
	}
	if email != "" && email == h.barred {
		return 0, errBarred
	}
	h.mu.Lock()
	h.moved++
	id := 5000 + h.moved
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

func newWorld(t *testing.T, store *db.Store) *world {
	t.Helper()
	h := &world{Site: merchanttest.New(t, store), tokens: merchanttest.Tokens{}}
	h.provider = newService(t, h.Clock.Now)
	keys, err := secret.Open(t.Context(), store, h.Clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	h.signin = signin.New(signin.Options{
		Store: store, Keys: keys, Settings: h.Merchants, Members: h, Now: h.Clock.Now, Log: slog.New(slog.DiscardHandler),
		Client: outgoing.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), Site: site,
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

// browser is a person's: it has cookies, and is led from here to there and back.
type browser struct {
	h      *world
	cookie string
}

// visit asks the site for a page and keeps its cookie; where it is led is the answer.
func (b *browser) visit(t *testing.T, path string) *url.URL {
	t.Helper()
	reply := b.h.Call(t, http.MethodGet, path, nil, "Cookie", "outside="+b.cookie)
	if reply.Status != http.StatusFound {
		t.Fatalf("%s: status %d: %s", path, reply.Status, reply.Body)
	}
	b.keep(t, reply)
	to, err := url.Parse(reply.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// keep takes the cookie of an answer.
func (b *browser) keep(t *testing.T, reply merchanttest.Reply) {
	t.Helper()
	for _, line := range reply.Header.Values("Set-Cookie") {
		c, err := http.ParseSetCookie(line)
		if err != nil || !c.HttpOnly || c.Path != "/wps/session" || c.SameSite == http.SameSiteNoneMode {
			t.Fatalf("cookie %q: %v", line, err)
		}
		b.cookie = c.Value
	}
}

// away logs in at the service; the answer is the path that it leads back to.
func (b *browser) away(t *testing.T, to *url.URL) string {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, to.String(), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := client.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusFound {
		t.Fatalf("the service refuses %s", to)
	}
	return strings.TrimPrefix(reply.Header.Get("Location"), site)
}

// through goes the whole way and gives the query of the page at its end.
func (b *browser) through(t *testing.T, name, more string) url.Values {
	t.Helper()
	to := b.visit(t, "/wps/session/outside/"+name+"/start"+more)
	if !strings.HasPrefix(to.String(), b.h.provider.URL) {
		t.Fatalf("led to %s", to)
	}
	end := b.visit(t, b.away(t, to))
	if end.Path != "/m/login" || end.Host != "" {
		t.Fatalf("led to %s at last", end)
	}
	return end.Query()
}

func (b *browser) enter(t *testing.T, ticket string, agreed bool) (int64, error) {
	t.Helper()
	id, _, err := b.h.signin.Enter(t.Context(), b.h.ID, ticket, b.cookie, agreed, agreed, rest.Visitor{})
	return id, err
}

// again is the ticket that comes with the question whether to become a member.
func again(t *testing.T, err error) string {
	t.Helper()
	var f *fault.Fault
	if !errors.Is(err, signin.ErrRegister) || !errors.As(err, &f) || f.Args["ticket"] == "" {
		t.Fatalf("%v, want to be asked", err)
	}
	return f.Args["ticket"]
}

func TestLG04OutsideAccounts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		for _, name := range []string{"google", "facebook"} {
			t.Run("LG-04 by "+name, func(t *testing.T) {
				h := newWorld(t, store)
				h.provider.person = name + "-" + string(store.Engine)
				b := &browser{h: h}
				q := b.through(t, name, "?return=%2Fm%2Fgame%3Fid%3D1")
				if q.Get("return") != "/m/game?id=1" {
					t.Errorf("return %q", q.Get("return"))
				}
				_, err := b.enter(t, q.Get("ticket"), false)
				second := again(t, err)
				if _, err := b.enter(t, q.Get("ticket"), true); !errors.Is(err, signin.ErrFailed) {
					t.Errorf("the ticket a second time: %v", err)
				}
				h.Clock.Add(14 * time.Minute)
				id, err := b.enter(t, second, true)
				if err != nil || id == 0 {
					t.Fatal(id, err)
				}
				other := &browser{h: h} // another day, another browser
				known, err := other.enter(t, other.through(t, name, "").Get("ticket"), false)
				if err != nil || known != id {
					t.Errorf("%d, %v, want member %d again", known, err, id)
				}
				h.provider.person = "somebody else " + name
				_, err = other.enter(t, other.through(t, name, "").Get("ticket"), false)
				again(t, err)
			})
		}
	})
}

// Whoever agrees and leaves the age out is refused as registering is, and goes on with the ticket that comes with it.
func TestPP08NobodyJoinsByAnExternalAccountWithoutTheirAge(t *testing.T) {
	t.Parallel()
	h := newWorld(t, dbtest.SQLite(t))
	b := &browser{h: h}
	_, _, err := h.signin.Enter(t.Context(), h.ID, b.through(t, "google", "").Get("ticket"), b.cookie, true, false, rest.Visitor{})
	var f *fault.Fault
	if !errors.Is(err, errAge) || !errors.As(err, &f) || f.Args["ticket"] == "" || h.moved != 0 {
		t.Fatalf("%v, %d members", err, h.moved)
	}
	if id, _, err := h.signin.Enter(t.Context(), h.ID, f.Args["ticket"], b.cookie, true, true, rest.Visitor{}); err != nil || id == 0 {
		t.Errorf("%d, %v", id, err)
	}
}

func TestTicketsAreOfOneBrowserForAMinute(t *testing.T) {
	t.Parallel()
	h := newWorld(t, dbtest.SQLite(t))
	b, thief := &browser{h: h}, &browser{h: h}
	thief.through(t, "google", "")
	ticket := b.through(t, "google", "").Get("ticket")
	for _, x := range []*browser{thief, {h: h}} {
		if _, err := x.enter(t, ticket, true); !errors.Is(err, signin.ErrFailed) {
			t.Errorf("another browser's ticket: %v", err)
		}
	}
	if _, _, err := h.signin.Enter(t.Context(), h.ID+1, ticket, b.cookie, true, true, rest.Visitor{}); !errors.Is(err, signin.ErrFailed) {
		t.Errorf("at another merchant's: %v", err)
	}
	h.Clock.Add(time.Minute)
	if _, err := b.enter(t, ticket, true); !errors.Is(err, signin.ErrFailed) {
		t.Errorf("after a minute: %v", err)
	}
	if _, err := b.enter(t, "nonsense", true); !errors.Is(err, signin.ErrFailed) {
		t.Errorf("nonsense: %v", err)
	}
}

// The epoch is that of before the ticket was used up: what ends all sessions meanwhile ends this login too.
func TestSE01ATicketIsOfTheEpochInWhichItWasRead(t *testing.T) {
	t.Parallel()
	h := newWorld(t, dbtest.SQLite(t))
	b := &browser{h: h}
	if _, err := b.enter(t, b.through(t, "google", "").Get("ticket"), true); err != nil {
		t.Fatal(err)
	}
	_, epoch, err := h.signin.Enter(t.Context(), h.ID, b.through(t, "google", "").Get("ticket"), b.cookie, false, false, rest.Visitor{})
	if err != nil || epoch != 7 || h.spent != 1 {
		t.Errorf("epoch %d, read after %d tickets were used up, %v", epoch, h.spent, err)
	}
}

// Two tabs that agree at once make one member.
func TestOneAccountIsOneMember(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newWorld(t, store)
		var wg sync.WaitGroup
		ids := make([]int64, 4)
		for i := range ids {
			b := &browser{h: h}
			ticket := b.through(t, "google", "").Get("ticket")
			wg.Go(func() {
				var err error
				if ids[i], err = b.enter(t, ticket, true); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, id := range ids {
			if id == 0 || id != ids[0] {
				t.Errorf("members %v", ids)
			}
		}
	})
}

func TestTheWayBackIsCheckedWhole(t *testing.T) {
	h := newWorld(t, dbtest.SQLite(t))
	failed := func(t *testing.T, to *url.URL) {
		t.Helper()
		if to.String() != "/m/login?outside=failed" {
			t.Errorf("led to %s", to)
		}
	}
	begin := func(t *testing.T, name string) (*browser, string) {
		t.Helper()
		b := &browser{h: h}
		return b, b.away(t, b.visit(t, "/wps/session/outside/"+name+"/start"))
	}
	t.Run("LG-04 ER-04 a refusal keeps where to go afterwards", func(t *testing.T) {
		b := &browser{h: h}
		b.visit(t, "/wps/session/outside/google/start?return=%2Fm%2Fmember%2Fvip")
		to := b.visit(t, "/wps/session/outside/google/callback?error=access_denied")
		if to.String() != "/m/login?outside=failed&return=%2Fm%2Fmember%2Fvip" {
			t.Errorf("led to %s", to)
		}
	})
	t.Run("a stranger's way back", func(t *testing.T) {
		_, back := begin(t, "google")
		failed(t, (&browser{h: h}).visit(t, back))
		other, _ := begin(t, "google")
		failed(t, other.visit(t, back))
	})
	t.Run("another state", func(t *testing.T) {
		b, back := begin(t, "facebook")
		failed(t, b.visit(t, strings.Replace(back, "state=", "state=x", 1)))
	})
	t.Run("the other service's", func(t *testing.T) {
		b, back := begin(t, "google")
		failed(t, b.visit(t, strings.Replace(back, "google", "facebook", 1)))
	})
	t.Run("after ten minutes", func(t *testing.T) {
		b, back := begin(t, "google")
		h.Clock.Add(10 * time.Minute)
		failed(t, b.visit(t, back))
	})
	t.Run("the person refused", func(t *testing.T) {
		b, back := begin(t, "google")
		_, query, _ := strings.Cut(back, "?")
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		failed(t, b.visit(t, "/wps/session/outside/google/callback?error=access_denied&state="+q.Get("state")))
	})
	t.Run("a code that is used up", func(t *testing.T) {
		b, back := begin(t, "facebook")
		cookie := b.cookie
		b.visit(t, back)
		b.cookie = cookie
		failed(t, b.visit(t, back))
	})
	for what, forge := range map[string]func(map[string]any){
		"another question's nonce": func(c map[string]any) { c["nonce"] = "other" },
		"another site's audience":  func(c map[string]any) { c["aud"] = "other" },
		"another issuer's":         func(c map[string]any) { c["iss"] = "https://other.example" },
		"an old token":             func(c map[string]any) { c["exp"] = h.Clock.Now().Add(-time.Minute).Unix() },
	} {
		t.Run(what, func(t *testing.T) {
			h.provider.forge = forge
			defer func() { h.provider.forge = nil }()
			b, back := begin(t, "google")
			failed(t, b.visit(t, back))
		})
	}
	t.Run("a service that is switched off", func(t *testing.T) {
		if err := h.Merchants.SetSwitch(t.Context(), h.ID, merchant.SwitchOf(spec.FlagFacebookLogin, false)); err != nil {
			t.Fatal(err)
		}
		failed(t, (&browser{h: h}).visit(t, "/wps/session/outside/facebook/start"))
	})
}

func TestNoWayBackLeadsOffTheSite(t *testing.T) {
	t.Parallel()
	h := newWorld(t, dbtest.SQLite(t))
	for path, want := range map[string]string{
		"/m/home": "/m/home", "https://evil.example/m/": "", "//evil.example": "", "/m/\\evil": "", "/m/\n": "", "/wps/x": "",
		"/m/" + strings.Repeat("x", 600): "", "javascript:alert(1)": "",
	} {
		b := &browser{h: h}
		if got := b.through(t, "google", "?return="+url.QueryEscape(path)).Get("return"); got != want {
			t.Errorf("%q leads to %q", path, got)
		}
	}
}

func TestWhatIsNotSetUpIsNotOffered(t *testing.T) {
	t.Parallel()
	s := signin.New(signin.Options{})
	if err := s.Prove(t.Context(), "x", "+84912345678"); !errors.Is(err, signin.ErrUnproved) {
		t.Error(err)
	}
}
