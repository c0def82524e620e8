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

// HTTP says how the API is reached.
type HTTP struct {
	Version     string
	Proxies     []netip.Prefix
	Origins     []string
	TLS         bool
	MetricsFrom []netip.Prefix
	Rate        *ratelimit.Limit // per address over all calls; nil means none
	Calls       []string         // origins that the app may call
	Widgets     []string         // origins that the app may frame
}

// API puts the app, the API, health and metrics in front of the services.
func (s *Server) API(h HTTP) (*rest.API, error) {
	registry := prometheus.NewRegistry()
	api, err := rest.New(rest.Options{
		Version: h.Version, Log: s.o.Log,
		Authenticator: s.Sessions, Merchants: s.Merchants, Modules: s.Merchants, Gate: s.Merchants,
		Proxies: h.Proxies, Origins: h.Origins, TLS: h.TLS, Rate: h.Rate,
		Metrics: registry, MetricsFrom: h.MetricsFrom, Unavailable: db.Unavailable, Timeout: s.o.Slack,
	})
	if err != nil {
		return nil, err
	}
	app, err := webui.New(front{s.Merchants, s.Content}, webui.Reach{
		Calls: h.Calls, Widgets: h.Widgets, Frames: s.Vendors.Origins, Images: s.Merchants.ImageOrigins, Pictures: s.o.Files.Pictures,
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
			Name: "fairground_password_hashes_total", Help: "Password hashes made, to store or to compare. Each takes tens of milliseconds.",
		}, func() float64 { return float64(s.Passwords.HashCount()) }),
	)
	s.Routes(api, app)
	s.Loopback.Use(api.Handler())
	api.Mount("GET /healthz", api.Health(h.Version, s.Healthy))
	api.Mount("GET /metrics", api.MetricsHandler(registry))
	api.Mount("/", app)
	return api, nil
}
