package session

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/rest"
)

// deadTokens is the subject that carries the digests of tokens to be forgotten. Open event streams hear of
// ended sessions on a subject of their own.
const deadTokens = "session.dead_tokens"

// live is a session as this server remembers it for a few seconds.
type live struct {
	caller  rest.Caller
	seen    atomic.Int64 // unix ms
	expires int64        // unix ms
	ended   bool
}

// Authenticate tells who holds a token, and notes that the session is in use.
func (s *Service) Authenticate(ctx context.Context, token string) (rest.Caller, error) {
	hash := digest(sha256.Sum256([]byte(token)))
	l, ok := s.live.GetIfPresent(hash)
	if !ok {
		var err error
		if l, err = s.load(ctx, hash); err != nil {
			return rest.Caller{}, err
		}
		l = s.remember(hash, l)
	}
	if l.ended {
		return rest.Caller{}, rest.ErrTokenInvalid
	}
	idle, _, err := s.o.Settings.SessionLifetime(ctx, l.caller.MerchantID)
	if err != nil {
		return rest.Caller{}, err
	}
	now, seen := db.Millis(s.o.Now()), l.seen.Load()
	if !usable(now, seen, l.expires, idle) {
		return rest.Caller{}, rest.ErrTokenInvalid
	}
	if now-seen >= seeEvery(idle).Milliseconds() && l.seen.CompareAndSwap(seen, now) {
		s.see(ctx, l.caller.SessionID, now)
	}
	return l.caller, nil
}

// remember keeps what was read. An end that was heard of while reading stays: it is never overwritten by what was
// read before.
func (s *Service) remember(hash digest, l *live) *live {
	if kept, stored := s.live.SetIfAbsent(hash, l); !stored {
		return kept
	}
	return l
}

func (s *Service) load(ctx context.Context, hash digest) (*live, error) {
	row, err := s.o.Store.Q().SessionByToken(ctx, hash[:])
	if errors.Is(err, sql.ErrNoRows) {
		return nil, rest.ErrTokenInvalid
	}
	if err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}
	l := &live{expires: row.ExpiresAt, caller: rest.Caller{
		SessionID: row.ID, MemberID: row.MemberID, MerchantID: row.MerchantID, Type: rest.MemberType(row.Type),
		Username: row.Account, Currency: row.Currency,
	}}
	l.seen.Store(row.SeenAt)
	return l, nil
}

// Alive tells whether a session is still good, whatever token it has by now. Asking is no use of it: an event
// stream left open must not keep a session from lying idle.
func (s *Service) Alive(ctx context.Context, sessionID int64) (bool, error) {
	row, err := s.o.Store.Q().SessionByID(ctx, sessionID)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read session: %w", err)
	}
	idle, _, err := s.o.Settings.SessionLifetime(ctx, row.MerchantID)
	if err != nil {
		return false, err
	}
	return usable(db.Millis(s.o.Now()), row.SeenAt, row.ExpiresAt, idle), nil
}

// usable: neither past its end nor idle for too long.
func usable(now, seen, expires int64, idle time.Duration) bool {
	return now < expires && now-seen < idleLimit(idle).Milliseconds()
}

// seeEvery is how often use of a session is written down at most.
func seeEvery(idle time.Duration) time.Duration { return min(time.Minute, idle/10) }

// idleLimit is how long after its last written use a session ends. Later uses may be unwritten, so it is longer than the
// idle time: a session in use never ends.
func idleLimit(idle time.Duration) time.Duration { return idle + seeEvery(idle) }

// see writes down that a session is in use. A failure costs the member nothing now, so the call goes on.
func (s *Service) see(ctx context.Context, sessionID, at int64) {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.SeeSession(ctx, sessionID, at) })
	if err != nil {
		s.o.Log.WarnContext(ctx, "note use of session", "session", sessionID, "error", err)
	}
}

// revokeCached makes tokens unusable, here at once and at the other replicas as soon as they hear of it.
func (s *Service) revokeCached(dead ...digest) {
	s.forget(dead)
	s.tell(deadTokens, dead)
}

// tellEnded lets go of the plays and event streams of sessions that are over: plays of this server at once, all others as soon as they
// hear of it.
func (s *Service) tellEnded(e events.SessionEnded) {
	if s.o.Plays != nil {
		s.o.Plays.SessionEnded(e)
	}
	s.tell(events.SubjectSessionEnded, e)
}

func (s *Service) tell(subject string, word any) {
	data, err := json.Marshal(word)
	if err != nil {
		s.o.Log.Error("encode ended sessions", "error", err) // what it tells of is committed all the same
		return
	}
	s.o.Bus.Notify(subject, data, cacheFor)
}

func (s *Service) onRevoked(data []byte) {
	var dead []digest
	if err := json.Unmarshal(data, &dead); err != nil {
		s.o.Log.Warn("read revoked tokens", "error", err)
		return
	}
	s.forget(dead)
}

func (s *Service) forget(dead []digest) {
	for _, hash := range dead {
		s.live.Set(hash, &live{ended: true})
	}
}

// MarshalText writes a digest as hexadecimal text.
func (d digest) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(d[:])), nil }

// UnmarshalText reads a digest.
func (d *digest) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(d) {
		return errors.New("a digest of the wrong length")
	}
	_, err := hex.Decode(d[:], text)
	return err
}
