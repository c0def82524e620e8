package server

import (
	"context"
	"database/sql"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"fairground/internal/platform/db"
)

const (
	// stateInterval is how long the metrics of the database are cached, so that frequent scrapes do not cause load.
	stateInterval = 5 * time.Second
	// stateTimeout is shorter than Prometheus's timeout for a scrape.
	stateTimeout = 3 * time.Second
)

var (
	writableMetric  = prometheus.NewDesc("fairground_database_writable", "1 if the database accepts writes, otherwise 0.", nil, nil)
	busMetric       = prometheus.NewDesc("fairground_bus_connected", "1 if this process is connected to NATS, otherwise 0.", nil, nil)
	diskMetric      = prometheus.NewDesc("fairground_disk_free_bytes", "Free space of the file system with the data folder.", nil, nil)
	outboxMetric    = prometheus.NewDesc("fairground_outbox_rows", "Committed changes of about the last minute, which replicas read.", nil, nil)
	outboxLagMetric = prometheus.NewDesc("fairground_outbox_lag_seconds", "Time since this process last had all changes.", nil, nil)
	jobsMetric      = prometheus.NewDesc("fairground_jobs", "Background jobs that are not completed, by state.", []string{"state"}, nil)
	roundsMetric    = prometheus.NewDesc("fairground_open_rounds", "Rounds with a stake that no vendor has ended.", nil, nil)
	tablesMetric    = prometheus.NewDesc("fairground_table_led", "1 if a process runs the live table, otherwise 0. A table without players needs none.", []string{"table"}, nil)
	stateMetrics    = []*prometheus.Desc{writableMetric, busMetric, diskMetric, outboxMetric, outboxLagMetric, jobsMetric, roundsMetric, tablesMetric}
)

// A stateCollector reads the state of the server at each scrape. It omits metrics that cannot be read.
type stateCollector struct {
	s *Server

	mu     sync.Mutex
	readAt time.Time
	last   []prometheus.Metric // the metrics of the database at readAt
}

func newStateCollector(s *Server) *stateCollector { return &stateCollector{s: s} }

// Describe implements prometheus.Collector.
func (c *stateCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range stateMetrics {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c *stateCollector) Collect(to chan<- prometheus.Metric) {
	connected := 0.0
	if c.s.Bus.Connected() {
		connected = 1
	}
	to <- gauge(busMetric, connected)
	to <- gauge(outboxLagMetric, c.s.Outbox.Lag().Seconds())
	var disk syscall.Statfs_t
	if err := syscall.Statfs(c.s.o.Storage.Data, &disk); err == nil {
		to <- gauge(diskMetric, float64(disk.Bavail)*float64(disk.Bsize))
	}
	for _, m := range c.database() {
		to <- m
	}
}

func gauge(d *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

func (c *stateCollector) database() []prometheus.Metric {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil && time.Since(c.readAt) < stateInterval {
		return c.last
	}
	ctx, cancel := context.WithTimeout(context.Background(), stateTimeout)
	defer cancel()
	writable := 0.0
	if err := c.s.probe.Check(ctx); err == nil {
		writable = 1
	}
	read := append(c.outbox(ctx), gauge(writableMetric, writable))
	read = append(read, c.rounds(ctx)...)
	read = append(read, c.labelled(ctx, jobsMetric, "SELECT CAST(state AS TEXT), COUNT(*) FROM river_job WHERE state <> 'completed' GROUP BY state")...)
	read = append(read, c.labelled(ctx, tablesMetric, "SELECT id, CASE WHEN until > $1 THEN 1 ELSE 0 END FROM house_table", db.Millis(c.s.Store.Time()))...)
	c.last, c.readAt = read, time.Now()
	return read
}

func (c *stateCollector) outbox(ctx context.Context) []prometheus.Metric {
	var rows int64
	if err := c.s.Store.Reader.QueryRowContext(ctx, "SELECT COUNT(*) FROM outbox").Scan(&rows); err != nil {
		return nil
	}
	return []prometheus.Metric{gauge(outboxMetric, float64(rows))}
}

func (c *stateCollector) rounds(ctx context.Context) []prometheus.Metric {
	var open int64
	if err := c.s.Store.Reader.QueryRowContext(ctx, "SELECT COUNT(*) FROM vendor_round WHERE status = 'open'").Scan(&open); err != nil {
		return nil
	}
	return []prometheus.Metric{gauge(roundsMetric, float64(open))}
}

// labelled returns one metric per row of a query with the columns label and value.
func (c *stateCollector) labelled(ctx context.Context, d *prometheus.Desc, query string, args ...any) (all []prometheus.Metric) {
	rows, err := db.Bind(c.s.Store.Engine, c.s.Store.Reader).QueryContext(ctx, query, args...)
	if err != nil {
		return nil
	}
	defer rows.Close()
	for rows.Next() {
		var label string
		var value float64
		if err := rows.Scan(&label, &value); err != nil {
			return nil
		}
		all = append(all, gauge(d, value, label))
	}
	if rows.Err() != nil {
		return nil
	}
	return all
}

// pools returns the database's connection pools.
func (s *Server) pools() map[string]*sql.DB {
	if s.Store.Writer == s.Store.Reader {
		return map[string]*sql.DB{"all": s.Store.Writer}
	}
	return map[string]*sql.DB{"writer": s.Store.Writer, "reader": s.Store.Reader}
}
