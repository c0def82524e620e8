package rest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
)

type health struct {
	Status  string            `json:"status"`
	Version string            `json:"version"`
	Reason  string            `json:"reason,omitempty"`
	Checks  map[string]string `json:"checks,omitempty"`
}

// Live returns a handler that sends 200 while the process serves requests. It checks nothing.
func (a *API) Live(version string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeHealth(w, http.StatusOK, health{Status: "ok", Version: version})
	})
}

// Health returns a handler that sends 200 if check succeeds, and otherwise 503 with the reason. The log has the error.
func (a *API) Health(version string, check func(context.Context) (reason string, err error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), probeTimeout)
		defer cancel()
		state, status := health{Status: "ok", Version: version}, http.StatusOK
		if reason, err := check(ctx); err != nil {
			state.Status, state.Reason, status = "unavailable", reason, http.StatusServiceUnavailable
			logHealth(ctx, err)
		}
		writeHealth(w, status, state)
	})
}

// A Check is the state of one part of the server. Err is nil if the server can serve requests in that state.
type Check struct {
	Name, State string
	Err         error
}

// Ready returns a handler that sends 200 if no check has an error, and otherwise 503. Both list all checks.
func (a *API) Ready(version string, checks func(context.Context) []Check) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), probeTimeout)
		defer cancel()
		state, status := health{Status: "ok", Version: version, Checks: map[string]string{}}, http.StatusOK
		var failed error
		for _, c := range checks(ctx) {
			state.Checks[c.Name] = c.State
			failed = errors.Join(failed, c.Err)
		}
		if failed != nil {
			state.Status, status = "unavailable", http.StatusServiceUnavailable
			logHealth(ctx, failed)
		}
		writeHealth(w, status, state)
	})
}

func logHealth(ctx context.Context, err error) {
	if x := exchangeOf(ctx); x != nil {
		x.err = err
	}
}

func writeHealth(w http.ResponseWriter, status int, state health) {
	w.Header()["Content-Type"] = jsonType
	w.Header()["Cache-Control"] = noStore
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(state) // an error means that the client disconnected
}
