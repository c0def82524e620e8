// Package session opens, checks and ends members' sessions. It stores only digests of tokens. It does not store passwords or decide what a
// member may do.
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

// Settings reads the merchant settings that this package needs.
type Settings interface {
	SessionLifetime(ctx context.Context, merchantID int64) (idle, absolute time.Duration, err error)
	ModuleEnabled(ctx context.Context, merchantID int64, code spec.Module) (bool, error)
	FlagEnabled(ctx context.Context, merchantID int64, code spec.Flag) (bool, error)
	Rules(ctx context.Context, merchantID int64) (*validation.Rules, error)
	// AcceptsNumber reports whether the merchant accepts numbers of this country.
	AcceptsNumber(ctx context.Context, merchantID int64, e164 string) (bool, error)
	// LoginChallenges returns whether a login requires the slider, and the number of failures after which it requires the captcha. 0
	// means always, and a negative number means never.
	LoginChallenges(ctx context.Context, merchantID int64) (slider bool, captchaAfter int, err error)
}

// Inbox writes system messages to members.
type Inbox interface {
	SystemIn(ctx context.Context, tx *db.Tx, memberID int64, kind string, args map[string]string) error
}

// Options configures New.
type Options struct {
	Store     *db.Store
	Bus       *events.Bus
	Members   Members
	Trials    Trials
	Settings  Settings
	Captchas  Captchas
	Codes     Codes
	External  External
	Countries region.Countries // may be nil
	Breaks    Breaks
	Inbox     Inbox // may be nil
	Limiter   *ratelimit.Stored
	Box       *jwe.Box // decrypts encrypted logins
	IDs       db.IDs
	Now       func() time.Time
	Log       *slog.Logger
}

// A Service opens, checks and ends sessions.
type Service struct {
	o           Options
	logins      *Logins
	cache       *otter.Cache[digest, *cachedSession]
	unsubscribe func()
}

const (
	// cacheTTL is the maximum time for which a replica that receives no changes still accepts an ended session.
	cacheTTL  = 10 * time.Second
	cacheSize = 1 << 16
	// retention is how long ended sessions are stored, for investigations.
	retention = 90 * 24 * time.Hour
	// maxSessions is the maximum number of sessions per member. A new session ends the oldest.
	maxSessions = 20
)

// Reasons why a session ended, as stored in the database.
const (
	LoggedOut = "logout"
	Revoked   = "revoked"
	Surplus   = "surplus" // the member exceeded maxSessions
	Rekeyed   = "rekeyed" // the installation's key was replaced
)

// EndAll ends every session, in the transaction that replaces the installation's key. No server may be running, because its cache would
// keep accepting the sessions.
func EndAll(ctx context.Context, tx *db.Tx, now int64) error {
	err := tx.Q.EndAllSessions(ctx, sql.NullInt64{Int64: now, Valid: true}, sql.NullString{String: Rekeyed, Valid: true})
	if err != nil {
		return fmt.Errorf("end sessions: %w", err)
	}
	return nil
}

// New returns a Service that subscribes to tokens revoked by other replicas. Close ends the subscription.
func New(o Options) (*Service, error) {
	s := &Service{o: o, logins: NewLogins(o.Now), cache: otter.Must(&otter.Options[digest, *cachedSession]{
		MaximumSize:      cacheSize,
		ExpiryCalculator: otter.ExpiryWriting[digest, *cachedSession](cacheTTL),
		Clock:            clock(o.Now),
	})}
	var err error
	if s.unsubscribe, err = o.Bus.Subscribe(subjectRevoked, s.onRevoked); err != nil {
		return nil, fmt.Errorf("subscribe to revoked tokens: %w", err)
	}
	return s, nil
}

// Close ends the subscription.
func (s *Service) Close() { s.unsubscribe() }

// clock implements otter.Clock with the service's time. It needs no ticks, because the cache is bounded and evicts expired entries on
// access.
type clock func() time.Time

// NowNano implements otter.Clock.
func (c clock) NowNano() int64 { return c().UnixNano() }

// Tick implements otter.Clock.
func (clock) Tick(time.Duration) <-chan time.Time { return nil }

// digest is the SHA-256 of a token.
type digest [sha256.Size]byte

const tokenBytes = 32

func newToken() (string, digest) {
	var b [tokenBytes]byte
	_, _ = rand.Read(b[:]) // never returns an error
	token := base64.RawURLEncoding.EncodeToString(b[:])
	return token, sha256.Sum256([]byte(token))
}

// A Grant is the result of a login or a renewal.
type Grant struct {
	Token          string
	Username       string
	Type           rest.MemberType
	FirstTimeLogin bool
}

// Renew replaces the token of a session and revokes the old one. It does not extend the absolute lifetime of the session.
func (s *Service) Renew(ctx context.Context, sessionID int64, token string) (Grant, error) {
	old := digest(sha256.Sum256([]byte(token)))
	renewed, hash := newToken()
	var row query.SessionByTokenRow
	var publish func()
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
		if err != nil {
			return err
		}
		publish, err = s.recordEndsIn(ctx, tx, []digest{old})
		return err
	})
	if err != nil {
		return Grant{}, fmt.Errorf("renew session: %w", err)
	}
	publish()
	return Grant{Token: renewed, Username: row.Account, Type: rest.MemberType(row.Type), FirstTimeLogin: row.FirstTimeLogin || row.IsFirst}, nil
}

// End ends a session. It is idempotent. It revokes both token and the session's current token, because they differ after a concurrent
// renewal.
func (s *Service) End(ctx context.Context, caller rest.Caller, token, why string) error {
	revoked := []digest{sha256.Sum256([]byte(token))}
	var publish func()
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		rows, err := tx.Q.EndSession(ctx, caller.SessionID, nullMillis(s.o.Now()), db.Text(why))
		for _, hash := range rows {
			revoked = append(revoked, digest(hash))
		}
		if err != nil {
			return err
		}
		publish, err = s.recordEndsIn(ctx, tx, revoked, events.SessionEnded{Session: formatID(caller.SessionID), Member: formatID(caller.MemberID)})
		return err
	})
	if err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	publish()
	return nil
}

// Sweep deletes old sessions in batches. It runs as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	before := db.Millis(s.o.Now().Add(-retention))
	for deleted := int64(1); deleted > 0; {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			deleted, err = tx.Q.DropOldSessions(ctx, before)
			return err
		})
		if err != nil {
			return fmt.Errorf("delete old sessions: %w", err)
		}
	}
	return nil
}

func formatID(id int64) string             { return strconv.FormatInt(id, 10) }
func nullMillis(t time.Time) sql.NullInt64 { return sql.NullInt64{Int64: db.Millis(t), Valid: true} }
