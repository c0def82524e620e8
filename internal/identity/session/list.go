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

// ErrUnknown is said of a session that is over, and of one that is somebody else's.
var ErrUnknown = fault.New(fault.NotFound, "session.unknown")

// Seen is one of a member's sessions, as the member is told of it.
type Seen struct {
	ID      int64
	Device  string
	Address string // masked: enough to know one's own
	Country string // where the address is: two capital letters, or nothing where nobody knows
	Created time.Time
	Used    time.Time
}

// List gives a member's sessions that can be used, the last used first.
func (s *Service) List(ctx context.Context, caller rest.Caller) ([]Seen, error) {
	idle, _, err := s.o.Settings.SessionLifetime(ctx, caller.MerchantID)
	if err != nil {
		return nil, err
	}
	now := s.o.Now()
	rows, err := s.o.Store.Q().LiveSessions(ctx, caller.MemberID, db.Millis(now), db.Millis(now.Add(-idleLimit(idle))))
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	list := make([]Seen, len(rows))
	for i, r := range rows {
		list[i] = Seen{r.ID, r.Device, mask(r.Address), s.countryOf(ctx, r.Address), time.UnixMilli(r.CreatedAt), time.UnixMilli(r.SeenAt)}
	}
	return list, nil
}

// Count tells how many of a member's sessions can be used.
func (s *Service) Count(ctx context.Context, merchantID, memberID int64) (int, error) {
	list, err := s.List(ctx, rest.Caller{MerchantID: merchantID, MemberID: memberID})
	return len(list), err
}

// OpenedAt gives when the caller logged in: renewing a session does not change it.
func (s *Service) OpenedAt(ctx context.Context, caller rest.Caller) (time.Time, error) {
	list, err := s.List(ctx, caller)
	if err != nil {
		return time.Time{}, err
	}
	for _, one := range list {
		if one.ID == caller.SessionID {
			return one.Created, nil
		}
	}
	return time.Time{}, rest.ErrTokenInvalid
}

// countryOf tells where an address is, roughly. A list is not refused because that cannot be told.
func (s *Service) countryOf(ctx context.Context, address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil || s.o.Countries == nil {
		return ""
	}
	country, err := s.o.Countries.Country(a)
	if err != nil {
		s.o.Log.WarnContext(ctx, "a session's country cannot be told", "error", err)
		return ""
	}
	return country
}

// mask hides the part of an address that tells machines of one network apart.
func mask(address string) string {
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
	var dead [][]byte
	err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		dead, err = tx.Q.EndOwnSession(ctx, query.EndOwnSessionParams{
			ID: id, MemberID: caller.MemberID, EndedAt: nullMillis(s.o.Now()), EndedWhy: db.Text(Revoked),
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("end own session: %w", err)
	}
	if len(dead) == 0 {
		return ErrUnknown
	}
	s.revokeCached(digest(dead[0]))
	s.tellEnded(events.SessionEnded{Session: text(id), Member: text(caller.MemberID)})
	return nil
}

// EndOthers ends all of the caller's sessions but the one that asks.
func (s *Service) EndOthers(ctx context.Context, caller rest.Caller) error {
	var dead []query.EndOtherSessionsRow
	err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		dead, err = tx.Q.EndOtherSessions(ctx, query.EndOtherSessionsParams{
			MemberID: caller.MemberID, Keep: caller.SessionID, EndedAt: nullMillis(s.o.Now()), EndedWhy: db.Text(Revoked),
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("end other sessions: %w", err)
	}
	for _, row := range dead {
		s.revokeCached(digest(row.TokenHash))
		s.tellEnded(events.SessionEnded{Session: text(row.ID), Member: text(caller.MemberID)})
	}
	return nil
}
