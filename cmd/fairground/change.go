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

// patience is how long a command, or a server, waits for another on the same folder or database to end.
const patience = 5 * time.Second

// change is something a command does to the data: by the running server when there is one, else by itself.
type change[I, O any] struct {
	name string
	run  func(context.Context, *server.Server, I) (O, error)
}

// commands are the changes a running server takes over its socket.
func commands(p *server.Server) map[string]control.Command {
	all := map[string]control.Command{}
	offer(all, p, createMember)
	offer(all, p, disableMember)
	offer(all, p, enableMember)
	offer(all, p, createOperator)
	offer(all, p, resetOperator)
	offer(all, p, adjustLedger)
	offer(all, p, showMerchant)
	offer(all, p, setMerchant)
	offer(all, p, switchMerchant)
	offer(all, p, switchVendor)
	offer(all, p, importCatalogue)
	offer(all, p, createVendor)
	offer(all, p, rotateVendor)
	offer(all, p, listOpenRounds)
	offer(all, p, refundRound)
	offer(all, p, retryRound)
	offer(all, p, refundTicket)
	offer(all, p, readContent)
	offer(all, p, importContent)
	return all
}

func offer[I, O any](to map[string]control.Command, p *server.Server, c change[I, O]) {
	to[c.name] = control.Do(func(ctx context.Context, in I) (O, error) { return c.run(ctx, p, in) })
}

// perform does the change, whichever process that takes.
func perform[I, O any](c *console, storage config.Storage, do change[I, O], in I) (out O, err error) {
	if storage.DB == "" {
		if err := findDatabase(storage.Data, "start the server once, or name its folder with --data"); err != nil {
			return out, err
		}
	}
	lock, err := control.Wait(c.ctx, storage.Data, c.turn)
	if errors.Is(err, control.ErrBusy) {
		asked := control.Call(c.ctx, storage.Data, do.name, in, &out)
		if errors.Is(asked, control.ErrNoServer) {
			return out, err // it says who has the folder
		}
		if asked != nil {
			return out, fmt.Errorf("%s: %w", do.name, asked)
		}
		return out, nil
	}
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	p, err := server.Open(c.ctx, server.Options{Storage: storage, Log: c.quietLog(), Now: c.now, Hashes: c.hashes}, server.RequireCurrent)
	if err != nil {
		return out, err
	}
	defer p.Close()
	return do.run(c.ctx, p, in)
}
