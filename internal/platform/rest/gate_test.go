package rest

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

// fakeGate returns err and records its arguments.
type fakeGate struct {
	err      error
	merchant int64
	address  string
}

func (g *fakeGate) Open(_ context.Context, merchantID int64, address netip.Addr) error {
	g.merchant, g.address = merchantID, address.String()
	return g.err
}

func TestGate(t *testing.T) {
	t.Parallel()
	g := &fakeGate{err: ErrMaintenance.With("seconds", 90)}
	a := newTestAPI(t, func(o *Options) { o.Gate = g })
	ran := false
	addGet(a, "/wps/any", Public, func(context.Context) (bool, error) { ran = true; return true, nil })
	addGet(a, "/wps/mine", Session, func(context.Context) (bool, error) { ran = true; return true, nil })
	Typed(a, Op{Method: http.MethodGet, Path: "/wps/why", ID: "why", Access: Public, WhileClosed: true}, func(context.Context, *struct{}) (bool, error) {
		return true, nil
	})
	a.Mount("GET /healthz", a.Health("test", func(context.Context) (string, error) { return "", nil }))
	for _, path := range []string{"/wps/any", "/wps/mine", "/wps/unknown"} {
		w := call(t, a, http.MethodGet, path, "", "Authorization", "player")
		if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), `"errorCode":"system.maintenance"`) || w.Header().Get("Retry-After") != "90" {
			t.Errorf("%s = %d %v %s, want 503 system.maintenance, to be tried again in 90 s", path, w.Code, w.Header(), w.Body)
		}
	}
	if ran || g.merchant != 7 || g.address != "192.0.2.1" {
		t.Errorf("ran = %v, merchant = %d, address = %q, want false, 7, 192.0.2.1", ran, g.merchant, g.address)
	}
	for _, path := range []string{"/wps/why", "/healthz"} {
		if w := call(t, a, http.MethodGet, path, ""); w.Code != http.StatusOK {
			t.Errorf("%s = %d %s, want 200", path, w.Code, w.Body)
		}
	}
	g.err = ErrRestricted
	if w := call(t, a, http.MethodGet, "/wps/any", ""); w.Code != http.StatusForbidden || w.Header().Get("Retry-After") != "" || !strings.Contains(w.Body.String(), "system.restricted") {
		t.Errorf("restricted: %d %v %s, want 403 and system.restricted, without a time", w.Code, w.Header(), w.Body)
	}
	g.err = nil
	if w := call(t, a, http.MethodGet, "/wps/any", ""); w.Code != http.StatusOK || !ran {
		t.Errorf("open: %d %s, want 200", w.Code, w.Body)
	}
	document, err := a.OpenAPI()
	if err != nil || strings.Count(string(document), "Available while the site is closed.") != 1 {
		t.Errorf("the document lacks the note about closed sites: %v", err)
	}
}

func TestMaintenanceIsNotLoggedAsError(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&out, nil))
	g := &fakeGate{err: ErrMaintenance.With("seconds", 90)}
	a := newTestAPI(t, func(o *Options) { o.Gate, o.Log = g, log })
	addGet(a, "/wps/any", Public, func(context.Context) (bool, error) { return false, ErrUnavailable })
	call(t, a, http.MethodGet, "/wps/any", "")
	if line := out.String(); !strings.Contains(line, `"level":"INFO"`) || !strings.Contains(line, "system.maintenance") {
		t.Errorf("during maintenance: %s, want level INFO", line)
	}
	out.Reset()
	g.err = nil
	call(t, a, http.MethodGet, "/wps/any", "")
	if line := out.String(); !strings.Contains(line, `"level":"ERROR"`) {
		t.Errorf("unavailable: %s, want level ERROR", line)
	}
}
