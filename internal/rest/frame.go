package rest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"
)

// Handler is the whole border: every request passes it, matched or not.
func (a *API) Handler() http.Handler { return http.HandlerFunc(a.serve) }

// serve gives the request its id and address, sets the headers that every answer carries, refuses
// cross-site changes, and afterwards logs and counts.
func (a *API) serve(w http.ResponseWriter, r *http.Request) {
	start := a.now()
	x := &exchange{beneath: r.Context(), api: a}
	x.recorder.ResponseWriter = w
	x.address, x.secure = a.clientOf(r)
	x.id = a.requestID(r)
	a.metrics.inFlight.Inc()
	r = r.WithContext(x)
	defer func() {
		if broken := recover(); broken != nil {
			a.recovered(x, r, broken)
		}
		x.release()
		a.metrics.inFlight.Dec()
		a.finish(x, r, a.now().Sub(start))
	}()
	a.setHeaders(x)
	if err := a.crossSite.Check(r); err != nil {
		WriteError(&x.recorder, r, ErrCrossSite.Because(err))
		return
	}
	a.mux.ServeHTTP(&x.recorder, r)
}

// recovered answers for a handler that panicked. A handler that gave up its connection on purpose goes on
// doing so.
func (a *API) recovered(x *exchange, r *http.Request, broken any) {
	if err, ok := broken.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		x.err = err
		panic(broken)
	}
	x.err = fmt.Errorf("panic: %v", broken)
	a.log.LogAttrs(context.WithoutCancel(x.beneath), slog.LevelError, "panic",
		slog.String("request", x.id), slog.Any("panic", broken), slog.String("stack", string(debug.Stack())))
	if x.status == 0 {
		WriteError(&x.recorder, r, x.err)
	}
}

// finish counts the request and writes its line in the log: the path only, for a query may hold a token.
func (a *API) finish(x *exchange, r *http.Request, took time.Duration) {
	rt := x.route
	if rt == nil {
		rt = a.unknown
	}
	status := x.status
	if status == 0 {
		status = http.StatusOK
	}
	rt.metrics.observe(status, took)
	level := slog.LevelInfo
	if status >= http.StatusInternalServerError {
		level = slog.LevelError
	} else if rt.bare {
		level = slog.LevelDebug // files and probes would drown the rest
	}
	if !a.log.Enabled(x.beneath, level) {
		return
	}
	if a.lines != nil && level == slog.LevelInfo && x.err == nil {
		a.lines.request(a.now(), x, r.Method, r.URL.Path, status, took)
		return
	}
	attrs := make([]slog.Attr, 0, 10)
	attrs = append(attrs,
		slog.String("request", x.id),
		slog.String("method", r.Method),
		slog.String("path", r.URL.Path),
		slog.Int("status", status),
		slog.Int64("bytes", x.bytes),
		slog.Duration("took", took),
		slog.String("address", x.address.String()),
	)
	if x.callerOK {
		attrs = append(attrs, slog.Int64("member", x.caller.MemberID))
	}
	if x.err != nil {
		attrs = append(attrs, slog.String("error", x.err.Error()))
	}
	a.log.LogAttrs(x.beneath, level, "request", attrs...)
}

// requestID takes a proxy's name for the request when a configured proxy sent one, and makes one otherwise.
func (a *API) requestID(r *http.Request) string {
	if given := r.Header.Get("X-Request-Id"); given != "" && len(a.options.Proxies) > 0 && a.fromProxy(r) {
		if given = plain(given, 64); given != "" {
			return given
		}
	}
	var raw [12]byte
	_, _ = rand.Read(raw[:]) // never fails (it aborts the program instead)
	return hex.EncodeToString(raw[:])
}
