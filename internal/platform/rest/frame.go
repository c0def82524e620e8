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
)

// Handler is the whole border: every request passes it, matched or not.
func (a *API) Handler() http.Handler { return http.HandlerFunc(a.serve) }

// serve gives the request its id and address, sets the headers that every answer carries, refuses
// cross-site changes, and afterwards logs and counts.
func (a *API) serve(w http.ResponseWriter, r *http.Request) {
	x := &exchange{serverContext: r.Context(), request: r, api: a, start: a.now(), bareFaults: strings.HasPrefix(r.URL.Path, "/lgw/")}
	x.recorder.ResponseWriter = w
	x.address, x.secure = a.clientOf(r)
	x.id = a.requestID(r)
	a.metrics.inFlight.Inc()
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
	defer func() {
		broken := recover()
		given := givenUp(broken)
		switch {
		case given:
			x.err = http.ErrAbortHandler
		case broken != nil:
			a.recovered(x, r, broken)
		}
		a.metrics.inFlight.Dec()
		a.finish(x, r)
		if given {
			panic(broken) // the server cuts the connection
		}
	}()
	x.setHeaders()
	if err := a.crossSite.Check(r); err != nil {
		WriteError(&x.recorder, r, ErrCrossSite.Because(err))
		return
	}
	a.mux.ServeHTTP(&x.recorder, r)
}

// givenUp tells a handler that gave up its connection on purpose from one that is broken.
func givenUp(broken any) bool {
	err, ok := broken.(error)
	return ok && errors.Is(err, http.ErrAbortHandler)
}

// recovered answers for a handler that panicked.
func (a *API) recovered(x *exchange, r *http.Request, broken any) {
	x.err, x.panicked = fmt.Errorf("panic: %v", broken), true
	a.log.LogAttrs(context.WithoutCancel(x.serverContext), slog.LevelError, "panic",
		slog.String("request", x.id), slog.Any("panic", broken), slog.String("stack", string(debug.Stack())))
	if x.status == 0 {
		WriteError(&x.recorder, r, x.err)
	}
}

// finish counts the request and writes its line in the log: the path only, for a query may hold a token.
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
		status = clientGone // what failed, failed because nobody waited for it any more
	}
	rt.metrics.observe(status, took)
	level := slog.LevelInfo
	if status >= http.StatusInternalServerError && !errors.Is(x.err, ErrMaintenance) {
		// A site that was closed on purpose refuses, but nothing is wrong.
		level = slog.LevelError
	} else if rt.bare {
		level = slog.LevelDebug // files and probes would drown the rest
	}
	if !a.log.Enabled(x.serverContext, level) {
		return
	}
	path := r.URL.Path
	if len(path) > longestPath {
		path = strings.ToValidUTF8(path[:longestPath], "") + "…"
	}
	if a.lines != nil && level == slog.LevelInfo && x.err == nil {
		a.lines.request(end, x, r.Method, path, status, took)
		return
	}
	attrs := make([]slog.Attr, 0, 10)
	attrs = append(attrs,
		slog.String("request", x.id),
		slog.String("method", plain(r.Method, 16)),
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
	// clientGone is how the log and the figures call a request whose client left before the answer. It is never sent.
	clientGone = 499
	// longestPath is how much of a path the log keeps: the rest is the sender's, not ours.
	longestPath = 256
)

// requestID takes a proxy's name for the request when a configured proxy sent one, and makes one otherwise.
func (a *API) requestID(r *http.Request) string {
	if len(a.options.Proxies) > 0 && a.fromProxy(r) {
		if given := r.Header.Get("X-Request-Id"); idForm(given) {
			return given
		}
	}
	var raw [12]byte
	binary.BigEndian.PutUint64(raw[:8], rand.Uint64()) // a name, not a secret
	binary.BigEndian.PutUint32(raw[8:], rand.Uint32())
	var text [2 * len(raw)]byte
	hex.Encode(text[:], raw[:])
	return string(text[:])
}

// idForm tells whether a name for a request can stand anywhere as it is.
func idForm(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return 0 < len(s) && len(s) <= 64
}
