package server

import (
	"net/netip"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"fairground/internal/platform/db"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/webui"
)

// HTTP configures the API.
type HTTP struct {
	Version      string
	Proxies      []netip.Prefix
	Origins      []string
	TLS          bool
	MetricsFrom  []netip.Prefix
	MetricsToken string
	Rate         *ratelimit.Limit // per network, for all endpoints together; nil: no limit

	ConnectOrigins []string // external origins that the app may call
	WidgetOrigins  []string // sources of third-party scripts
}

// API returns an API that serves the app, all endpoints, health and metrics.
func (s *Server) API(h HTTP) (*rest.API, error) {
	registry := prometheus.NewRegistry()
	api, err := rest.New(rest.Options{
		Version: h.Version, Log: s.o.Log,
		Authenticator: s.Sessions, Operators: s.Operators, Merchants: s.Merchants, Modules: s.Merchants, Gate: s.Merchants,
		Proxies: h.Proxies, Origins: h.Origins, TLS: h.TLS, Rate: h.Rate,
		Metrics: registry, MetricsFrom: h.MetricsFrom, MetricsToken: h.MetricsToken, Unavailable: db.Unavailable, Timeout: s.o.Timeout,
	})
	if err != nil {
		return nil, err
	}
	app, err := webui.New(pageSource{s.Merchants, s.Content}, webui.Options{
		ConnectOrigins: h.ConnectOrigins, WidgetOrigins: h.WidgetOrigins, AllowsConsole: s.Operators.AllowsConsole,
		FrameOrigins: s.Vendors.Origins, ImageOrigins: s.Merchants.ImageOrigins, MediaOrigins: s.Streams.Origins, Pictures: s.o.Files.Pictures,
	})
	if err != nil {
		return nil, err
	}
	registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "fairground_event_streams", Help: "Open event streams.",
		}, func() float64 { return float64(s.Hub.Open()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "fairground_password_hashes_total", Help: "Password hashes computed. Each takes tens of milliseconds.",
		}, func() float64 { return float64(s.Passwords.HashCount()) }),
		newStateCollector(s),
	)
	for name, pool := range s.pools() {
		registry.MustRegister(collectors.NewDBStatsCollector(pool, name))
	}
	s.Routes(api, app)
	s.Loopback.Use(api.Handler())
	api.Mount("GET /healthz", api.Health(h.Version, s.Healthy))
	api.Mount("GET /livez", api.Live(h.Version))
	api.Mount("GET /readyz", api.Ready(h.Version, s.Ready))
	api.Mount("GET /metrics", api.MetricsHandler(registry))
	api.Mount("/", app)
	return api, nil
}
