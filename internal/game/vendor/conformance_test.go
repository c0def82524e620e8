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

// liar is a server that answers as the real one does, but for one thing.
type liar struct {
	w        *world
	limits   *stakes
	session  string // of a member whose account was closed
	ticket   string // of the same
	find     *regexp.Regexp
	instead  string
	statuses map[int]int
}

// ServeHTTP implements http.Handler. Limits and breaks are set here, for they are no part of this package.
func (l *liar) ServeHTTP(out http.ResponseWriter, r *http.Request) {
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
		var tell func()
		err := l.w.Store.Write(r.Context(), func(tx *db.Tx) (err error) {
			tell, err = l.w.vendors.CloseAllIn(r.Context(), tx, minh)
			return err
		})
		if err != nil {
			http.Error(out, err.Error(), http.StatusInternalServerError)
			return
		}
		tell()
		_, _ = io.WriteString(out, `{}`)
		return
	}
	answer := httptest.NewRecorder()
	l.w.Handler().ServeHTTP(answer, r)
	status, body := answer.Code, answer.Body.Bytes()
	if strings.HasPrefix(r.URL.Path, "/vendor/") {
		if said, lies := l.statuses[status]; lies {
			status = said
		}
		if l.find != nil {
			body = l.find.ReplaceAll(body, []byte(l.instead))
		}
	}
	maps.Copy(out.Header(), answer.Header())
	out.Header().Del("Content-Length")
	out.WriteHeader(status)
	_, _ = out.Write(body)
}

// failed runs the conformance client against the server and gives its first case that fails, or nothing.
func (l *liar) failed(t *testing.T) (first string) {
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

// The conformance client tries all that the protocol's page says: a server that is wrong in one of its codes, or in one thing that
// answers carry, does not pass.
func TestTheConformanceClientNoticesEveryWrongAnswer(t *testing.T) {
	t.Parallel()
	g := &stakes{}
	w := newWorldWith(t, dbtest.SQLite(t), g, func(o *vendor.Options) { o.Limits = g })
	l := &liar{w: w, limits: g, session: w.enter(t, "quangvu88")}
	l.ticket, _ = w.launch(t, "quangvu88", "G1", "TEST", "RNG")
	w.exec(t, "UPDATE member SET status = 'disabled' WHERE id = $1", other)
	w.Clock.Add(11 * time.Second)
	if first := l.failed(t); first != "" {
		t.Fatalf("the server itself: %s", first)
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
		t.Errorf("the page has %d codes beside OK: %v", len(codes), codes)
	}
	lies := map[string][2]string{
		"repetitions are not told":     {`"replayed":true`, `"replayed":false`},
		"all is a repetition":          {`"replayed":false`, `"replayed":true`},
		"no transactionId":             {`"transactionId":"[0-9]+"`, `"transactionId":""`},
		"every transactionId the same": {`"transactionId":"[0-9]+"`, `"transactionId":"7"`},
		"another balance":              {`"balance":"([0-9]+)","currency":"VND","transactionId"`, `"balance":"1$1","currency":"VND","transactionId"`},
		"another currency":             {`"currency":"VND"`, `"currency":"CNY"`},
		"another field":                {`"field":"[^"]+"`, `"field":"x"`},
		"no tombstone":                 {`"status":"tombstone"`, `"status":"unchanged"`},
		"nothing is taken back":        {`"status":"reversed"`, `"status":"unchanged"`},
		"no player":                    {`"playerId":"[^"]+"`, `"playerId":""`},
		"no language":                  {`"language":"[^"]+"`, `"language":""`},
		"no trial":                     {`,"trial":(true|false)`, ``},
	}
	for code := range codes {
		lies[code+" is not told"] = [2]string{`"code":"` + code + `"`, `"code":"OK"`}
	}
	for name, lie := range lies {
		l.find, l.instead = regexp.MustCompile(lie[0]), lie[1]
		if first := l.failed(t); first == "" {
			t.Errorf("%s, and every case passed", name)
		}
	}
	l.find = nil
	for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized} {
		l.statuses = map[int]int{status: http.StatusOK}
		if first := l.failed(t); first == "" {
			t.Errorf("%d is answered 200, and every case passed", status)
		}
	}
}
