// Package frame manages game frames. A frame is a browser window in which one player plays one game. A launch ticket opens a
// frame, and requests from the frame carry its token.
package frame

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/wallet"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/secret"
)

const (
	tokenBytes = 32
	// lifetime equals the longest session that the wallet allows.
	lifetime = 24 * time.Hour
	// retention is the age at which Sweep deletes a frame.
	retention = 2 * lifetime
)

// A Frame is an open game window.
type Frame struct {
	Player, Vendor, Game, Category string
	Nickname, Language             string
	Trial                          bool
	Currency                       money.Currency
	Session                        wallet.Session
	SealedSession                  string
	TokenHash                      []byte
}

// An Opened frame is a new frame with its token and the player's balance.
type Opened struct {
	Frame

	Token   string
	Balance money.Minor
}

// Options configure a Service.
type Options struct {
	Store    *db.Store
	Wallet   *wallet.Client
	Launches Launches
	Keys     *secret.Keys
	Random   io.Reader
	IDs      db.IDs
	Now      func() time.Time
	Serves   func(category string) bool // reports whether the House runs the games of a category
	Check    func(Frame) error          // returns an error if the House does not offer the game in the frame's currency
}

// A Service opens and finds frames.
type Service struct{ o Options }

// New returns a Service.
func New(o Options) *Service { return &Service{o} }

// Open consumes a launch ticket and opens a frame. If the request names a merchant, named is its code.
func (s *Service) Open(ctx context.Context, ticket, named string) (Opened, error) {
	launch, found, err := s.o.Launches.Launched(ctx, ticket)
	if err != nil {
		return Opened{}, fmt.Errorf("look up ticket: %w", err)
	}
	if !found || !permitted(named, launch.Merchant) {
		return Opened{}, refusal.ErrExpired
	}
	if !s.o.Serves(launch.Category) {
		return Opened{}, refusal.ErrUnavailable.Because(fmt.Errorf("no engine for %s", launch.Category))
	}
	var secret [tokenBytes]byte
	if _, err := io.ReadFull(s.o.Random, secret[:]); err != nil {
		return Opened{}, refusal.ErrUnavailable.Because(err)
	}
	token := base64.RawURLEncoding.EncodeToString(secret[:])
	hash := sha256.Sum256([]byte(token))
	response, err := s.o.Wallet.Call(ctx, wallet.Session{Merchant: launch.Merchant}, launch.Vendor, "authenticate",
		wallet.Request{RequestID: s.requestID(), GameCode: launch.Game, Ticket: ticket})
	switch {
	case err != nil:
		return Opened{}, refusal.ErrUnavailable.Because(err)
	case response.Code != wallet.CodeOK:
		return Opened{}, wallet.Refusal(response.Code)
	}
	session := wallet.Session{Merchant: launch.Merchant, ID: response.SessionID}
	sealed, err := session.Seal(s.o.Keys)
	if err != nil {
		return Opened{}, err
	}
	row := query.HouseFrame{
		TokenHash: hash[:], Player: response.PlayerID, Vendor: launch.Vendor, Game: launch.Game, Category: launch.Category, WalletSession: sealed,
		Nickname: response.Nickname, Language: response.Language, Currency: response.Currency, Trial: response.Trial, CreatedAt: db.Millis(s.o.Now()),
	}
	f, err := frameOf(row, session)
	if err == nil {
		err = s.o.Check(f)
	}
	if err != nil {
		return Opened{}, err
	}
	balance, err := f.Currency.Parse(response.Balance)
	if err != nil {
		return Opened{}, fmt.Errorf("read balance: %w", err)
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.AddHouseFrame(ctx, query.AddHouseFrameParams(row)) })
	if err != nil {
		return Opened{}, fmt.Errorf("open frame: %w", err)
	}
	return Opened{f, token, balance}, nil
}

func frameOf(row query.HouseFrame, session wallet.Session) (Frame, error) {
	currency, err := money.Find(row.Currency)
	if err != nil {
		return Frame{}, refusal.ErrUnavailable.Because(err)
	}
	return Frame{
		Player: row.Player, Vendor: row.Vendor, Game: row.Game, Category: row.Category, Nickname: row.Nickname, Language: row.Language, Trial: row.Trial,
		Currency: currency, Session: session, SealedSession: row.WalletSession, TokenHash: row.TokenHash,
	}, nil
}

// Enter returns the frame with a token. If the request names a merchant, named is its code. Member tokens are not frame tokens.
func (s *Service) Enter(ctx context.Context, token, named string) (Frame, error) {
	hash := sha256.Sum256([]byte(token))
	row, err := s.o.Store.Q().HouseFrame(ctx, hash[:], db.Millis(s.o.Now().Add(-lifetime)))
	if errors.Is(err, sql.ErrNoRows) {
		return Frame{}, refusal.ErrExpired
	}
	if err != nil {
		return Frame{}, fmt.Errorf("read frame: %w", err)
	}
	session, err := wallet.Unseal(s.o.Keys, row.WalletSession)
	if err != nil {
		return Frame{}, err
	}
	if !permitted(named, session.Merchant) {
		return Frame{}, refusal.ErrExpired
	}
	return frameOf(row, session)
}

// permitted reports whether a request may use a merchant's frame. A request that names another merchant may not. The oldest frames
// have no merchant.
func permitted(named, merchant string) bool {
	return named == "" || merchant == "" || named == merchant
}

// requestID returns an ID for a call that moves no money.
func (s *Service) requestID() string { return "q" + strconv.FormatInt(s.o.IDs(), 10) }

// Balance returns the player's balance from the wallet. It fails if the member's session has ended.
func (s *Service) Balance(ctx context.Context, f Frame) (money.Minor, error) {
	response, err := s.o.Wallet.Call(ctx, f.Session, f.Vendor, "balance", wallet.Request{
		RequestID: s.requestID(), SessionID: f.Session.ID, Currency: f.Currency.Code, GameCode: f.Game,
	})
	switch {
	case err != nil:
		return 0, refusal.ErrPending.Because(err)
	case response.Code != wallet.CodeOK:
		return 0, wallet.Refusal(response.Code)
	}
	balance, err := f.Currency.Parse(response.Balance)
	if err != nil {
		return 0, fmt.Errorf("read balance: %w", err)
	}
	return balance, nil
}

// Sweep deletes old frames. It runs as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	before := db.Millis(s.o.Now().Add(-retention))
	for deleted := int64(1); deleted > 0; {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			deleted, err = tx.Q.DropHouseFrames(ctx, before)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
