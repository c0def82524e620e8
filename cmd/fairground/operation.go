package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/config"
	"fairground/internal/platform/control"
	"fairground/internal/platform/db"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
	"fairground/internal/server"
	"fairground/internal/site/ops"
)

const defaultLockTimeout = 5 * time.Second

// startTimeout returns how long a starting server waits for one that is stopping. The operating system may take some time
// to release the locks and ports of a killed process.
func (c *console) startTimeout() time.Duration { return 6 * c.lockTimeout }

// An operation reads or changes data. The running server executes it. If no server is running, the command executes it.
type operation[I, O any] struct {
	name string
	run  func(context.Context, *server.Server, I) (O, error)
}

// controlCommands returns the operations that a running server accepts on its control socket.
func controlCommands(p *server.Server) map[string]control.Command {
	all := map[string]control.Command{}
	register(all, p, nameDatabase)
	register(all, p, createMember)
	register(all, p, disableMember)
	register(all, p, enableMember)
	register(all, p, releaseMember)
	register(all, p, listHeldMembers)
	register(all, p, createOperator)
	register(all, p, resetOperator)
	register(all, p, changeOperator)
	register(all, p, adjustLedger)
	register(all, p, showMerchant)
	register(all, p, setMerchant)
	register(all, p, switchMerchant)
	register(all, p, switchVendor)
	register(all, p, importCatalogue)
	register(all, p, createVendor)
	register(all, p, rotateVendor)
	register(all, p, installHouse)
	register(all, p, changeVendor)
	register(all, p, switchGame)
	register(all, p, setMemberPassword)
	register(all, p, listOpenRounds)
	register(all, p, refundRound)
	register(all, p, retryRound)
	register(all, p, refundTicket)
	register(all, p, readContent)
	register(all, p, importContent)
	register(all, p, listDeposits)
	register(all, p, confirmDeposit)
	register(all, p, refuseDeposit)
	register(all, p, reconcileGateway)
	register(all, p, createGateway)
	register(all, p, rotateGateway)
	register(all, p, listGateways)
	return all
}

func register[I, O any](all map[string]control.Command, p *server.Server, op operation[I, O]) {
	all[op.name] = control.Do(func(ctx context.Context, r request[I]) (O, error) { return op.execute(ctx, p, r) })
}

// A request is the input of an operation, with the operator for whom it runs.
type request[I any] struct {
	Operator string // empty for the user of this machine, as long as no operator has enrolled
	In       I
}

// execute runs the operation. A change writes a row of the audit log in its first transaction.
func (op operation[I, O]) execute(ctx context.Context, p *server.Server, r request[I]) (out O, err error) {
	needed, changes := changePermissions[op.name]
	if !changes {
		return op.run(ctx, p, r.In)
	}
	object, after, err := describeChange(op.name, r.In)
	if err != nil {
		return out, err
	}
	merchantID, err := merchantOf(ctx, p, after)
	if err != nil {
		return out, err
	}
	actor, err := actorOf(ctx, p, r.Operator, op.name, merchantID)
	if err != nil {
		return out, err
	}
	ctx = audit.As(ctx, actor)
	if needed == permission.OperatorEdit || needed == permission.LedgerAdjust {
		return op.run(ctx, p, r.In) // package ops writes its own rows
	}
	entry := audit.Entry{MerchantID: merchantID, Permission: string(needed), Action: op.name, Object: object, After: after}
	return op.run(audit.With(ctx, p.Store.Time, entry, nil), p, r.In)
}

// actorOf checks that an operator may make a change of a merchant and returns the operator's name. Without a name it returns
// commandActor, as long as no operator has enrolled.
func actorOf(ctx context.Context, p *server.Server, name, change string, merchantID int64) (string, error) {
	if name == "" {
		enrolled, err := p.Operators.HasEnrolled(ctx)
		if err == nil && enrolled {
			err = ops.ErrUnnamed
		}
		return commandActor, err
	}
	operator, err := p.Operators.Find(ctx, name)
	if err != nil {
		return "", err
	}
	needed := changePermissions[change]
	if !slices.Contains(operator.Permissions, needed) {
		return "", rest.ErrForbidden.With("permission", needed)
	}
	own := operator.MerchantID
	if own != 0 && needed != permission.OperatorEdit && merchantID != own {
		return "", rest.ErrMerchantUnknown
	}
	if own != 0 && (change == resetOperator.name || change == changeOperator.name) { // the operator may be another merchant's
		return "", rest.ErrForbidden.With("permission", needed)
	}
	return operator.Name, nil
}

// merchantOf returns the id of the merchant that a change names, or 0 if it names none.
func merchantOf(ctx context.Context, p *server.Server, change any) (int64, error) {
	fields, _ := change.(map[string]any)
	code, _ := fields["Merchant"].(string)
	if code == "" {
		return 0, nil
	}
	m, err := p.Merchants.Find(ctx, code)
	return m.ID, err
}

// nameDatabase returns the URL of the server's database without its password, or "" for SQLite.
var nameDatabase = operation[struct{}, string]{"server.database", func(_ context.Context, p *server.Server, _ struct{}) (string, error) {
	return databaseName(p.Storage()), nil
}}

func databaseName(s config.Storage) string {
	if s.DB == "" {
		return ""
	}
	return db.Redact(s.DB)
}

// perform executes an operation in the running server or in this process.
func perform[I, O any](c *console, storage config.Storage, op operation[I, O], in I) (out O, err error) {
	if storage.DB != "" {
		return performOnDatabase(c, storage, op, in)
	}
	if err := findDatabase(storage.Data, "start the server once, or set the data folder with --data"); err != nil {
		return out, err
	}
	lock, err := control.Wait(c.ctx, storage.Data, c.lockTimeout)
	if errors.Is(err, control.ErrBusy) {
		callErr := control.Call(c.ctx, storage.Data, op.name, request[I]{c.operator, in}, &out)
		if errors.Is(callErr, control.ErrNoServer) {
			return out, err // the error names the process that holds the lock
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
	out, _, err = performHere(c, storage, op, in)
	return out, err
}

// performOnDatabase executes an operation on PostgreSQL. If a server in the data folder uses the same database, that server
// executes the operation. Otherwise this process executes it, and running servers read the change.
func performOnDatabase[I, O any](c *console, storage config.Storage, op operation[I, O], in I) (out O, err error) {
	var name string
	if err := control.Call(c.ctx, storage.Data, nameDatabase.name, struct{}{}, &name); err == nil && name == databaseName(storage) {
		if err := control.Call(c.ctx, storage.Data, op.name, request[I]{c.operator, in}, &out); err != nil {
			return out, fmt.Errorf("%s: %w", op.name, err)
		}
		return out, nil
	}
	out, changes, err := performHere(c, storage, op, in)
	if err == nil && changes > 0 {
		fmt.Fprintln(c.stderr, "Stored. Running servers use it within a second.")
	}
	return out, err
}

// performHere executes an operation in this process and returns the number of changes that running servers must read.
func performHere[I, O any](c *console, storage config.Storage, op operation[I, O], in I) (out O, changes int64, err error) {
	key := storage.Key()
	key.Optional = true // most operations need no key
	p, err := server.Open(c.ctx, server.Options{Storage: storage, Key: key, Log: c.quietLog(), Now: c.now, Hashes: c.hashes}, server.RequireCurrent)
	if err != nil {
		return out, 0, err
	}
	defer p.Close()
	out, err = op.execute(c.ctx, p, request[I]{c.operator, in})
	return out, p.Bus.Added(), err
}
