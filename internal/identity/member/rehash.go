package member

import (
	"context"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// rehash stores a password that was just proved right at the cost of new ones, where it was made at another. That it failed
// costs the member nothing: the next login tries again.
func (s *Service) rehash(ctx context.Context, row query.Member, password string) {
	if !s.o.Passwords.Stale(row.PasswordHash) {
		return
	}
	hash, err := s.o.Passwords.Hash(ctx, password)
	if err != nil {
		return
	}
	_ = s.o.Store.Write(ctx, func(tx *db.Tx) error { // see above
		return tx.Q.RehashPassword(ctx, hash, row.ID, row.PasswordHash)
	})
}
