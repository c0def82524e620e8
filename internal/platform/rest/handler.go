package rest

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"strings"
	"time"
)

// Handler returns the handler for all requests.
func (a *API) Handler() http.Handler { return http.HandlerFunc(a.serve) }

// serve determines the request id and client address, sets the common headers, rejects cross-site changes, and logs and
// counts the request.
func (a *API) serve(w http.ResponseWriter, r *http.Request) {
	x := &exchange{serverContext: r.Context(), request: r, api: a, start: a.now(), shortFailures: strings.HasPrefix(r.URL.Path, "/lgw/")}
	x.recorder.ResponseWriter = w
	x.address, x.secure = a.clientOf(r)
	x.id = a.requestID(r)
	a.metrics.inFlight.Inc()
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
	defer func() {
		reason := recover()
		aborted := isAbort(reason)
		switch {
		case aborted:
			x.err = http.ErrAbortHandler
		case reason != nil:
			a.handlePanic(x, r, reason)
		}
		a.metrics.inFlight.Dec()
		a.finish(x, r)
		if aborted {
			panic(reason) // net/http closes the connection
		}
	}()
	x.setHeaders()
	if ambiguousLength(r) {
		x.recorder.Header().Set("Connection", "close")
		WriteError(&x.recorder, r, ErrParam.Because(errAmbiguousLength))
		return
	}
	if err := a.crossSite.Check(r); err != nil {
		WriteError(&x.recorder, r, ErrCrossSite.Because(err))
		return
	}
	a.mux.ServeHTTP(&x.recorder, r)
}

// isAbort reports whether a handler panicked to abort its response.
func isAbort(reason any) bool {
	err, ok := reason.(error)
	return ok && errors.Is(err, http.ErrAbortHandler)
}

func (a *API) handlePanic(x *exchange, r *http.Request, reason any) {
	x.err, x.panicked = fmt.Errorf("panic: %v", reason), true
	a.log.LogAttrs(context.WithoutCancel(x.serverContext), slog.LevelError, "panic",
		slog.String("request", x.id), slog.Any("panic", reason), slog.String("stack", string(debug.Stack())))
	if x.status == 0 {
		WriteError(&x.recorder, r, x.err)
	}
}

// slowCall is the minimum duration of a successful call from another server that is logged at the info level.
const slowCall = time.Second

// finish counts and logs the request. It does not log the query, which may contain a token.
func (a *API) finish(x *exchange, r *http.Request) {
	end := a.now()
	took := end.Sub(x.start)
	rt := x.route
	if rt == nil {
		rt = a.unknown
	}
	status := x.status
	if status == 0 {
		status = http.StatusOK
	}
	if status >= http.StatusInternalServerError && !x.panicked && x.serverContext.Err() != nil {
		status = statusClientClosed // the request failed because the client disconnected
	}
	rt.metrics.observe(status, took)
	level := slog.LevelInfo
	if status >= http.StatusInternalServerError && !errors.Is(x.err, ErrMaintenance) {
		level = slog.LevelError
	} else if rt.mounted {
		level = slog.LevelDebug // files and health checks are too frequent for the info level
	} else if rt.op.OnReject != nil && status < http.StatusBadRequest && took < slowCall {
		level = slog.LevelDebug // calls from other servers are too frequent as well
	}
	if !a.log.Enabled(x.serverContext, level) {
		return
	}
	path := r.URL.Path
	if len(path) > maxLogPath {
		path = strings.ToValidUTF8(path[:maxLogPath], "") + "…"
	}
	if a.logBuffer != nil && level == slog.LevelInfo && x.err == nil {
		a.logBuffer.writeRequest(end, x, r.Method, path, status, took)
		return
	}
	attrs := make([]slog.Attr, 0, 10)
	attrs = append(attrs,
		slog.String("request", x.id),
		slog.String("method", printable(r.Method, 16)),
		slog.String("path", path),
		slog.Int("status", status),
		slog.Int64("bytes", x.bytes),
		slog.Duration("took", took),
		slog.String("address", AddressOf(r.Context())),
	)
	if x.callerOK {
		attrs = append(attrs, slog.Int64("member", x.caller.MemberID))
	}
	if x.err != nil {
		attrs = append(attrs, slog.String("error", x.err.Error()))
	}
	a.log.LogAttrs(x.serverContext, level, "request", attrs...)
}

const (
	// statusClientClosed marks a request whose client disconnected before the response. It appears only in the log and the
	// metrics.
	statusClientClosed = 499
	// maxLogPath is the maximum length in bytes of a path in the log.
	maxLogPath = 256
)

// requestID returns the id from a trusted proxy, or a new id.
func (a *API) requestID(r *http.Request) string {
	if len(a.options.Proxies) > 0 && a.fromProxy(r) {
		if id := r.Header.Get("X-Request-Id"); isValidID(id) {
			return id
		}
	}
	var raw [12]byte
	binary.BigEndian.PutUint64(raw[:8], rand.Uint64()) // the id is not a secret
	binary.BigEndian.PutUint32(raw[8:], rand.Uint32())
	var text [2 * len(raw)]byte
	hex.Encode(text[:], raw[:])
	return string(text[:])
}

// isValidID reports whether a request id needs no escaping in headers and logs.
func isValidID(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return 0 < len(s) && len(s) <= 64
}
