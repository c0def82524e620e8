package rest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestRateLimits(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	a := newTestAPI(t, func(o *Options) {
		o.Now = func() time.Time { return now }
		o.Rate = &Rate{Burst: 5, Every: time.Second}
	})
	ok := func(context.Context, *struct{}) (bool, error) { return true, nil }
	Wps(a, Op{Method: http.MethodGet, Path: "/wps/rare", ID: "rare", Rate: &Rate{Burst: 2, Every: time.Minute}}, ok)
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

// Servers that sign their calls are not held back; whoever only pretends to is, and takes nothing from them elsewhere.
func TestCallsThatNobodySignedAreHeldBack(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	a := newTestAPI(t, func(o *Options) {
		o.Now = func() time.Time { return now }
		o.Rate = &Rate{Burst: 3, Every: time.Second}
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
	for i, want := range []int{401, 401, 401, 503, 503} {
		if got := post("203.0.113.6:1", ""); got != want {
			t.Errorf("unsigned call %d: %d, want %d", i, got, want)
		}
	}
	if got := post("203.0.113.5:1", "good"); got != 200 {
		t.Errorf("another address: %d", got)
	}
}

// In any stretch of time, no more pass than the burst and what has dripped in.
func TestLimiterNeverLetsThroughMoreThanItsRate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rate := Rate{Burst: rapid.IntRange(1, 20).Draw(t, "burst"), Every: time.Duration(rapid.IntRange(1, 1000).Draw(t, "every")) * time.Millisecond}
		now := time.Unix(1_800_000_000, 0)
		start := now
		l := NewLimiter[limitKey](16)
		passed := 0
		for range rapid.IntRange(1, 200).Draw(t, "calls") {
			now = now.Add(time.Duration(rapid.IntRange(0, 500).Draw(t, "pause")) * time.Millisecond)
			wait := l.Take(now, limitKey{route: 1}, rate)
			if wait == 0 {
				passed++
			} else {
				// Coming back when told to must work.
				now = now.Add(wait)
				if again := l.Take(now, limitKey{route: 1}, rate); again != 0 {
					t.Fatalf("told to wait %v, then refused for %v", wait, again)
				}
				passed++
			}
			if most := rate.Burst + int(now.Sub(start)/rate.Every); passed > most {
				t.Fatalf("%d passed, at most %d may", passed, most)
			}
		}
	})
}

func TestLimiterMemoryIsBounded(t *testing.T) {
	t.Parallel()
	l := NewLimiter[limitKey](100)
	rate := Rate{Burst: 1, Every: time.Hour}
	me := limitKey{address: netip.MustParseAddr("203.0.113.5")}
	if l.Take(time.Now(), me, rate) != 0 {
		t.Fatal("the first call was refused")
	}
	for i := range 100_000 {
		l.Take(time.Now(), limitKey{route: uint32(i)}, rate)
		if n := len(l.young) + len(l.old); n > 200 {
			t.Fatalf("%d keys are kept", n)
		}
	}
}

// Whoever hammers on stays refused, however many others come by.
func TestLimiterRemembersAnEmptyBucketInUse(t *testing.T) {
	t.Parallel()
	l := NewLimiter[int](10)
	now, rate := time.Unix(1_800_000_000, 0), Rate{Burst: 1, Every: time.Hour}
	if l.Take(now, -1, rate) != 0 {
		t.Fatal("the first call was refused")
	}
	for other := range 100 {
		l.Take(now, other, rate)
		if l.Take(now, -1, rate) == 0 {
			t.Fatalf("forgotten after %d others", other+1)
		}
	}
}

func TestLimiterTakesBack(t *testing.T) {
	t.Parallel()
	l := NewLimiter[string](10)
	now, rate := time.Unix(1_800_000_000, 0), Rate{Burst: 2, Every: time.Hour}
	l.Return("never taken", rate)
	for range 10 {
		if l.Take(now, "me", rate) != 0 {
			t.Fatal("what was returned still counts")
		}
		l.Return("me", rate)
	}
	for i, refused := range []bool{false, false, true} {
		if wait := l.Take(now, "me", rate); wait > 0 != refused {
			t.Errorf("call %d waits %v", i+1, wait)
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

// What only members may do is counted by member: neither a neighbour behind the same address nor a stranger there keeps one from it.
func TestMembersAreHeldBackOneByOne(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	a := newTestAPI(t, func(o *Options) { o.Now = func() time.Time { return now } })
	Wps(a, Op{Method: http.MethodPost, Path: "/wps/open", ID: "open", Access: Session, Rate: &Rate{Burst: 2, Every: time.Minute}},
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
