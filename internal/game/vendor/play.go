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
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	ticketTTL = 60 * time.Second
	playTTL   = 24 * time.Hour
)

// closedByBreak is the stored reason of plays that a member's break ended.
const closedByBreak = "break"

// A cachedPlay is a play that was read from the database at most playCacheTTL ago.
type cachedPlay struct {
	query.PlayByIDRow

	currency                     string
	playerAccount, vendorAccount int64 // the player's account and the vendor's
	ownWallet                    bool  // the player's account is a wallet at the vendor, not cash
	ended                        code  // why it ended; empty while it is running
	readAt                       int64 // Unix milliseconds, before the read
}

// playBySession returns the play of a protocol session, or nil if this vendor has no such session.
func (s *Service) playBySession(ctx context.Context, v *vendor, sessionID string) (*cachedPlay, error) {
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
		if p, err = s.loadPlay(ctx, id); err != nil {
			return nil, err
		}
		s.plays.Set(hash, p)
	}
	if p.VendorID != v.id {
		return nil, nil
	}
	if (p.ended == "" || p.ended == excluded) && db.Millis(s.o.Now())-p.CreatedAt >= playTTL.Milliseconds() {
		over := *p
		over.ended = sessionExpired
		return &over, nil
	}
	return p, nil
}

func (s *Service) loadPlay(ctx context.Context, id int64) (*cachedPlay, error) {
	p := &cachedPlay{readAt: db.Millis(s.o.Now())}
	var err error
	if p.PlayByIDRow, err = s.o.Store.Q().PlayByID(ctx, id); err != nil {
		return nil, fmt.Errorf("read play: %w", err)
	}
	p.currency = p.Currency
	if p.ended, err = s.endCode(ctx, p); err != nil {
		return nil, err
	}
	cash, err := s.o.Ledger.EnsureMember(ctx, p.MerchantID, p.MemberID, p.currency)
	if err != nil {
		return nil, fmt.Errorf("find player's account: %w", err)
	}
	v, err := s.vendorByID(ctx, p.VendorID)
	if err != nil {
		return nil, err
	}
	house, err := s.o.Ledger.House(ctx, p.MerchantID, ledger.Vendor(v.code), p.currency)
	if err != nil {
		return nil, fmt.Errorf("find vendor's account: %w", err)
	}
	p.playerAccount, p.vendorAccount = cash.ID, house.ID
	// Trial members cannot move their play money.
	if c, err := money.Find(p.currency); v.ownWallet && err == nil && !c.Trial {
		wallet, err := s.o.Ledger.EnsureWallet(ctx, p.MerchantID, p.MemberID, v.code, p.currency)
		if err != nil {
			return nil, fmt.Errorf("find player's wallet: %w", err)
		}
		p.playerAccount, p.ownWallet = wallet.ID, true
	}
	return p, nil
}

// reasonOfEnd returns why a play has ended. Closing an account also ends its sessions, but the code reports that the account was
// closed.
func reasonOfEnd(closed bool, closedWhy, status, endedWhy string) code {
	switch {
	case closed && closedWhy == closedByBreak:
		return excluded
	case closed:
		return sessionExpired
	case status != "active" && (endedWhy == "" || endedWhy == status):
		return accountDisabled
	default:
		return sessionExpired
	}
}

// endCode returns why a play has ended, or "" if it is running.
func (s *Service) endCode(ctx context.Context, p *cachedPlay) (code, error) {
	if p.ClosedAt.Valid || p.Status != "active" {
		return reasonOfEnd(p.ClosedAt.Valid, p.ClosedWhy, p.Status, p.EndedWhy.String), nil
	}
	alive, err := s.o.Sessions.Alive(ctx, p.SessionID)
	if err != nil {
		return "", fmt.Errorf("read the player's session: %w", err)
	}
	if !alive {
		return sessionExpired, nil
	}
	return "", nil
}

// ClosePlay ends a member's play. Closing it again is not an error.
func (s *Service) ClosePlay(ctx context.Context, memberID, playID int64) error {
	var notify func()
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.PlayDetail(ctx, "vi", playID, memberID)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrUnknownPlay
		}
		if err != nil {
			return err
		}
		if _, err = tx.Q.ClosePlay(ctx, sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}, playID, memberID); err != nil {
			return err
		}
		notify, err = s.recordClosedIn(ctx, tx, "p"+formatID(playID))
		return err
	})
	if err != nil {
		return fmt.Errorf("close play: %w", err)
	}
	notify()
	return nil
}

// authenticate exchanges a ticket for a protocol session. The session is derived from the ticket, and all other
// fields are read before the ticket is used. So a repeated request gets the same response while the ticket is valid.
func (s *Service) authenticate(ctx context.Context, v *vendor, r *request) (response, error) {
	ticket, requestHash := sha256.Sum256([]byte(r.Ticket)), sha256.Sum256([]byte(r.RequestID))
	now := db.Millis(s.o.Now())
	t, err := s.o.Store.Q().PlayByTicket(ctx, ticket[:], v.id, now)
	if errors.Is(err, sql.ErrNoRows) {
		return newResponse(sessionExpired, r.Currency, 0), nil
	}
	if err != nil {
		return response{}, fmt.Errorf("find ticket: %w", err)
	}
	p, err := s.loadPlay(ctx, t.ID)
	if err != nil {
		return response{}, err
	}
	c, err := s.checkStart(ctx, p)
	if err != nil {
		return response{}, err
	}
	resp, err := s.responseWithBalance(ctx, c, p, r)
	if err != nil || c != ok {
		return resp, err
	}
	game, err := s.o.Games.Find(ctx, p.MerchantID, GameQuery{Node: p.GameID})
	if err != nil {
		return response{}, fmt.Errorf("find game: %w", err)
	}
	player, err := s.PlayerID(ctx, p.MemberID)
	if err != nil {
		return response{}, err
	}
	token := s.sessionOf(r.Ticket)
	hash := sha256.Sum256([]byte(token))
	openedBy, repeated := t.OpenedBy, t.OpenedAt.Valid
	if !repeated {
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			used, err := tx.Q.OpenPlay(ctx, query.OpenPlayParams{
				TokenHash: hash[:], OpenedBy: requestHash[:], Now: sql.NullInt64{Int64: now, Valid: true}, TicketHash: ticket[:], VendorID: v.id,
			})
			if openedBy = requestHash[:]; err != nil || used > 0 {
				return err
			}
			current, err := tx.Q.PlayByTicket(ctx, ticket[:], v.id, now)
			openedBy, repeated = current.OpenedBy, true
			return err
		})
	}
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return response{}, fmt.Errorf("use ticket: %w", err)
	case err != nil, r.RequestID == "" && repeated, !bytes.Equal(openedBy, requestHash[:]):
		return newResponse(sessionExpired, r.Currency, 0), nil //nolint:nilerr // the play was closed in the meantime, so the ticket is void
	}
	resp.SessionID, resp.PlayerID, resp.Nickname, resp.Language, resp.Trial = token, player, nickname(p), p.Language, &p.Trial
	resp.GameCode = game.LaunchCode // the launch URL contains only the ticket, and a vendor may have several games
	return resp, nil
}

// sessionOf returns the session that a ticket opens. The player's browser knows the ticket but cannot derive the
// session.
func (s *Service) sessionOf(ticket string) string {
	return base64.RawURLEncoding.EncodeToString(s.o.Keys.MAC("vendor.session", ticket))
}

// checkStart returns the first reason why a player may not start, in the protocol's order.
func (s *Service) checkStart(ctx context.Context, p *cachedPlay) (code, error) {
	if p.ended != "" {
		return p.ended, nil
	}
	c, err := s.checkExcluded(ctx, p.MemberID)
	if err != nil || c != ok {
		return c, err
	}
	available, err := s.gameAvailable(ctx, p, "")
	if err != nil || !available {
		return gameUnavailable, err
	}
	return ok, nil
}

func (s *Service) checkExcluded(ctx context.Context, memberID int64) (code, error) {
	if s.o.Limits == nil {
		return ok, nil
	}
	err := s.o.Limits.Check(ctx, memberID)
	if k := fault.KindOf(err); err != nil && (k == fault.Refused || k == fault.Forbidden) {
		return excluded, nil
	}
	return ok, err
}

// gameAvailable reports whether the play's game is available and, if code is not empty, has that code.
func (s *Service) gameAvailable(ctx context.Context, p *cachedPlay, code string) (bool, error) {
	if s.o.SiteClosed != nil {
		if closed, err := s.o.SiteClosed(ctx, p.MerchantID); closed || err != nil {
			return false, err
		}
	}
	g, err := s.o.Games.Find(ctx, p.MerchantID, GameQuery{Node: p.GameID})
	if fault.KindOf(err) == fault.NotFound {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("find game: %w", err)
	}
	return g.On && !g.Maintenance && (code == "" || code == g.LaunchCode || code == g.Code), nil
}

// nickname returns the name that vendors may show. It never reveals the username.
func nickname(p *cachedPlay) string {
	if p.Nickname != "" {
		return p.Nickname
	}
	name := []rune(p.Account)
	return string(name[:min(2, len(name))]) + "***"
}
