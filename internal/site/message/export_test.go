package message

import (
	"context"
	"net/http"
)

// Run runs the job that delivers a message once.
func (s *Service) Run(ctx context.Context, id int64) error { return s.run(ctx, id, false) }

// DeliverBatch delivers a message to members that were read before.
func (s *Service) DeliverBatch(ctx context.Context, id int64, members []int64) error {
	m, err := s.o.Store.Q().MessageByID(ctx, id)
	if err != nil {
		return err
	}
	return s.deliverBatch(ctx, m, members)
}

// Push runs the job that sends a push message once.
func (s *Service) Push(ctx context.Context, id int64) error { return s.push(ctx, id, false) }

// SystemText returns the title and text of a system message.
var SystemText = systemText

// UseClient replaces the client for push services.
func (s *Service) UseClient(c *http.Client) { s.o.Client = c }

// MayEmail reports whether an e-mail with a stored origin may be sent now.
func (s *Service) MayEmail(ctx context.Context, stored string) (bool, error) {
	return s.mayEmail(ctx, stored)
}
