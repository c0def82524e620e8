package vendor

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	ticketFor = 60 * time.Second
	playFor   = 24 * time.Hour
)

// closedByBreak is why a play was closed that its member's break has ended; vendors are told that.
const closedByBreak = "break"

// live is a play as this server remembers it for a few seconds.
type live struct {
	query.PlayByIDRow

	currency    string
	cash, house int64 // the accounts that its money moves between
	state       code  // why it is over; empty while it goes on
	readAt      int64 // unix ms, before it was read
}

// find gives the play that a protocol's session stands for; nil where there is none of this vendor's.
func (s *Service) find(ctx context.Context, m *maker, sessionID string) (*live, error) {
	hash := digest(sha256.Sum256([]byte(sessionID)))
	p, known := s.plays.GetIfPresent(hash)
	if !known || s.endedSince(p) {
		id, err := s.o.Store.Q().PlayByToken(ctx, hash[:])
		if errors.Is(err, sql.ErrNoRows) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("find play: %w", err)
		}
		if p, err = s.load(ctx, id); err != nil {
			return nil, err
		}
		s.plays.Set(hash, p)
	}
	if p.VendorID != m.id {
		return nil, nil // another's session is none here
	}
	if (p.state == "" || p.state == excluded) && db.Millis(s.o.Now())-p.CreatedAt >= playFor.Milliseconds() {
		over := *p
		over.state = sessionExpired
		return &over, nil
	}
	return p, nil
}

// load reads a play and what its money moves between.
func (s *Service) load(ctx context.Context, id int64) (*live, error) {
	p := &live{readAt: db.Millis(s.o.Now())}
	var err error
	if p.PlayByIDRow, err = s.o.Store.Q().PlayByID(ctx, id); err != nil {
		return nil, fmt.Errorf("read play: %w", err)
	}
	p.currency = p.Currency
	if p.state, err = s.stateOf(ctx, p); err != nil {
		return nil, err
	}
	cash, err := s.o.Ledger.EnsureMember(ctx, p.MerchantID, p.MemberID, p.currency)
	if err != nil {
		return nil, fmt.Errorf("find player's account: %w", err)
	}
	m, err := s.maker(ctx, p.VendorID)
	if err != nil {
		return nil, err
	}
	house, err := s.o.Ledger.House(ctx, p.MerchantID, ledger.Vendor(m.code), p.currency)
	if err != nil {
		return nil, fmt.Errorf("find vendor's account: %w", err)
	}
	p.cash, p.house = cash.ID, house.ID
	return p, nil
}

// stateOf tells why a play is over, or nothing. A closed account ends its sessions, too: vendors are told the cause.
func (s *Service) stateOf(ctx context.Context, p *live) (code, error) {
	if p.ClosedAt.Valid && p.ClosedWhy == closedByBreak {
		return excluded, nil
	}
	if p.ClosedAt.Valid {
		return sessionExpired, nil
	}
	if p.Status != "active" && (!p.EndedWhy.Valid || p.EndedWhy.String == p.Status) {
		return accountDisabled, nil
	}
	alive, err := s.o.Sessions.Alive(ctx, p.SessionID)
	if err != nil {
		return "", fmt.Errorf("ask for the player's session: %w", err)
	}
	if !alive {
		return sessionExpired, nil
	}
	return "", nil
}

// ClosePlay ends a play of a member. Closing twice is not an error.
func (s *Service) ClosePlay(ctx context.Context, memberID, playID int64) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.PlayShown(ctx, "vi", playID, memberID)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrUnknownPlay
		}
		if err != nil {
			return err
		}
		_, err = tx.Q.ClosePlay(ctx, sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}, playID, memberID)
		return err
	})
	if err != nil {
		return fmt.Errorf("close play: %w", err)
	}
	s.tellClosed("p" + text(playID))
	return nil
}

// authenticate turns a ticket into a session of the protocol. The session follows from the ticket, and everything else that is
// answered is read before the ticket is used: while it is good, the same request gives the same answer again.
func (s *Service) authenticate(ctx context.Context, m *maker, r *request) (answer, error) {
	ticket, by := sha256.Sum256([]byte(r.Ticket)), sha256.Sum256([]byte(r.RequestID))
	now := db.Millis(s.o.Now())
	t, err := s.o.Store.Q().PlayByTicket(ctx, ticket[:], m.id, now)
	if errors.Is(err, sql.ErrNoRows) {
		return say(sessionExpired, r.Currency, 0), nil
	}
	if err != nil {
		return answer{}, fmt.Errorf("find ticket: %w", err)
	}
	p, err := s.load(ctx, t.ID)
	if err != nil {
		return answer{}, err
	}
	c, err := s.mayPlay(ctx, p)
	if err != nil {
		return answer{}, err
	}
	a, err := s.sayNow(ctx, c, p, r)
	if err != nil || c != ok {
		return a, err
	}
	game, err := s.o.Games.Find(ctx, p.MerchantID, Choice{Node: p.GameID})
	if err != nil {
		return answer{}, fmt.Errorf("find game: %w", err)
	}
	token := s.sessionOf(r.Ticket)
	hash := sha256.Sum256([]byte(token))
	opened, repeated := t.OpenedBy, t.OpenedAt.Valid
	if !repeated {
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			used, err := tx.Q.OpenPlay(ctx, query.OpenPlayParams{
				TokenHash: hash[:], OpenedBy: by[:], Now: sql.NullInt64{Int64: now, Valid: true}, TicketHash: ticket[:], VendorID: m.id,
			})
			if opened = by[:]; err != nil || used > 0 {
				return err
			}
			faster, err := tx.Q.PlayByTicket(ctx, ticket[:], m.id, now)
			opened, repeated = faster.OpenedBy, true
			return err
		})
	}
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return answer{}, fmt.Errorf("use ticket: %w", err)
	case err != nil, r.RequestID == "" && repeated, !bytes.Equal(opened, by[:]):
		return say(sessionExpired, r.Currency, 0), nil //nolint:nilerr // closed meanwhile: the ticket is none any more
	}
	a.SessionID, a.PlayerID, a.Nickname, a.Language, a.Trial = token, s.PlayerID(p.MemberID), nickname(p), p.Language, &p.Trial
	a.GameCode = game.LaunchCode // the address carries a ticket alone, and a vendor may have many games
	return a, nil
}

// sessionOf gives the session that a ticket opens. Who knows the ticket, as the player's browser does, cannot tell it.
func (s *Service) sessionOf(ticket string) string {
	return base64.RawURLEncoding.EncodeToString(s.o.Keys.MAC("vendor.session", ticket))
}

// mayPlay tells what keeps a player from beginning, in the protocol's order.
func (s *Service) mayPlay(ctx context.Context, p *live) (code, error) {
	if p.state != "" {
		return p.state, nil
	}
	c, err := s.barred(ctx, p.MemberID)
	if err != nil || c != ok {
		return c, err
	}
	on, err := s.gameOn(ctx, p, "")
	if err != nil || !on {
		return gameUnavailable, err
	}
	return ok, nil
}

// barred tells whether the member is excluded or takes time out.
func (s *Service) barred(ctx context.Context, memberID int64) (code, error) {
	if s.o.Limits == nil {
		return ok, nil
	}
	err := s.o.Limits.Check(ctx, memberID)
	if k := fault.KindOf(err); err != nil && (k == fault.Refused || k == fault.Forbidden) {
		return excluded, nil
	}
	return ok, err
}

// gameOn tells whether the play's game can be played now, and whether it is the one that is named.
func (s *Service) gameOn(ctx context.Context, p *live, named string) (bool, error) {
	if s.o.Closed != nil {
		if closed, err := s.o.Closed(ctx, p.MerchantID); closed || err != nil {
			return false, err
		}
	}
	g, err := s.o.Games.Find(ctx, p.MerchantID, Choice{Node: p.GameID})
	if fault.KindOf(err) == fault.NotFound {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("find game: %w", err)
	}
	return g.On && !g.Maintenance && (named == "" || named == g.LaunchCode || named == g.Code), nil
}

// nickname is what vendors may show: never the name that the member logs in with.
func nickname(p *live) string {
	if p.Nickname != "" {
		return p.Nickname
	}
	signs := []rune(p.Account)
	return string(signs[:min(2, len(signs))]) + "***"
}
