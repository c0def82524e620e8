package session

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/rest"
)

// ErrUnknown means that a session has ended or belongs to another member.
var ErrUnknown = fault.New(fault.NotFound, "session.unknown")

// An ActiveSession describes a session to its member.
type ActiveSession struct {
	ID      int64
	Device  string
	Address string // masked
	Country string // ISO 3166 code of the address, or "" if unknown
	Created time.Time
	Used    time.Time
}

// List returns the active sessions of a member, the most recently used first.
func (s *Service) List(ctx context.Context, caller rest.Caller) ([]ActiveSession, error) {
	idle, _, err := s.o.Settings.SessionLifetime(ctx, caller.MerchantID)
	if err != nil {
		return nil, err
	}
	now := s.o.Now()
	rows, err := s.o.Store.Q().LiveSessions(ctx, caller.MemberID, db.Millis(now), db.Millis(now.Add(-idleLimit(idle))))
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	list := make([]ActiveSession, len(rows))
	for i, r := range rows {
		list[i] = ActiveSession{r.ID, r.Device, maskAddress(r.Address), s.countryOf(ctx, r.Address), time.UnixMilli(r.CreatedAt), time.UnixMilli(r.SeenAt)}
	}
	return list, nil
}

// Count returns the number of active sessions of a member.
func (s *Service) Count(ctx context.Context, merchantID, memberID int64) (int, error) {
	list, err := s.List(ctx, rest.Caller{MerchantID: merchantID, MemberID: memberID})
	return len(list), err
}

// OpenedAt returns when the caller logged in. Renewals do not change it.
func (s *Service) OpenedAt(ctx context.Context, caller rest.Caller) (time.Time, error) {
	list, err := s.List(ctx, caller)
	if err != nil {
		return time.Time{}, err
	}
	for _, session := range list {
		if session.ID == caller.SessionID {
			return session.Created, nil
		}
	}
	return time.Time{}, rest.ErrTokenInvalid
}

// countryOf returns the country of an address. It returns "" on failure, so that List still works.
func (s *Service) countryOf(ctx context.Context, address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil || s.o.Countries == nil {
		return ""
	}
	country, err := s.o.Countries.Country(a)
	if err != nil {
		s.o.Log.WarnContext(ctx, "look up country of a session", "error", err)
		return ""
	}
	return country
}

func maskAddress(address string) string {
	a, err := netip.ParseAddr(address)
	switch a = a.Unmap(); {
	case err != nil:
		return ""
	case a.Is4():
		b := a.As4()
		return fmt.Sprintf("%d.%d.*.*", b[0], b[1])
	default:
		groups := strings.Split(a.WithZone("").StringExpanded(), ":")
		for i, g := range groups[:3] {
			groups[i] = strings.TrimLeft(g[:3], "0") + g[3:]
		}
		return strings.Join(groups[:3], ":") + ":*"
	}
}

// EndOwn ends one of the caller's sessions.
func (s *Service) EndOwn(ctx context.Context, caller rest.Caller, id int64) error {
	var publish func()
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		revoked, err := tx.Q.EndOwnSession(ctx, query.EndOwnSessionParams{
			ID: id, MemberID: caller.MemberID, EndedAt: nullMillis(s.o.Now()), EndedWhy: db.Text(Revoked),
		})
		if err != nil {
			return err
		}
		if len(revoked) == 0 {
			return ErrUnknown
		}
		publish, err = s.recordEndsIn(ctx, tx, []digest{digest(revoked[0])}, events.SessionEnded{Session: formatID(id), Member: formatID(caller.MemberID)})
		return err
	})
	if err != nil {
		return fmt.Errorf("end own session: %w", err)
	}
	publish()
	return nil
}

// EndOthers ends all sessions of the caller's member except the caller's.
func (s *Service) EndOthers(ctx context.Context, caller rest.Caller) error {
	var publish func()
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		rows, err := tx.Q.EndOtherSessions(ctx, query.EndOtherSessionsParams{
			MemberID: caller.MemberID, Keep: caller.SessionID, EndedAt: nullMillis(s.o.Now()), EndedWhy: db.Text(Revoked),
		})
		if err != nil {
			return err
		}
		var revoked []digest
		var ended []events.SessionEnded
		for _, row := range rows {
			revoked = append(revoked, digest(row.TokenHash))
			ended = append(ended, events.SessionEnded{Session: formatID(row.ID), Member: formatID(caller.MemberID)})
		}
		publish, err = s.recordEndsIn(ctx, tx, revoked, ended...)
		return err
	})
	if err != nil {
		return fmt.Errorf("end other sessions: %w", err)
	}
	publish()
	return nil
}
