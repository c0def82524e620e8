package member

import (
	"context"
	"errors"
	"fmt"

	"fairground/internal/db"
	"fairground/internal/db/query"
	"fairground/internal/rest"
)

// Invite makes a player who has no password, under a made name: somebody who is known by an account elsewhere. link
// runs in the same transaction, so that neither is ever there without the other.
func (s *Service) Invite(ctx context.Context, merchantID int64, link func(tx *db.Tx, memberID int64) error) (int64, error) {
	if err := s.o.Rules.Open(ctx, merchantID); err != nil {
		return 0, err
	}
	currency, err := s.o.Rules.Currency(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	for {
		id := s.o.IDs()
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
			added, err := tx.Q.AddMember(ctx, query.AddMemberParams{
				ID: id, MerchantID: merchantID, Account: madeName(), Type: int64(Player), Currency: currency.Code,
				Language: rest.LanguageOf(ctx), CreatedAt: db.Millis(s.o.Now()),
			})
			if err == nil && added == 0 {
				err = ErrUsernameTaken
			}
			if err != nil {
				return err
			}
			if err := s.o.Accounts.EnsureMemberIn(ctx, tx, merchantID, id, currency.Code); err != nil {
				return err
			}
			return link(tx, id)
		})
		if errors.Is(err, ErrUsernameTaken) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("invite: %w", err)
		}
		return id, nil
	}
}
