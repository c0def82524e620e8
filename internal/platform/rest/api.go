// Package rest is the HTTP layer. For every call, it determines the request id, merchant, language and session. It then
// checks limits and access, runs the handler, and sends the result or fault in the envelope. It also generates the OpenAPI
// document from the declared calls. It contains no domain rules and does not access the database. It uses the interfaces
// declared here instead.
package rest

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"fairground/internal/platform/ratelimit"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"

	"fairground/internal/platform/spec"
)

// An Authenticator returns the caller of a session token, or ErrTokenInvalid if the token is unknown, expired or revoked.
type Authenticator interface {
	Authenticate(ctx context.Context, token string) (Caller, error)
}

// Merchants finds a merchant by its code. An empty code means the configured merchant. Find returns ErrMerchantUnknown for
// an unknown code.
type Merchants interface {
	Find(ctx context.Context, code string) (Merchant, error)
}

// Modules reports whether a merchant has a module switched on.
type Modules interface {
	ModuleEnabled(ctx context.Context, merchant int64, module spec.Module) (bool, error)
}

// A Gate decides whether a merchant's site is open to an address, which is invalid if unknown. Open returns ErrMaintenance
// or ErrRestricted for a closed site.
type Gate interface {
	Open(ctx context.Context, merchantID int64, address netip.Addr) error
}

// Options configures an API.
type Options struct {
	Version       string
	Log           *slog.Logger
	Authenticator Authenticator
	Merchants     Merchants
	Operators     OperatorSessions // nil: no operator can log in
	Modules       Modules          // nil: all modules are on
	Gate          Gate             // nil: the site is always open
	Proxies       []netip.Prefix   // trusted proxies, whose forwarded headers are used
	Origins       []string         // public origins of the site, in addition to the request's host
	TLS           bool             // behind TLS: send HSTS
	Rate          *ratelimit.Limit // per network, for all calls together; nil: no limit
	Metrics       prometheus.Registerer
	MetricsFrom   []netip.Prefix   // networks that may read the metrics, in addition to loopback
	MetricsToken  string           // allows reading the metrics and a demo's captured messages from anywhere; empty: no token does
	Timeout       time.Duration    // for a handler; 0 means 15 s
	Unavailable   func(error) bool // reports whether an error means that the database is unavailable; may be nil
	Now           func() time.Time
}

// An API holds the declared calls and serves them.
type API struct {
	options   Options
	log       *slog.Logger
	logBuffer *logBuffer // nil if the logger was not created by NewLog
	now       func() time.Time
	mux       *http.ServeMux
	huma      huma.API
	limiter   *ratelimit.Memory[limitKey]
	crossSite *http.CrossOriginProtection
	metrics   *metrics
	streams   sync.WaitGroup
	unknown   *route
	routes    []Op
	lastIndex uint32 // index of the last route
}

const defaultTimeout = 15 * time.Second

// New returns an API without calls. Use Typed, Raw, Plain and Handle to declare calls.
func New(o Options) (*API, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Metrics == nil {
		o.Metrics = prometheus.NewRegistry()
	}
	a := &API{
		options:   o,
		log:       o.Log,
		now:       o.Now,
		mux:       http.NewServeMux(),
		limiter:   ratelimit.NewMemory[limitKey](limiterSize),
		crossSite: http.NewCrossOriginProtection(),
	}
	if h, ok := o.Log.Handler().(*logHandler); ok {
		a.logBuffer = h.buffer
	}
	for _, origin := range o.Origins {
		if err := a.crossSite.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	var err error
	if a.metrics, err = newMetrics(o.Metrics); err != nil {
		return nil, err
	}
	a.huma = huma.NewAPI(documentConfig(o.Version), adapter{a})
	a.unknown = a.newRoute(Op{ID: "unknown"}, "unknown", http.HandlerFunc(a.serveUnknown))
	for _, prefix := range []string{"/wps", "/lgw", "/vendor", "/house", "/ops", "/pay"} {
		a.mux.Handle(prefix, a.unknown)
		a.mux.Handle(prefix+"/", a.unknown)
	}
	return a, nil
}

// Mount adds a handler that is not a call of the API: files, health, metrics. Its requests have an id, a log line, headers
// and the cross-site check, but no merchant and no session.
func (a *API) Mount(pattern string, h http.Handler) {
	rt := a.newRoute(Op{ID: pattern}, pattern, h)
	rt.mounted = true
	a.mux.Handle(pattern, rt)
}

// Routes returns all declared calls.
func (a *API) Routes() []Op { return a.routes }

// serveUnknown handles an unknown path, or a known path with the wrong method.
func (a *API) serveUnknown(w http.ResponseWriter, r *http.Request) {
	allowed := ""
	probe := r.Clone(r.Context())
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch} {
		probe.Method = method
		if h, _ := a.mux.Handler(probe); h != http.Handler(a.unknown) {
			if allowed != "" {
				allowed += ", "
			}
			allowed += method
		}
	}
	if allowed == "" {
		WriteError(w, r, ErrRouteUnknown)
		return
	}
	w.Header().Set("Allow", allowed)
	writeFailure(w, r, failureOf(ErrRouteUnknown, http.StatusMethodNotAllowed))
}
