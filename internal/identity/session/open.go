package session

import (
	"context"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/rest"
)

// opening says for whom a session is opened, and from where.
type opening struct {
	merchantID, memberID int64
	epoch                int64 // of the member's, in which the right to it was found out
	from                 rest.Visitor
}

// OpenFor opens a session for a member whose right to one another part has found out in this epoch, from where the visitor
// comes.
func (s *Service) OpenFor(ctx context.Context, merchantID, memberID, epoch int64, from rest.Visitor) (token string, err error) {
	g, err := s.open(ctx, opening{merchantID, memberID, epoch, from})
	return g.Token, err
}

// open writes a new session. Opening many ends the oldest.
func (s *Service) open(ctx context.Context, o opening) (Grant, error) {
	idle, absolute, err := s.o.Settings.SessionLifetime(ctx, o.merchantID)
	if err != nil {
		return Grant{}, err
	}
	token, hash := newToken()
	now := s.o.Now()
	g := Grant{Token: token}
	var surplus []query.EndSurplusSessionsRow
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		var err error
		if g.Username, g.Type, g.FirstTimeLogin, err = s.o.Members.LockIn(ctx, tx, o.memberID, o.epoch, o.from.Language); err != nil {
			return err
		}
		err = tx.Q.AddSession(ctx, query.AddSessionParams{
			ID: s.o.IDs(), MemberID: o.memberID, TokenHash: hash[:], Device: o.from.Device, Address: o.from.Address,
			CreatedAt: db.Millis(now), ExpiresAt: db.Millis(now.Add(absolute)),
		})
		if err != nil {
			return err
		}
		surplus, err = tx.Q.EndSurplusSessions(ctx, query.EndSurplusSessionsParams{
			MemberID: o.memberID, Keep: liveMost, Now: db.Millis(now), IdleSince: db.Millis(now.Add(-idleLimit(idle))),
			EndedAt: nullMillis(now), EndedWhy: db.Text(Surplus),
		})
		return err
	})
	if err != nil {
		return Grant{}, fmt.Errorf("open session: %w", err)
	}
	for _, old := range surplus {
		s.revokeCached(digest(old.TokenHash))
		s.tellEnded(events.SessionEnded{Session: text(old.ID), Member: text(o.memberID)})
	}
	return g, nil
}

// EndAllIn ends every session of a member in the transaction that gives the reason: a new password, a closed account.
// That transaction must have begun the member's next epoch, which refuses the logins under way.
// tell must be called once it is committed.
func (s *Service) EndAllIn(ctx context.Context, tx *db.Tx, memberID int64, why string) (tell func(), err error) {
	rows, err := tx.Q.EndMemberSessions(ctx, memberID, nullMillis(s.o.Now()), db.Text(why))
	if err != nil {
		return nil, fmt.Errorf("end sessions: %w", err)
	}
	return func() {
		for _, hash := range rows {
			s.revokeCached(digest(hash))
		}
		s.tellEnded(events.SessionEnded{Member: text(memberID)})
	}, nil
}
