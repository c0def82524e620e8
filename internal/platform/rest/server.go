package rest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	readTimeout    = 10 * time.Second // for header and body; a separate header timeout would cost a timer per request
	writeTimeout   = 60 * time.Second // event streams set their own deadline for each event
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 32 << 10
	drainTimeout   = 10 * time.Second // for running requests at shutdown
	probeTimeout   = 2 * time.Second  // for health checks
)

// Serve accepts connections on l until ctx ends. It then calls drain, which must end all streams, and waits up to
// drainTimeout for streams and other requests.
func (a *API) Serve(ctx context.Context, l net.Listener, drain func()) error {
	s := &http.Server{
		Handler:        a.Handler(),
		ReadTimeout:    readTimeout,
		WriteTimeout:   writeTimeout,
		IdleTimeout:    idleTimeout,
		MaxHeaderBytes: maxHeaderBytes,
		ConnContext:    withConn,
		ErrorLog:       slog.NewLogLogger(a.log.Handler(), slog.LevelDebug), // mostly errors that clients cause
	}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(framingListener{l}) }()
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
		a.log.Warn("shutdown timed out: closing connections with unfinished requests")
		err = s.Close()
	}
	if err != nil {
		return fmt.Errorf("stop serving: %w", err)
	}
	a.waitForStreams(wait)
	return nil
}

func (a *API) waitForStreams(ctx context.Context) {
	ended := make(chan struct{})
	go func() {
		a.streams.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}
