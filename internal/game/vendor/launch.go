package vendor

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// houseURL is where games of the House open: on the site itself.
const houseURL = "/m/house/?t=" + ticketPlace

// Launched is a game that is about to open.
type Launched struct {
	PlayID    int64
	URL       string
	Mode      string
	Origin    string // of the address; empty on the site itself
	StartedAt time.Time
}

// Open launches a game for whoever calls: it makes a play, and an address that opens it once.
func (s *Service) Open(ctx context.Context, who rest.Caller, language string, c Choice) (Launched, error) {
	g, err := s.o.Games.Find(ctx, who.MerchantID, c)
	if err != nil {
		return Launched{}, err
	}
	currency, err := money.Find(who.Currency)
	if err != nil {
		return Launched{}, rest.ErrSystem.Because(err) // not the caller's mistake
	}
	m, err := s.maker(ctx, g.VendorID)
	if err != nil {
		return Launched{}, err
	}
	switch {
	case !g.On:
		return Launched{}, ErrUnavailable
	case g.Maintenance:
		return Launched{}, ErrMaintenance
	case currency.Trial && !g.FreePlay:
		return Launched{}, ErrNoTrial
	case m.launchURL == "" && (s.o.Served == nil || !s.o.Served(g.Category)):
		return Launched{}, ErrNotOpen
	}
	if s.o.Limits != nil {
		if err := s.o.Limits.Check(ctx, who.MemberID); err != nil {
			return Launched{}, err
		}
	}
	if s.o.OfAge != nil && !currency.Trial { // a trial was asked when it began
		if err := s.o.OfAge(ctx, who.MerchantID, who.MemberID); err != nil {
			return Launched{}, err
		}
	}
	token, hash := newToken()
	now := s.o.Now()
	l := Launched{PlayID: s.o.IDs(), URL: houseURL, Mode: m.launchMode, StartedAt: now}
	if m.launchURL != "" {
		l.URL, l.Origin = m.launchURL, originOf(m.launchURL)
	}
	l.URL = strings.Replace(l.URL, ticketPlace, token, 1)
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		return tx.Q.AddPlay(ctx, query.AddPlayParams{
			ID: l.PlayID, MerchantID: who.MerchantID, VendorID: m.id, GameID: g.ID, MemberID: who.MemberID, SessionID: who.SessionID,
			Currency: currency.Code, Language: language, Trial: currency.Trial, TicketHash: hash[:],
			TicketExpires: db.Millis(now.Add(ticketFor)), CreatedAt: db.Millis(now),
		})
	})
	if err != nil {
		return Launched{}, fmt.Errorf("launch game: %w", err)
	}
	if err := s.o.Games.Played(ctx, who.MerchantID, who.MemberID, g.ID); err != nil {
		s.o.Log.WarnContext(ctx, "note game played", "error", err) // the game opens all the same
	}
	return l, nil
}

func originOf(address string) string {
	u, err := url.Parse(strings.ReplaceAll(address, ticketPlace, "t"))
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// Origins are where vendors' games come from: pages of the site may frame these.
func (s *Service) Origins(ctx context.Context) ([]string, error) {
	d, err := s.directory(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, m := range d.makers {
		if m.launchURL != "" && m.launchMode == ModeFrame {
			out = append(out, originOf(m.launchURL))
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
