// Package session opens, checks and ends the sessions of members. The token is known to its holder alone: the
// database keeps its digest. It never sees a stored password and decides nothing about what a member may do.
package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/maypok86/otter/v2"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/region"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// Settings is the part of the merchant's settings that sessions follow.
type Settings interface {
	SessionLifetime(ctx context.Context, merchantID int64) (idle, absolute time.Duration, err error)
	ModuleEnabled(ctx context.Context, merchantID int64, code spec.Module) (bool, error)
	FlagEnabled(ctx context.Context, merchantID int64, code spec.Flag) (bool, error)
	// Rules gives the rules of every field of every form.
	Rules(ctx context.Context, merchantID int64) (*validation.Rules, error)
	// AcceptsNumber tells whether the merchant has members with such numbers.
	AcceptsNumber(ctx context.Context, merchantID int64, e164 string) (bool, error)
	// LoginChallenges says whether a login needs the slider challenge, and after how many failures the captcha: from the
	// start where it is 0, never where it is less.
	LoginChallenges(ctx context.Context, merchantID int64) (slider bool, captchaAfter int, err error)
}

// Options of the service.
type Options struct {
	Store     *db.Store
	Bus       *events.Bus
	Members   Members
	Trials    Trials
	Settings  Settings
	Captchas  Captchas
	Codes     Codes
	External  External
	Countries region.Countries // nil where nobody knows them
	Breaks    Breaks
	Plays     Plays // nil where nobody plays
	Limiter   *ratelimit.Stored
	Box       *jwe.Box // opens logins that are encrypted
	IDs       db.IDs
	Now       func() time.Time
	Log       *slog.Logger
}

// Service opens and checks sessions.
type Service struct {
	o           Options
	logins      *Logins
	live        *otter.Cache[digest, *live]
	unsubscribe func()
}

const (
	// cacheFor bounds how long the end of a session can go unseen where its word was lost.
	cacheFor  = 10 * time.Second
	cacheSize = 1 << 16
	// keepEnded is how long sessions that are over stay in the database, to be looked into.
	keepEnded = 90 * 24 * time.Hour
	// liveMost is how many sessions a member has at most: a new one ends the oldest beyond it.
	liveMost = 20
)

// Why a session ended.
const (
	LoggedOut = "logout"
	Revoked   = "revoked"
	Surplus   = "surplus" // the member opened too many others after it
)

// New makes the service and listens for sessions that end elsewhere.
func New(o Options) (*Service, error) {
	s := &Service{o: o, logins: NewLogins(o.Now), live: otter.Must(&otter.Options[digest, *live]{
		MaximumSize:      cacheSize,
		ExpiryCalculator: otter.ExpiryWriting[digest, *live](cacheFor),
		Clock:            clock(o.Now),
	})}
	var err error
	if s.unsubscribe, err = o.Bus.Subscribe(deadTokens, s.onRevoked); err != nil {
		return nil, fmt.Errorf("listen for ended sessions: %w", err)
	}
	return s, nil
}

// Close stops listening.
func (s *Service) Close() { s.unsubscribe() }

// clock gives the cache the service's time. It does not tick: the cache is bounded, and what has run out is
// cleared away as it is used.
type clock func() time.Time

// NowNano implements otter.Clock.
func (c clock) NowNano() int64 { return c().UnixNano() }

// Tick implements otter.Clock.
func (clock) Tick(time.Duration) <-chan time.Time { return nil }

// digest is what the database knows of a token.
type digest [sha256.Size]byte

const tokenBytes = 32

func newToken() (string, digest) {
	var b [tokenBytes]byte
	_, _ = rand.Read(b[:]) // never fails (it aborts the program instead)
	token := base64.RawURLEncoding.EncodeToString(b[:])
	return token, sha256.Sum256([]byte(token))
}

// Grant is what a login or a renewal gives.
type Grant struct {
	Token          string
	Username       string
	Type           rest.MemberType
	FirstTimeLogin bool
}

// Renew gives the holder of a session a new token; the old one is dead from then on. The session's whole
// lifetime goes on counting from its login.
func (s *Service) Renew(ctx context.Context, sessionID int64, token string) (Grant, error) {
	old := digest(sha256.Sum256([]byte(token)))
	fresh, hash := newToken()
	var row query.SessionByTokenRow
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.RotateSession(ctx, query.RotateSessionParams{
			ID: sessionID, OldHash: old[:], NewHash: hash[:], SeenAt: db.Millis(s.o.Now()),
		})
		if err != nil {
			return err
		}
		if n == 0 {
			return rest.ErrTokenInvalid
		}
		row, err = tx.Q.SessionByToken(ctx, hash[:])
		if errors.Is(err, sql.ErrNoRows) {
			return rest.ErrTokenInvalid
		}
		return err
	})
	if err != nil {
		return Grant{}, fmt.Errorf("renew session: %w", err)
	}
	s.revokeCached(old)
	return Grant{Token: fresh, Username: row.Account, Type: rest.MemberType(row.Type), FirstTimeLogin: row.FirstTimeLogin}, nil
}

// End ends one session. Ending it twice is not an error. The token it was asked with may have been renewed
// meanwhile, so what dies is that and whichever the session has now.
func (s *Service) End(ctx context.Context, caller rest.Caller, token, why string) error {
	dead := []digest{sha256.Sum256([]byte(token))}
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		rows, err := tx.Q.EndSession(ctx, caller.SessionID, nullMillis(s.o.Now()), db.Text(why))
		for _, hash := range rows {
			dead = append(dead, digest(hash))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	s.revokeCached(dead...)
	s.tellEnded(events.SessionEnded{Session: text(caller.SessionID), Member: text(caller.MemberID)})
	return nil
}

// Sweep forgets sessions that are long over, some in each transaction. It is run as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	before := db.Millis(s.o.Now().Add(-keepEnded))
	for dropped := int64(1); dropped > 0; {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			dropped, err = tx.Q.DropOldSessions(ctx, before)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop old sessions: %w", err)
		}
	}
	return nil
}

func text(id int64) string                 { return strconv.FormatInt(id, 10) }
func nullMillis(t time.Time) sql.NullInt64 { return sql.NullInt64{Int64: db.Millis(t), Valid: true} }
