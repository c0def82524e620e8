package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

func openPostgres(ctx context.Context, o Options) (*Store, error) {
	address, err := ParseAddress(o.URL)
	if err != nil {
		return nil, fmt.Errorf("read database address: %w", err)
	}
	cfg, err := pgx.ParseConfig(o.URL)
	if err != nil {
		// Show only the cause: pgx's own message contains the address and may not hide the password.
		cause := errors.Unwrap(err)
		if cause == nil {
			cause = errors.New("invalid setting")
		}
		return nil, fmt.Errorf("read database address %s: %w", address, cause)
	}
	// A query plan that is cached while a table is empty would scan the whole table for the connection's lifetime.
	cfg.RuntimeParams["plan_cache_mode"] = "force_custom_plan"
	cfg.RuntimeParams["application_name"] = "fairground"
	cfg.RuntimeParams["timezone"] = "UTC"
	var options []stdlib.OptionOpenDB
	if o.ReadOnly { // set it after connecting, because target_session_attrs=read-write checks the same setting
		options = append(options, stdlib.OptionAfterConnect(func(ctx context.Context, c *pgx.Conn) error {
			_, err := c.Exec(ctx, "SET default_transaction_read_only = on")
			return err
		}))
	}
	d := stdlib.OpenDB(*cfg, options...)
	conns := o.MaxConns
	if conns == 0 {
		conns = 24
	}
	d.SetMaxOpenConns(conns)
	d.SetMaxIdleConns(conns)
	d.SetConnMaxIdleTime(5 * time.Minute)
	if err := d.PingContext(ctx); err != nil {
		_ = d.Close()
		return nil, fmt.Errorf("reach database %s: %w", address, err)
	}
	return &Store{Engine: Postgres, Writer: d, Reader: d}, nil
}
