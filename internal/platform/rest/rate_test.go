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
	Typed(a, Op{Method: http.MethodGet, Path: "/wps/rare", ID: "rare", Rate: &ratelimit.Limit{Burst: 2, Every: time.Minute}}, ok)
	Typed(a, Op{Method: http.MethodGet, Path: "/wps/often", ID: "often"}, ok)
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
		t.Errorf("%s, Retry-After %q, want rate.limited and 60", w.Body, w.Header().Get("Retry-After"))
	}
	if w := get("/wps/rare", other); w.Code != 200 {
		t.Errorf("other address: status = %d, want 200", w.Code)
	}
	// Four calls count towards the limit of five for all calls together.
	if w := get("/wps/often", me); w.Code != 200 {
		t.Errorf("fifth call: status = %d, want 200", w.Code)
	}
	if w := get("/wps/often", me); w.Code != 429 {
		t.Errorf("sixth call: status = %d, want 429", w.Code)
	}
	now = now.Add(time.Second)
	if w := get("/wps/often", me); w.Code != 200 {
		t.Errorf("after a second: status = %d, want 200", w.Code)
	}
}

// Unsigned calls must not use up the limit of signed calls from the same address. They must get 401, because a server
// would retry after 503.
func TestUnsignedCallsDoNotLimitSignedCalls(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	a := newTestAPI(t, func(o *Options) {
		o.Now = func() time.Time { return now }
		o.Rate = &ratelimit.Limit{Burst: 3, Every: time.Second}
	})
	Plain[struct{}, struct{}, struct{}](a, Op{
		Method: http.MethodPost, Path: "/vendor/v1/bet", ID: "bet",
		OnReject: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusServiceUnavailable) },
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
			t.Fatalf("signed call %d: status = %d, want 200", i, got)
		}
	}
	for _, peer := range []string{"203.0.113.6:1", "127.0.0.1:1"} {
		for i := range 20 {
			if got := post(peer, ""); got != 401 {
				t.Errorf("unsigned call %d from %s: status = %d, want 401", i, peer, got)
			}
		}
		if got := post(peer, "good"); got != 200 {
			t.Errorf("signed call from %s: status = %d, want 200", peer, got)
		}
	}
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"203.0.113.5":        "203.0.113.5",
		"2001:db8:1:2:3::4":  "2001:db8:1:2::",
		"2001:db8:1:2::9":    "2001:db8:1:2::",
		"2001:db8:1:3::9":    "2001:db8:1:3::",
		"::ffff:203.0.113.5": "203.0.113.5",
	} {
		if got := Network(netip.MustParseAddr(in)).String(); got != want {
			t.Errorf("Network(%s) = %s, want %s", in, got, want)
		}
	}
}

// A client with a /48 block could use a new /64 network for every call.
func TestSE02IPv6BlocksAreLimited(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	a := newTestAPI(t, func(o *Options) { o.Now = func() time.Time { return now } })
	Typed(a, Op{Method: http.MethodGet, Path: "/wps/rare", ID: "rare", Rate: &ratelimit.Limit{Burst: 2, Every: time.Minute}},
		func(context.Context, *struct{}) (bool, error) { return true, nil })
	get := func(peer string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/wps/rare", nil)
		r.RemoteAddr = peer
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, r)
		return w
	}
	accepted := 0
	for i := range 100 {
		if get(fmt.Sprintf("[2001:db8:1:%x::7]:1", i)).Code == 200 {
			accepted++
		}
	}
	if accepted != 2*ratelimit.BlockFactor {
		t.Errorf("accepted %d calls from one block, want %d", accepted, 2*ratelimit.BlockFactor)
	}
	if w := get("[2001:db8:1:1234::7]:1"); w.Code != 429 || code(t, w) != "rate.limited" || w.Header().Get("Retry-After") != "8" {
		t.Errorf("%d %s, Retry-After %q, want 429, rate.limited and 8", w.Code, w.Body, w.Header().Get("Retry-After"))
	}
	for _, peer := range []string{"[2001:db8:2::7]:1", "203.0.113.5:1"} {
		if w := get(peer); w.Code != 200 {
			t.Errorf("%s = %d, want 200", peer, w.Code)
		}
	}
	// Calls that the block's limit rejects do not count for the network.
	for range 2 {
		get("[2001:db8:1:9999::7]:1")
	}
	now = now.Add(8 * time.Second)
	if w := get("[2001:db8:1:9999::7]:1"); w.Code != 200 {
		t.Errorf("after 8 seconds: status = %d, want 200, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
}

// Other members and visitors behind the same address do not use up a member's limit.
func TestMemberCallsAreLimitedPerMember(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	a := newTestAPI(t, func(o *Options) { o.Now = func() time.Time { return now } })
	Typed(a, Op{Method: http.MethodPost, Path: "/wps/open", ID: "open", Access: Session, Rate: &ratelimit.Limit{Burst: 2, Every: time.Minute}},
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
			t.Fatalf("without a session: status = %d, want 401", got)
		}
	}
	for i, want := range []int{200, 200, 429} {
		if got := post("player"); got != want {
			t.Fatalf("call %d: %d, want %d", i, got, want)
		}
	}
	if got := post("trial"); got != 200 {
		t.Errorf("other member: status = %d, want 200", got)
	}
	now = now.Add(time.Minute)
	if got := post("player"); got != 200 {
		t.Errorf("after a minute: status = %d, want 200", got)
	}
}
