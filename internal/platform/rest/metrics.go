package rest

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	inFlight prometheus.Gauge
	refused  *prometheus.CounterVec
}

func newMetrics(to prometheus.Registerer) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fairground_http_requests_total", Help: "Requests by route and status class.",
		}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "fairground_http_request_seconds", Help: "Time from the request header to the end of the response.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 15},
		}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "fairground_http_requests_in_flight", Help: "Requests in progress, including event streams.",
		}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fairground_refused_requests_total", Help: "Requests that failed because a part of the server was unavailable, such as writes to a full database.",
		}, []string{"code"}),
	}
	for _, c := range []prometheus.Collector{m.requests, m.seconds, m.inFlight, m.refused} {
		if err := to.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// routeMetrics holds the counters of one route, so that requests need not look them up.
type routeMetrics struct {
	classes [6]prometheus.Counter
	seconds prometheus.Observer
}

func (m *metrics) route(label string) routeMetrics {
	rm := routeMetrics{seconds: m.seconds.WithLabelValues(label)}
	for i, class := range []string{"0xx", "1xx", "2xx", "3xx", "4xx", "5xx"} {
		rm.classes[i] = m.requests.WithLabelValues(label, class)
	}
	return rm
}

func (m routeMetrics) observe(status int, took time.Duration) {
	m.classes[min(max(status/100, 0), 5)].Inc()
	m.seconds.Observe(took.Seconds())
}

// MetricsHandler returns a handler that sends the metrics to this machine, to the configured networks, and to clients with
// the token.
func (a *API) MetricsHandler(from prometheus.Gatherer) http.Handler {
	metrics := promhttp.HandlerFor(from, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !a.hasMetricsToken(r) && !isLocal(r) && (isForwarded(r) || !inNetworks(peerOf(r), a.options.MetricsFrom)) {
			WriteError(w, r, ErrRouteUnknown)
			return
		}
		metrics.ServeHTTP(w, r)
	})
}
