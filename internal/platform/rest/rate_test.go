package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"fairground/internal/platform/ratelimit"
)

func TestRateLimits(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	a := newTestAPI(t, func(o *Options) {
		o.Now = func() time.Time { return now }
		o.Rate = &ratelimit.Limit{Burst: 5, Every: time.Second}
	})
	ok := func(context.Context, *struct{}) (bool, error) { return true, nil }
	Wps(a, Op{Method: http.MethodGet, Path: "/wps/rare", ID: "rare", Rate: &ratelimit.Limit{Burst: 2, Every: time.Minute}}, ok)
	Wps(a, Op{Method: http.MethodGet, Path: "/wps/often", ID: "often"}, ok)
	get := func(path, peer string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.RemoteAddr = peer
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, r)
		return w
	}
	const me, other = "203.0.113.5:1", "203.0.113.6:1"
	for i, want := range []int{200, 200, 429} {
		if w := get("/wps/rare", me); w.Code != want {
			t.Fatalf("call %d: %d, want %d", i, w.Code, want)
		}
	}
	w := get("/wps/rare", me)
	if code(t, w) != "rate.limited" || w.Header().Get("Retry-After") != "60" {
		t.Errorf("%s, Retry-After %q", w.Body, w.Header().Get("Retry-After"))
	}
	if w := get("/wps/rare", other); w.Code != 200 {
		t.Errorf("another address: %d", w.Code)
	}
	// The limit over all calls: four were counted above, so one is left.
	if w := get("/wps/often", me); w.Code != 200 {
		t.Errorf("fifth call in all: %d", w.Code)
	}
	if w := get("/wps/often", me); w.Code != 429 {
		t.Errorf("sixth call in all: %d", w.Code)
	}
	now = now.Add(time.Second)
	if w := get("/wps/often", me); w.Code != 200 {
		t.Errorf("a second later: %d", w.Code)
	}
}

// Servers that sign their calls are not held back, and a flood of unsigned ones is told each time that nobody believes it: 503 would mean to repeat
// it. The House calls from this machine's own address, as strangers behind a proxy there may.
func TestUnsignedCallsHoldNoSignedOneBack(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	a := newTestAPI(t, func(o *Options) {
		o.Now = func() time.Time { return now }
		o.Rate = &ratelimit.Limit{Burst: 3, Every: time.Second}
	})
	Own[struct{}, struct{}, struct{}](a, Op{
		Method: http.MethodPost, Path: "/vendor/v1/bet", ID: "bet",
		Refuse: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusServiceUnavailable) },
	}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Signature") == "" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	post := func(peer, signature string) int {
		r := httptest.NewRequest(http.MethodPost, "/vendor/v1/bet", nil)
		r.RemoteAddr = peer
		r.Header.Set("Signature", signature)
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, r)
		return w.Code
	}
	for i := range 20 {
		if got := post("203.0.113.5:1", "good"); got != 200 {
			t.Fatalf("signed call %d: %d", i, got)
		}
	}
	for _, peer := range []string{"203.0.113.6:1", "127.0.0.1:1"} {
		for i := range 20 {
			if got := post(peer, ""); got != 401 {
				t.Errorf("unsigned call %d from %s: %d", i, peer, got)
			}
		}
		if got := post(peer, "good"); got != 200 {
			t.Errorf("a signed call from %s: %d", peer, got)
		}
	}
}

func TestIPv6ClientsAreCountedByTheirNetwork(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"203.0.113.5":        "203.0.113.5",
		"2001:db8:1:2:3::4":  "2001:db8:1:2::",
		"2001:db8:1:2::9":    "2001:db8:1:2::",
		"2001:db8:1:3::9":    "2001:db8:1:3::",
		"::ffff:203.0.113.5": "203.0.113.5",
	} {
		if got := Network(netip.MustParseAddr(in)).String(); got != want {
			t.Errorf("%s counts as %s, want %s", in, got, want)
		}
	}
}

// Who holds a /48 has a network for every call: all of them together may call only so much more often than one.
func TestSE02ASiteOfNetworksIsCountedToo(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	a := newTestAPI(t, func(o *Options) { o.Now = func() time.Time { return now } })
	Wps(a, Op{Method: http.MethodGet, Path: "/wps/rare", ID: "rare", Rate: &ratelimit.Limit{Burst: 2, Every: time.Minute}},
		func(context.Context, *struct{}) (bool, error) { return true, nil })
	get := func(peer string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/wps/rare", nil)
		r.RemoteAddr = peer
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, r)
		return w
	}
	passed := 0
	for i := range 100 {
		if get(fmt.Sprintf("[2001:db8:1:%x::7]:1", i)).Code == 200 {
			passed++
		}
	}
	if passed != 2*ratelimit.BlockFactor {
		t.Errorf("%d calls from one site", passed)
	}
	if w := get("[2001:db8:1:1234::7]:1"); w.Code != 429 || code(t, w) != "rate.limited" || w.Header().Get("Retry-After") != "8" {
		t.Errorf("%d %s, Retry-After %q", w.Code, w.Body, w.Header().Get("Retry-After"))
	}
	for _, peer := range []string{"[2001:db8:2::7]:1", "203.0.113.5:1"} {
		if w := get(peer); w.Code != 200 {
			t.Errorf("%s: %d", peer, w.Code)
		}
	}
	// What the site refused did not cost the network any of its own.
	for range 2 {
		get("[2001:db8:1:9999::7]:1")
	}
	now = now.Add(8 * time.Second)
	if w := get("[2001:db8:1:9999::7]:1"); w.Code != 200 {
		t.Errorf("when the site has one again: %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
}

// What only members may do is counted by member: neither a neighbour behind the same address nor a stranger there keeps one from it.
func TestMembersAreHeldBackOneByOne(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	a := newTestAPI(t, func(o *Options) { o.Now = func() time.Time { return now } })
	Wps(a, Op{Method: http.MethodPost, Path: "/wps/open", ID: "open", Access: Session, Rate: &ratelimit.Limit{Burst: 2, Every: time.Minute}},
		func(context.Context, *struct{}) (bool, error) { return true, nil })
	post := func(token string) int {
		r := httptest.NewRequest(http.MethodPost, "/wps/open", nil)
		r.RemoteAddr = "203.0.113.5:1"
		if token != "" {
			r.Header.Set("Authorization", token)
		}
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, r)
		return w.Code
	}
	for range 5 {
		if got := post(""); got != 401 {
			t.Fatalf("a stranger: %d", got)
		}
	}
	for i, want := range []int{200, 200, 429} {
		if got := post("player"); got != want {
			t.Fatalf("call %d: %d, want %d", i, got, want)
		}
	}
	if got := post("trial"); got != 200 {
		t.Errorf("a neighbour: %d", got)
	}
	now = now.Add(time.Minute)
	if got := post("player"); got != 200 {
		t.Errorf("a minute later: %d", got)
	}
}
