package session

import (
	"context"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/rest"
)

type openParams struct {
	merchantID, memberID int64
	epoch                int64 // the member's epoch when the login was authenticated
	from                 rest.Visitor
}

// OpenFor opens a session for a member whom the caller authenticated. It fails if the member's epoch is no longer epoch.
func (s *Service) OpenFor(ctx context.Context, merchantID, memberID, epoch int64, from rest.Visitor) (token string, firstTimeLogin bool, err error) {
	g, err := s.open(ctx, openParams{merchantID, memberID, epoch, from})
	return g.Token, g.FirstTimeLogin, err
}

func (s *Service) open(ctx context.Context, o openParams) (Grant, error) {
	idle, absolute, err := s.o.Settings.SessionLifetime(ctx, o.merchantID)
	if err != nil {
		return Grant{}, err
	}
	token, hash := newToken()
	now := s.o.Now()
	g := Grant{Token: token}
	publish := func() {}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		var err error
		if g.Username, g.Type, g.FirstTimeLogin, err = s.o.Members.LockIn(ctx, tx, o.memberID, o.epoch, o.from.Language); err != nil {
			return err
		}
		if err := s.reportNewLoginIn(ctx, tx, o); err != nil {
			return err
		}
		err = tx.Q.AddSession(ctx, query.AddSessionParams{
			ID: s.o.IDs(), MemberID: o.memberID, TokenHash: hash[:], Device: o.from.Device, Address: o.from.Address,
			CreatedAt: db.Millis(now), ExpiresAt: db.Millis(now.Add(absolute)),
		})
		if err != nil {
			return err
		}
		if err := tx.Q.MarkLoggedIn(ctx, o.memberID); err != nil {
			return err
		}
		surplus, err := tx.Q.EndSurplusSessions(ctx, query.EndSurplusSessionsParams{
			MemberID: o.memberID, Keep: maxSessions, Now: db.Millis(now), IdleSince: db.Millis(now.Add(-idleLimit(idle))),
			EndedAt: nullMillis(now), EndedWhy: db.Text(Surplus),
		})
		if err != nil {
			return err
		}
		var revoked []digest
		var ended []events.SessionEnded
		for _, old := range surplus {
			revoked = append(revoked, digest(old.TokenHash))
			ended = append(ended, events.SessionEnded{Session: formatID(old.ID), Member: formatID(o.memberID)})
		}
		publish, err = s.recordEndsIn(ctx, tx, revoked, ended...)
		return err
	})
	if err != nil {
		return Grant{}, fmt.Errorf("open session: %w", err)
	}
	publish()
	return g, nil
}

// reportNewLoginIn writes to the member's inbox if no earlier login came from the same network and kind of device. It does not report the
// first login.
func (s *Service) reportNewLoginIn(ctx context.Context, tx *db.Tx, o openParams) error {
	if s.o.Inbox == nil {
		return nil
	}
	earlier, err := tx.Q.EarlierLogins(ctx, o.memberID)
	if err != nil || len(earlier) == 0 {
		return err
	}
	network := rest.NetworkOfAddress(o.from.Address)
	for _, e := range earlier {
		if e.Device == o.from.Device && rest.NetworkOfAddress(e.Address) == network {
			return nil
		}
	}
	return s.o.Inbox.SystemIn(ctx, tx, o.memberID, "login.new", map[string]string{"address": o.from.Address, "device": o.from.Device})
}

// EndAllIn ends all sessions of a member in the caller's transaction. That transaction must also start the member's next epoch, which
// rejects concurrent logins. The caller must call publish after the commit.
func (s *Service) EndAllIn(ctx context.Context, tx *db.Tx, memberID int64, why string) (publish func(), err error) {
	rows, err := tx.Q.EndMemberSessions(ctx, memberID, nullMillis(s.o.Now()), db.Text(why))
	if err != nil {
		return nil, fmt.Errorf("end sessions: %w", err)
	}
	revoked := make([]digest, len(rows))
	for i, hash := range rows {
		revoked[i] = digest(hash)
	}
	return s.recordEndsIn(ctx, tx, revoked, events.SessionEnded{Member: formatID(memberID)})
}
