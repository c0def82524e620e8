package house

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	tokenBytes = 32
	// sealFor is for good: a round is brought to its end with the session that it began with, however late.
	sealFor     = 20 * 365 * 24 * time.Hour
	sealPurpose = "house.wallet_session"
)

// frame is one open game: a window in which one player plays one game.
type frame struct {
	query.HouseFrame
	served
	currency money.Currency
	engine   engine
	offer    offer
	seat     seat
	table    *table // nil for games that are played alone
	limits   limits // of the table
}

// opened is what a ticket gives.
type opened struct {
	frame
	token   string
	balance money.Minor
}

// open uses a launch ticket up, as any vendor's server does, and gives the frame a session of its own. named is the merchant that
// the request names.
func (s *Service) open(ctx context.Context, ticket, named string) (opened, error) {
	launch, known, err := s.o.Launches.Launched(ctx, ticket)
	if err != nil {
		return opened{}, fmt.Errorf("look up ticket: %w", err)
	}
	if !known || !here(named, launch.Merchant) {
		return opened{}, ErrExpired
	}
	if !Serves(launch.Category) {
		return opened{}, ErrUnavailable.Because(fmt.Errorf("no engine for %s", launch.Category))
	}
	var secret [tokenBytes]byte
	if _, err := io.ReadFull(s.o.Random, secret[:]); err != nil {
		return opened{}, ErrUnavailable.Because(err)
	}
	token := base64.RawURLEncoding.EncodeToString(secret[:])
	hash := sha256.Sum256([]byte(token))
	t, err := s.o.Wallet.call(ctx, seat{merchant: launch.Merchant}, launch.Vendor, "authenticate", ask{RequestID: s.requestID(), GameCode: launch.Game, Ticket: ticket})
	switch {
	case err != nil:
		return opened{}, ErrUnavailable.Because(err)
	case t.Code != codeOK:
		return opened{}, refusal(t.Code)
	}
	at := seat{launch.Merchant, t.SessionID}
	sealed, err := s.o.Keys.Seal(sealPurpose, at.String(), sealFor)
	if err != nil {
		return opened{}, err
	}
	row := query.HouseFrame{
		TokenHash: hash[:], Player: t.PlayerID, Vendor: launch.Vendor, Game: launch.Game, Category: launch.Category, WalletSession: sealed,
		Nickname: t.Nickname, Language: t.Language, Currency: t.Currency, Trial: t.Trial, CreatedAt: db.Millis(s.o.Now()),
	}
	f, err := s.frameOf(row, at)
	if err != nil {
		return opened{}, err
	}
	balance, err := f.currency.Parse(t.Balance)
	if err != nil {
		return opened{}, fmt.Errorf("read balance: %w", err)
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.AddHouseFrame(ctx, query.AddHouseFrameParams(row)) })
	if err != nil {
		return opened{}, fmt.Errorf("open frame: %w", err)
	}
	return opened{f, token, balance}, nil
}

// frameOf puts together what a frame plays with.
func (s *Service) frameOf(row query.HouseFrame, at seat) (frame, error) {
	currency, err := money.Find(row.Currency)
	if err != nil {
		return frame{}, ErrUnavailable.Because(err)
	}
	if t := tables().of(row.Category, row.Game); t != nil {
		limits, ok := t.limits(currency.Code)
		if !ok {
			return frame{}, ErrUnavailable.Because(fmt.Errorf("no stakes in %s", currency.Code))
		}
		return frame{HouseFrame: row, served: served{Engine: t.Engine}, currency: currency, seat: at, table: t, limits: limits}, nil
	}
	offer, ok := offers[currency.Code]
	if !ok {
		return frame{}, ErrUnavailable.Because(fmt.Errorf("no stakes in %s", currency.Code))
	}
	served := s.engines.serves(row.Category, row.Game)
	engine, found := s.engines.version(served.Engine, served.Version)
	if !found {
		return frame{}, ErrUnavailable.Because(fmt.Errorf("no engine for %s", row.Category))
	}
	return frame{HouseFrame: row, served: served, currency: currency, engine: engine, offer: offer, seat: at}, nil
}

// enter finds the frame that holds a token, for a request that names a merchant or none. A member's token is none here.
func (s *Service) enter(ctx context.Context, token, named string) (frame, error) {
	hash := sha256.Sum256([]byte(token))
	row, err := s.o.Store.Q().HouseFrame(ctx, hash[:], db.Millis(s.o.Now().Add(-frameLife)))
	if errors.Is(err, sql.ErrNoRows) {
		return frame{}, ErrExpired
	}
	if err != nil {
		return frame{}, fmt.Errorf("read frame: %w", err)
	}
	at, err := s.unseal(row.WalletSession)
	if err != nil {
		return frame{}, err
	}
	if !here(named, at.merchant) {
		return frame{}, ErrExpired
	}
	return s.frameOf(row, at)
}

// here tells whether a merchant's frame may be used by a request: one that names another merchant is lost, or tries something. A
// frame need not name any, for its token says whose it is; nor do frames from before merchants were named.
func here(named, merchant string) bool {
	return named == "" || merchant == "" || named == merchant
}

// seat is where a player sits at the wallet: at which merchant, and under which session of the protocol.
type seat struct{ merchant, session string }

// String is what is sealed; no session has a stroke.
func (s seat) String() string { return s.merchant + "/" + s.session }

func (s *Service) unseal(sealed string) (seat, error) {
	var kept string
	if _, err := s.o.Keys.Unseal(sealPurpose, sealed, &kept); err != nil {
		return seat{}, fmt.Errorf("unseal wallet session: %w", err)
	}
	if merchant, session, named := strings.Cut(kept, "/"); named {
		return seat{merchant, session}, nil
	}
	return seat{session: kept}, nil // from before merchants were named
}

// requestID names a call that moves nothing.
func (s *Service) requestID() string { return "q" + strconv.FormatInt(s.o.IDs(), 10) }

// balance asks the wallet.
func (s *Service) balance(ctx context.Context, f frame) (money.Minor, error) {
	t, err := s.o.Wallet.call(ctx, f.seat, f.Vendor, "balance", ask{
		RequestID: s.requestID(), SessionID: f.seat.session, Currency: f.Currency, GameCode: f.Game,
	})
	switch {
	case err != nil:
		return 0, ErrPending.Because(err)
	case t.Code != codeOK:
		return 0, refusal(t.Code)
	}
	balance, err := f.currency.Parse(t.Balance)
	return balance, wrap("read balance", err)
}

// refusal is what the wallet's code says to a player.
func refusal(code string) error {
	switch code {
	case codeFunds:
		return ErrFunds
	case codeLimit:
		return ErrLimit
	case codeExcluded:
		return ErrExcluded
	case codeBetsClosed:
		return ErrBettingClosed
	case codeGameOff:
		return ErrClosed
	case codeExpired, codeDisabled:
		return ErrExpired
	default:
		return ErrUnavailable.Because(errors.New("the wallet says " + code))
	}
}
