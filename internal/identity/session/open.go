package session

import (
	"context"
	"fmt"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/rest"
)

// opening says for whom a session is opened, and from where.
type opening struct {
	merchantID, memberID int64
	epoch                int64 // of the member's, in which the right to it was found out
	address, device      string
}

// ErrOvertaken refuses a login whose account was given a new password or closed while it was being checked.
var ErrOvertaken = fault.New(fault.Conflict, "login.overtaken")

// OpenFor opens a session for a member whose right to one another part has found out in this epoch, from where the request
// comes.
func (s *Service) OpenFor(ctx context.Context, memberID, epoch int64) (token string, err error) {
	g, err := s.open(ctx, opening{rest.MerchantOf(ctx).ID, memberID, epoch, rest.AddressOf(ctx), rest.DeviceOf(ctx)})
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
	var who query.Member
	var surplus []query.EndSurplusSessionsRow
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		held, err := tx.Q.HoldEpoch(ctx, o.memberID, o.epoch)
		if err != nil {
			return err
		}
		if held == 0 {
			return ErrOvertaken
		}
		if who, err = tx.Q.MemberByID(ctx, o.memberID); err != nil {
			return err
		}
		err = tx.Q.AddSession(ctx, query.AddSessionParams{
			ID: s.o.IDs(), MemberID: o.memberID, TokenHash: hash[:], Device: o.device, Address: o.address,
			CreatedAt: db.Millis(now), ExpiresAt: db.Millis(now.Add(absolute)),
		})
		if err != nil {
			return err
		}
		surplus, err = tx.Q.EndSurplusSessions(ctx, query.EndSurplusSessionsParams{
			MemberID: o.memberID, Keep: liveMost, Now: db.Millis(now), IdleSince: db.Millis(now.Add(-idleLimit(idle))),
			EndedAt: nullMillis(now), EndedWhy: nullText(Surplus),
		})
		return err
	})
	if err != nil {
		return Grant{}, fmt.Errorf("open session: %w", err)
	}
	for _, old := range surplus {
		s.bury(digest(old.TokenHash))
		s.tellEnded(events.Ended{Session: text(old.ID), Member: text(o.memberID)})
	}
	return Grant{Token: token, Account: who.Account, Type: rest.MemberType(who.Type), FirstTimeLogin: who.FirstTimeLogin}, nil
}

// EndAllIn ends every session of a member in the transaction that gives the reason: a new password, a closed account.
// Logins that are under way end with them: the member's next epoch begins.
// tell must be called once that is committed.
func (s *Service) EndAllIn(ctx context.Context, tx *db.Tx, memberID int64, why string) (tell func(), err error) {
	if err := tx.Q.NextEpoch(ctx, memberID); err != nil {
		return nil, fmt.Errorf("end sessions: %w", err)
	}
	rows, err := tx.Q.EndMemberSessions(ctx, memberID, nullMillis(s.o.Now()), nullText(why))
	if err != nil {
		return nil, fmt.Errorf("end sessions: %w", err)
	}
	return func() {
		for _, hash := range rows {
			s.bury(digest(hash))
		}
		s.tellEnded(events.Ended{Member: text(memberID)})
	}, nil
}
