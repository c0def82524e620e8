package rest

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	var checkErr error
	a.Mount("GET /healthz", a.Health("1.2.3", func(ctx context.Context) (string, error) {
		if _, ok := ctx.Deadline(); !ok {
			t.Error("the check has no deadline")
		}
		return "database unavailable", checkErr
	}))
	if w := call(t, a, http.MethodGet, "/healthz", ""); w.Code != 200 || strings.TrimSpace(w.Body.String()) != `{"status":"ok","version":"1.2.3"}` {
		t.Errorf("got %d %s, want 200 with status ok and version 1.2.3", w.Code, w.Body)
	}
	checkErr = errors.New("dial postgres://a:b@c")
	w := call(t, a, http.MethodGet, "/healthz", "")
	if w.Code != 503 || strings.TrimSpace(w.Body.String()) != `{"status":"unavailable","version":"1.2.3","reason":"database unavailable"}` {
		t.Errorf("got %d %s, want 503 with the reason database unavailable", w.Code, w.Body)
	}
}

func TestLive(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	a.Mount("GET /livez", a.Live("1.2.3"))
	if w := call(t, a, http.MethodGet, "/livez", ""); w.Code != 200 || strings.TrimSpace(w.Body.String()) != `{"status":"ok","version":"1.2.3"}` {
		t.Errorf("live: %d %s", w.Code, w.Body)
	}
}

func TestReady(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	checks := []Check{{Name: "database", State: "ok"}, {Name: "bus", State: "disconnected"}}
	a.Mount("GET /readyz", a.Ready("1.2.3", func(context.Context) []Check { return checks }))
	if w := call(t, a, http.MethodGet, "/readyz", ""); w.Code != 200 || strings.TrimSpace(w.Body.String()) != `{"status":"ok","version":"1.2.3","checks":{"bus":"disconnected","database":"ok"}}` {
		t.Errorf("ready: %d %s", w.Code, w.Body)
	}
	checks[0] = Check{Name: "database", State: "disk full", Err: errors.New("dial postgres://a:b@c")}
	if w := call(t, a, http.MethodGet, "/readyz", ""); w.Code != 503 || strings.TrimSpace(w.Body.String()) != `{"status":"unavailable","version":"1.2.3","checks":{"bus":"disconnected","database":"disk full"}}` {
		t.Errorf("not ready: %d %s", w.Code, w.Body)
	}
}
