package rest

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Successful calls of other servers are logged at the debug level only. Slow and failed ones stay visible.
func TestLogOfServerCalls(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := NewLog(&out, slog.LevelInfo)
	now := time.Unix(1_800_000_000, 0)
	a := newTestAPI(t, func(o *Options) {
		o.Log = log
		o.Now = func() time.Time { return now }
	})
	status, took := http.StatusOK, time.Duration(0)
	Plain[struct{}, struct{}, struct{}](a, Op{
		Method: http.MethodPost, Path: "/vendor/v1/bet", ID: "bet",
		OnReject: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusServiceUnavailable) },
	}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		now = now.Add(took)
		w.WriteHeader(status)
	}))
	for _, tt := range []struct {
		status int
		took   time.Duration
		want   bool
	}{{200, 0, false}, {200, time.Second, true}, {401, 0, true}, {503, 0, true}} {
		out.Reset()
		status, took = tt.status, tt.took
		a.Handler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/vendor/v1/bet", nil))
		if err := Flush(log); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), "/vendor/v1/bet"); got != tt.want {
			t.Errorf("status %d after %s: logged = %t, want %t: %s", tt.status, tt.took, got, tt.want, out.String())
		}
	}
}
