package server

import (
	"context"
	"strconv"
	"time"

	"fairground/internal/finance/books"
	"fairground/internal/identity/desk"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/site/ops"
)

// approvals adapts the operators' approvals to books.Approvals.
type approvals struct{ operators *ops.Service }

// Request implements books.Approvals.
func (a approvals) Request(ctx context.Context, merchantID int64, action, object string, payload any) (*books.Approval, error) {
	waiting, err := a.operators.Request(ctx, merchantID, action, object, payload)
	if err != nil || waiting == nil {
		return nil, err
	}
	return &books.Approval{ID: strconv.FormatInt(waiting.ID, 10), State: waiting.State}, nil
}

// memberDesk adapts the desk to limits.Desk.
type memberDesk struct{ *desk.Service }

// LockIn implements limits.Desk.
func (memberDesk) LockIn(ctx context.Context, tx *db.Tx, merchantID, memberID, version int64) error {
	_, err := desk.LockIn(ctx, tx, merchantID, memberID, version)
	return err
}

// zone returns the time zone of a merchant: that of its currency's country.
func (s *Server) zone(ctx context.Context, merchantID int64) (*time.Location, error) {
	c, err := s.Merchants.Currency(ctx, merchantID)
	return money.Zone(c.Code), err
}
