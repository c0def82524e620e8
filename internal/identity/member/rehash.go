package member

import (
	"context"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// rehash stores a verified password at the current cost. It ignores errors, because the next login tries again.
func (s *Service) rehash(ctx context.Context, row query.Member, password string) {
	if !s.o.Passwords.NeedsRehash(row.PasswordHash) {
		return
	}
	hash, err := s.o.Passwords.Hash(ctx, password)
	if err != nil {
		return
	}
	_ = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		return tx.Q.RehashPassword(ctx, hash, row.ID, row.PasswordHash)
	})
}
