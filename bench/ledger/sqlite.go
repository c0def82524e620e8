package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"fairground/internal/db"
	"fairground/internal/ledger"
)

func measureSQLite(ctx context.Context, dir string, r *report, each time.Duration) error {
	syncs, err := rawSyncs(dir, each)
	if err != nil {
		return err
	}
	r.figure("write and sync of a page, one after another", syncs)
	b, err := openBank(ctx, db.Options{Data: filepath.Join(dir, "data")})
	if err != nil {
		return err
	}
	defer func() { _ = b.store.Close() }()
	l := ledger.New(b.store, ledger.Options{})
	defer l.Close()
	one := func(int) *ledger.Ledger { return l }
	alone, err := b.rate(ctx, 1, each, false, one)
	if err != nil {
		return err
	}
	r.figure("SQLite posts, 1 caller", alone)
	spread, err := b.rate(ctx, 64, each, false, one)
	if err != nil {
		return err
	}
	r.figure("SQLite posts, 64 callers", spread)
	r.ratio("SQLite (synchronous FULL), 64 callers / raw syncs", spread/syncs, 1.5)
	hot, err := b.rate(ctx, 64, each, true, one)
	if err != nil {
		return err
	}
	r.figure("SQLite posts, 64 callers, one hot member", hot)
	r.ratio("SQLite, one hot member / spread", hot/spread, 0.95)
	return nil
}

// rawSyncs is what the disk gives to a program that appends a page and waits for it, over and over.
func rawSyncs(dir string, each time.Duration) (float64, error) {
	f, err := os.Create(filepath.Join(dir, "syncs"))
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	page := make([]byte, 4096)
	n, begin := 0, time.Now()
	for ; time.Since(begin) < each; n++ {
		if _, err := f.Write(page); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
	}
	return float64(n) / time.Since(begin).Seconds(), nil
}
