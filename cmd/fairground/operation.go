package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairground/internal/platform/config"
	"fairground/internal/platform/control"
	"fairground/internal/server"
)

const defaultLockTimeout = 5 * time.Second

// An operation reads or changes data. The running server executes it; without one, the command does.
type operation[I, O any] struct {
	name string
	run  func(context.Context, *server.Server, I) (O, error)
}

// controlCommands returns the operations that a running server accepts on its control socket.
func controlCommands(p *server.Server) map[string]control.Command {
	all := map[string]control.Command{}
	register(all, p, createMember)
	register(all, p, disableMember)
	register(all, p, enableMember)
	register(all, p, createOperator)
	register(all, p, resetOperator)
	register(all, p, adjustLedger)
	register(all, p, showMerchant)
	register(all, p, setMerchant)
	register(all, p, switchMerchant)
	register(all, p, switchVendor)
	register(all, p, importCatalogue)
	register(all, p, createVendor)
	register(all, p, rotateVendor)
	register(all, p, listOpenRounds)
	register(all, p, refundRound)
	register(all, p, retryRound)
	register(all, p, refundTicket)
	register(all, p, readContent)
	register(all, p, importContent)
	return all
}

func register[I, O any](all map[string]control.Command, p *server.Server, op operation[I, O]) {
	all[op.name] = control.Do(func(ctx context.Context, in I) (O, error) { return op.run(ctx, p, in) })
}

// perform executes an operation in the running server or in this process.
func perform[I, O any](c *console, storage config.Storage, op operation[I, O], in I) (out O, err error) {
	if storage.DB == "" {
		if err := findDatabase(storage.Data, "start the server once, or set the data folder with --data"); err != nil {
			return out, err
		}
	}
	lock, err := control.Wait(c.ctx, storage.Data, c.lockTimeout)
	if errors.Is(err, control.ErrBusy) {
		callErr := control.Call(c.ctx, storage.Data, op.name, in, &out)
		if errors.Is(callErr, control.ErrNoServer) {
			return out, err // names the process that holds the lock
		}
		if callErr != nil {
			return out, fmt.Errorf("%s: %w", op.name, callErr)
		}
		return out, nil
	}
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	key := storage.Key()
	key.Optional = true // most operations need no key
	p, err := server.Open(c.ctx, server.Options{Storage: storage, Key: key, Log: c.quietLog(), Now: c.now, Hashes: c.hashes}, server.RequireCurrent)
	if err != nil {
		return out, err
	}
	defer p.Close()
	return op.run(c.ctx, p, in)
}
