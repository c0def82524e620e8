// Package rest is the HTTP border: it gives every call its request id, merchant, language, session, limits and
// headers, hands it to a domain's typed handler, and sends the answer or the fault in the product's envelope.
// It writes the OpenAPI document from the same declarations. It holds no rule of any domain and never reads
// the database: what it needs to know it asks through the small interfaces declared here.
package rest

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"fairground/internal/platform/ratelimit"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"

	"fairground/internal/platform/spec"
)

// Authenticator turns a session token into the one who calls. A token that is unknown, expired or ended
// gives ErrTokenInvalid.
type Authenticator interface {
	Authenticate(ctx context.Context, token string) (Caller, error)
}

// Merchants finds a merchant by the code in the request; the empty code means the configured one. An unknown
// code gives ErrMerchantUnknown.
type Merchants interface {
	Find(ctx context.Context, code string) (Merchant, error)
}

// Modules tells whether a module of a merchant is switched on.
type Modules interface {
	ModuleEnabled(ctx context.Context, merchant int64, module spec.Module) (bool, error)
}

// Gate tells whether a merchant's site is open to an address, which is not valid where it is unknown. A site that is not open
// gives ErrMaintenance or ErrRestricted.
type Gate interface {
	Open(ctx context.Context, merchantID int64, address netip.Addr) error
}

// Options are what the border needs from outside.
type Options struct {
	Version       string
	Log           *slog.Logger
	Authenticator Authenticator
	Merchants     Merchants
	Modules       Modules          // nil: no module is ever closed
	Gate          Gate             // nil: the site is always open
	Proxies       []netip.Prefix   // whose forwarded headers count
	Origins       []string         // own public origins besides the request's host
	TLS           bool             // served behind TLS: HSTS is sent
	Rate          *ratelimit.Limit // per address over all calls; nil means none
	Metrics       prometheus.Registerer
	MetricsFrom   []netip.Prefix   // who besides loopback may read the metrics
	Timeout       time.Duration    // for a handler; 0 means 15 s
	Unavailable   func(error) bool // tells a database that is away from a fault of ours; nil knows none
	Now           func() time.Time
}

// API collects the calls and serves them.
type API struct {
	options   Options
	log       *slog.Logger
	lines     *lines // the log's own, when it has a way round slog
	now       func() time.Time
	mux       *http.ServeMux
	huma      huma.API
	limiter   *ratelimit.Memory[limitKey]
	crossSite *http.CrossOriginProtection
	metrics   *metrics
	unknown   *route
	routes    []Op
	numbered  uint32 // routes so far, declared or mounted
}

const defaultTimeout = 15 * time.Second

// New makes an empty API. Domains add their calls with Wps, Raw and Handle.
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
		a.lines = h.out
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
	for _, prefix := range []string{"/wps", "/lgw", "/vendor", "/house", "/ops"} {
		a.mux.Handle(prefix, a.unknown)
		a.mux.Handle(prefix+"/", a.unknown)
	}
	return a, nil
}

// Mount serves something that is not a call of the API (the app's files, health, metrics): it passes the
// frame (id, log, headers, cross-site check) but knows no merchant and no session.
func (a *API) Mount(pattern string, h http.Handler) {
	rt := a.newRoute(Op{ID: pattern}, pattern, h)
	rt.bare = true
	a.mux.Handle(pattern, rt)
}

// Routes lists every declared call, for tests that look at all of them.
func (a *API) Routes() []Op { return a.routes }

// serveUnknown answers a path that nobody declared, or a declared one with the wrong method.
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
