package vendor_test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/conformance"
	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A faultyServer forwards to the real server and changes one detail of its responses.
type faultyServer struct {
	w           *vendorSite
	limits      *fakeLimits
	session     string // the session of a member whose account was disabled
	ticket      string // a ticket of the same member
	pattern     *regexp.Regexp
	replacement string
	statuses    map[int]int
}

// ServeHTTP implements http.Handler. It handles the calls for limits itself, because this package does not have them.
func (l *faultyServer) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/wps/session/login":
		_, _ = io.WriteString(out, `{"value":{"token":"minhanh92"}}`)
		return
	case "/wps/member/limits":
		l.limits.set("limits.reached")
		_, _ = io.WriteString(out, `{}`)
		return
	case "/wps/member/limits/break":
		l.limits.set("limits.excluded")
		var notify func()
		err := l.w.Store.Write(r.Context(), func(tx *db.Tx) (err error) {
			notify, err = l.w.vendors.CloseAllIn(r.Context(), tx, minh)
			return err
		})
		if err != nil {
			http.Error(out, err.Error(), http.StatusInternalServerError)
			return
		}
		notify()
		_, _ = io.WriteString(out, `{}`)
		return
	}
	recorder := httptest.NewRecorder()
	l.w.Handler().ServeHTTP(recorder, r)
	status, body := recorder.Code, recorder.Body.Bytes()
	if strings.HasPrefix(r.URL.Path, "/vendor/") {
		if changed, found := l.statuses[status]; found {
			status = changed
		}
		if l.pattern != nil {
			body = l.pattern.ReplaceAll(body, []byte(l.replacement))
		}
	}
	maps.Copy(out.Header(), recorder.Header())
	out.Header().Del("Content-Length")
	out.WriteHeader(status)
	_, _ = out.Write(body)
}

// firstFailure runs the conformance tests and returns the name of the first that fails, or "".
func (l *faultyServer) firstFailure(t *testing.T) (first string) {
	t.Helper()
	l.limits.set("")
	l.w.Refill()
	s := httptest.NewServer(l)
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := conformance.Run(ctx, conformance.Options{
		URL: s.URL, Vendor: "TEST", KeyID: l.w.key.KeyID, Key: l.w.key.Key, Game: "G1", Category: "RNG", Username: "minhanh92", Password: "x",
		DisabledTicket: l.ticket, DisabledSession: l.session, Restrict: true, Now: l.w.Clock.Now,
	}, func(name string, err error) {
		if err != nil && first == "" {
			first = name + ": " + err.Error()
			cancel()
		}
	})
	if err != nil && first == "" {
		first = err.Error()
	}
	return first
}

// A server with any wrong code or response field fails the conformance run.
func TestConformanceRunDetectsEveryWrongResponse(t *testing.T) {
	t.Parallel()
	g := &fakeLimits{}
	w := newSiteWith(t, dbtest.SQLite(t), g, func(o *vendor.Options) { o.Limits = g })
	l := &faultyServer{w: w, limits: g, session: w.openSession(t, "quangvu88")}
	l.ticket, _ = w.launch(t, "quangvu88", "G1", "TEST", "RNG")
	w.exec(t, "UPDATE member SET status = 'disabled' WHERE id = $1", other)
	w.Clock.Add(11 * time.Second)
	if first := l.firstFailure(t); first != "" {
		t.Fatalf("unchanged server failed: %s", first)
	}
	page, err := os.ReadFile("../../../docs/vendor-protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]bool{}
	for _, word := range regexp.MustCompile("`([A-Z_]+)`").FindAllStringSubmatch(string(page), -1) {
		codes[word[1]] = true
	}
	if delete(codes, "OK"); len(codes) != 14 {
		t.Errorf("docs/vendor-protocol.md has %d codes besides OK, want 14: %v", len(codes), codes)
	}
	faults := map[string][2]string{
		"replays are not marked":    {`"replayed":true`, `"replayed":false`},
		"all calls are replays":     {`"replayed":false`, `"replayed":true`},
		"no transactionId":          {`"transactionId":"[0-9]+"`, `"transactionId":""`},
		"one transactionId for all": {`"transactionId":"[0-9]+"`, `"transactionId":"7"`},
		"wrong balance":             {`"balance":"([0-9]+)","currency":"VND","transactionId"`, `"balance":"1$1","currency":"VND","transactionId"`},
		"wrong currency":            {`"currency":"VND"`, `"currency":"CNY"`},
		"wrong field":               {`"field":"[^"]+"`, `"field":"x"`},
		"no tombstone":              {`"status":"tombstone"`, `"status":"unchanged"`},
		"bets are not reversed":     {`"status":"reversed"`, `"status":"unchanged"`},
		"no player":                 {`"playerId":"[^"]+"`, `"playerId":""`},
		"no language":               {`"language":"[^"]+"`, `"language":""`},
		"no trial":                  {`,"trial":(true|false)`, ``},
	}
	for code := range codes {
		faults[code+" is replaced by OK"] = [2]string{`"code":"` + code + `"`, `"code":"OK"`}
	}
	for name, fault := range faults {
		l.pattern, l.replacement = regexp.MustCompile(fault[0]), fault[1]
		if first := l.firstFailure(t); first == "" {
			t.Errorf("%s: the conformance run passed", name)
		}
	}
	l.pattern = nil
	for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized} {
		l.statuses = map[int]int{status: http.StatusOK}
		if first := l.firstFailure(t); first == "" {
			t.Errorf("status %d replaced by 200: the conformance run passed", status)
		}
	}
}
