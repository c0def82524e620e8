package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Times and sizes beyond which a connection is not worth keeping.
const (
	readTimeout  = 10 * time.Second // head and body together: a time for the head alone costs each request one timer more
	writeLimit   = 60 * time.Second // event streams set their own, per item
	idleTimeout  = 2 * time.Minute
	maxHead      = 32 << 10
	drainTimeout = 10 * time.Second
	probeTimeout = 2 * time.Second
)

// Serve answers on l until ctx ends. Then drain is called, to let go of what would stay open for ever, and
// requests under way have a moment to finish.
func (a *API) Serve(ctx context.Context, l net.Listener, drain func()) error {
	s := &http.Server{
		Handler:        a.Handler(),
		ReadTimeout:    readTimeout,
		WriteTimeout:   writeLimit,
		IdleTimeout:    idleTimeout,
		MaxHeaderBytes: maxHead,
		ErrorLog:       slog.NewLogLogger(a.log.Handler(), slog.LevelDebug), // broken clients, mostly
	}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	drain()
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	err := s.Shutdown(wait)
	if errors.Is(err, context.DeadlineExceeded) {
		a.log.Warn("requests cut off at stop")
		err = s.Close()
	}
	if err != nil {
		return fmt.Errorf("stop serving: %w", err)
	}
	return nil
}

// Health answers 200 when check passes, 503 with the reason's name when not. The cause stands in the log.
func (a *API) Health(version string, check func(context.Context) (reason string, err error)) http.Handler {
	type health struct {
		Status  string `json:"status"`
		Version string `json:"version"`
		Reason  string `json:"reason,omitempty"`
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), probeTimeout)
		defer cancel()
		state, status := health{Status: "ok", Version: version}, http.StatusOK
		if reason, err := check(ctx); err != nil {
			state.Status, state.Reason, status = "unavailable", reason, http.StatusServiceUnavailable
			if x := exchangeOf(ctx); x != nil {
				x.err = err
			}
		}
		w.Header()["Content-Type"] = jsonType
		w.Header()["Cache-Control"] = noStore
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(state) // the prober left
	})
}
