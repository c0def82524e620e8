package lottery

import (
	"context"
	"errors"
	"slices"
	"time"

	"fairground/internal/platform/batch"
	"fairground/internal/platform/db"
)

// Limits of orders that share a transaction.
const (
	maxSharedOrders = 64
	maxSharedLines  = 500 // an order with more lines has its own transaction
	maxRefused      = 8   // orders that are taken out of a transaction, before each of the others gets its own
	orderWorkers    = 4
	orderQueue      = 1024
	orderTimeout    = 20 * time.Second
	maxOrderWait    = 2 * time.Millisecond
)

// errOwnTransaction is the error of orders that cannot share a transaction.
var errOwnTransaction = errors.New("the order needs its own transaction")

// startOrders starts the workers that store orders. Orders of one game use the same worker, because they change the same lines.
func (s *Service) startOrders() {
	workers := make([]batch.Run[*newOrder], orderWorkers)
	for i := range workers {
		workers[i] = s.storeShared
	}
	s.orderBatches = batch.New(batch.Options{Max: maxSharedOrders, Queue: orderQueue, Timeout: orderTimeout, Gather: maxOrderWait}, workers...)
}

// storeOrder stores an order and posts its stakes. Orders that arrive at the same time share a transaction.
func (s *Service) storeOrder(ctx context.Context, d *draft) (Placed, error) {
	o := &newOrder{draft: d}
	if len(d.numeros) == 1 && d.lines() <= maxSharedLines {
		err := s.orderBatches.Do(ctx, uint64(d.game.ID), o)
		switch {
		case err == nil && !errors.Is(o.err, errOwnTransaction):
			return o.placed, o.err
		case err != nil && !errors.Is(err, batch.ErrClosed):
			return Placed{}, err
		}
	}
	err := s.o.Ledger.Write(ctx, func(tx *db.Tx) error { return s.storeOrders(ctx, tx, []*newOrder{o}) })
	return o.placed, refusalOf(err)
}

// lines returns the number of lines of the first numero.
func (d *draft) lines() (n int) {
	for _, b := range d.bets[0] {
		n += len(b.Lines)
	}
	return n
}

// storeShared stores orders in one transaction. It sets the error of each order, and takes out orders that are refused.
func (s *Service) storeShared(ctx context.Context, orders []*newOrder) error {
	rest := slices.Clone(orders)
	for range maxRefused {
		err := s.o.Ledger.Write(ctx, func(tx *db.Tx) error { return s.storeOrders(ctx, tx, rest) })
		var refused *refusedOrder
		switch {
		case err == nil:
			return nil
		case len(rest) == 1:
			rest[0].err = refusalOf(err)
			return nil
		case !errors.As(err, &refused):
			return ownTransactions(rest)
		}
		refused.order.err = refused.err
		rest = slices.DeleteFunc(rest, func(o *newOrder) bool { return o == refused.order })
	}
	return ownTransactions(rest)
}

func ownTransactions(orders []*newOrder) error {
	for _, o := range orders {
		o.err = errOwnTransaction
	}
	return nil
}

// refusalOf returns the refusal of the only order of a transaction, or err.
func refusalOf(err error) error {
	var refused *refusedOrder
	if errors.As(err, &refused) {
		return refused.err
	}
	return err
}
