package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"fairground/bench/compare"
	"fairground/internal/platform/db"
)

// insert adds a row of the size of a bet to a table without rules.
const insert = "INSERT INTO raw_bet (id, round_id, play_code, selection, amount, odds, state) VALUES ($1, $2, 'sum-side', 'big', 1000, '{\"big\":\"1.91\"}', 'open')"

const createTable = "CREATE TABLE IF NOT EXISTS raw_bet (id BIGINT PRIMARY KEY, round_id BIGINT NOT NULL, play_code TEXT NOT NULL, selection TEXT NOT NULL, amount BIGINT NOT NULL, odds TEXT NOT NULL, state TEXT NOT NULL)"

var lastRaw atomic.Int64

// inserts adds each row in its own transaction, with as many callers as members bet, and returns the rows per second.
func (s *site) inserts(ctx context.Context) compare.Subject {
	return func(d time.Duration) (float64, error) {
		if _, err := s.store.Writer.ExecContext(ctx, createTable); err != nil {
			return 0, err
		}
		var done atomic.Int64
		begin := time.Now()
		err := compare.Parallel(clients, func(int) error {
			for time.Since(begin) < d {
				if err := s.insertRows(ctx, 1); err != nil {
					return err
				}
				done.Add(1)
			}
			return nil
		})
		return float64(done.Load()) / time.Since(begin).Seconds(), err
	}
}

// bulkInserts inserts rows, 1,000 in a transaction, and returns how many a second.
func (s *site) bulkInserts(ctx context.Context, rows int) (float64, error) {
	begin := time.Now()
	for left := rows; left > 0; left -= perWrite {
		if err := s.insertRows(ctx, min(left, perWrite)); err != nil {
			return 0, err
		}
	}
	return float64(rows) / time.Since(begin).Seconds(), nil
}

func (s *site) insertRows(ctx context.Context, count int) error {
	return s.store.Write(ctx, func(tx *db.Tx) error {
		statement, err := tx.PrepareContext(ctx, insert)
		if err != nil {
			return fmt.Errorf("prepare insert: %w", err)
		}
		defer statement.Close()
		for range count {
			id := lastRaw.Add(1)
			if _, err := statement.ExecContext(ctx, id, id); err != nil {
				return fmt.Errorf("insert: %w", err)
			}
		}
		return nil
	})
}
