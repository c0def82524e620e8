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

// houseURL is the page on the site that opens House games.
const houseURL = "/m/house/?t=" + ticketPlaceholder

// Launched describes a launched game.
type Launched struct {
	PlayID    int64
	URL       string
	Ticket    string // for frames of the lottery; empty for other games, whose URL contains it
	Mode      string
	Origin    string // origin of URL; empty for pages of the site itself
	StartedAt time.Time
}

// LaunchGame creates a play and returns a URL that opens it once.
func (s *Service) LaunchGame(ctx context.Context, who rest.Caller, language string, c GameQuery) (Launched, error) {
	lottery, isLottery, err := s.findLottery(ctx, who.MerchantID, c)
	if err != nil {
		return Launched{}, err
	}
	g := lottery.Game
	if !isLottery {
		if g, err = s.o.Games.Find(ctx, who.MerchantID, c); err != nil {
			return Launched{}, err
		}
	}
	currency, err := money.Find(who.Currency)
	if err != nil {
		return Launched{}, rest.ErrSystem.Because(err) // not a mistake of the caller
	}
	v, err := s.vendorByID(ctx, g.VendorID)
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
	case !isLottery && v.launchURL == "" && (!v.house || s.o.HouseServes == nil || !s.o.HouseServes(g.Category)):
		return Launched{}, ErrNotOpen
	}
	if s.o.Limits != nil {
		if err := s.o.Limits.Check(ctx, who.MemberID); err != nil {
			return Launched{}, err
		}
	}
	if s.o.CheckAge != nil && !currency.Trial { // trial members confirmed their age when the trial began
		if err := s.o.CheckAge(ctx, who.MerchantID, who.MemberID); err != nil {
			return Launched{}, err
		}
	}
	token, hash := newToken()
	now := s.o.Now()
	l := Launched{PlayID: s.o.IDs(), URL: houseURL, Mode: v.launchMode, StartedAt: now}
	if isLottery {
		l.URL, l.Ticket = lottery.Address, token
	} else if v.launchURL != "" {
		l.URL, l.Origin = v.launchURL, originOf(v.launchURL)
	}
	l.URL = strings.Replace(l.URL, ticketPlaceholder, token, 1)
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		return tx.Q.AddPlay(ctx, query.AddPlayParams{
			ID: l.PlayID, MerchantID: who.MerchantID, VendorID: v.id, GameID: g.ID, MemberID: who.MemberID, SessionID: who.SessionID,
			Currency: currency.Code, Language: language, Trial: currency.Trial, TicketHash: hash[:],
			TicketExpires: db.Millis(now.Add(ticketTTL)), CreatedAt: db.Millis(now),
		})
	})
	if err != nil {
		return Launched{}, fmt.Errorf("launch game: %w", err)
	}
	if isLottery {
		return l, nil
	}
	if err := s.o.Games.Played(ctx, who.MerchantID, who.MemberID, g.ID); err != nil {
		s.o.Log.WarnContext(ctx, "note game played", "error", err) // the game opens anyway
	}
	return l, nil
}

// findLottery returns the lottery game that a query selects, if any.
func (s *Service) findLottery(ctx context.Context, merchantID int64, c GameQuery) (LotteryGame, bool, error) {
	if s.o.Lottery == nil || c.Vendor == "" || c.Code == "" {
		return LotteryGame{}, false, nil
	}
	return s.o.Lottery.FindLaunch(ctx, merchantID, c)
}

func originOf(address string) string {
	u, err := url.Parse(strings.ReplaceAll(address, ticketPlaceholder, "t"))
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// Origins returns the origins of vendors' game pages that the site may show in a frame.
func (s *Service) Origins(ctx context.Context) ([]string, error) {
	d, err := s.directory(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, v := range d.byID {
		if v.launchURL != "" && v.launchMode == ModeFrame {
			out = append(out, originOf(v.launchURL))
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
