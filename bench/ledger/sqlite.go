package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"fairground/bench/compare"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
)

func measureSQLite(ctx context.Context, dir string, r *compare.Report, duration time.Duration) error {
	b, err := openBank(ctx, db.Options{Data: filepath.Join(dir, "data")})
	if err != nil {
		return err
	}
	defer func() { _ = b.store.Close() }()
	l := ledger.New(b.store, ledger.Options{})
	defer l.Close()
	shared := func(int) *ledger.Ledger { return l }
	posts := func(callers int, hot bool) compare.Subject {
		return func(d time.Duration) (float64, error) {
			return b.rate(ctx, load{callers: callers, hot: hot}, d, shared)
		}
	}
	syncs := func(d time.Duration) (float64, error) { return rawSyncs(dir, d) }
	series, err := compare.InTurn(duration, syncs, posts(1, false), posts(64, false), posts(64, true))
	if err != nil {
		return err
	}
	r.Figure("write and sync of a page, one after another", series[0].Middle())
	r.Figure("SQLite posts, 1 caller", series[1].Middle())
	r.Figure("SQLite posts, 64 callers", series[2].Middle())
	r.Figure("SQLite posts, 64 callers, one hot member", series[3].Middle())
	r.Ratio("ledger on SQLite (synchronous FULL), 64 callers / raw syncs", series[2].Over(series[0]), 1.5)
	r.Ratio("ledger on SQLite, one hot member / spread", series[3].Over(series[2]), 0.95)
	if err := b.addVendor(ctx); err != nil {
		return err
	}
	return b.measureVendor(ctx, r, duration, 64, "raw syncs", syncs, l, ledger.Options{})
}

func rawSyncs(dir string, duration time.Duration) (float64, error) {
	f, err := os.Create(filepath.Join(dir, "syncs"))
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	page := make([]byte, 4096)
	n, start := 0, time.Now()
	for ; time.Since(start) < duration; n++ {
		if _, err := f.Write(page); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
	}
	return float64(n) / time.Since(start).Seconds(), nil
}
