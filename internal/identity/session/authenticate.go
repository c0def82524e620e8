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

// subjectRevoked is the bus subject for digests of revoked tokens.
const subjectRevoked = "session.dead_tokens"

type cachedSession struct {
	caller  rest.Caller
	seen    atomic.Int64 // unix ms
	expires int64        // unix ms
	ended   bool
}

// Authenticate returns the caller of a token and records the use of the session.
func (s *Service) Authenticate(ctx context.Context, token string) (rest.Caller, error) {
	hash := digest(sha256.Sum256([]byte(token)))
	cached, ok := s.cache.GetIfPresent(hash)
	if !ok {
		var err error
		if cached, err = s.load(ctx, hash); err != nil {
			return rest.Caller{}, err
		}
		cached = s.addToCache(hash, cached)
	}
	if cached.ended {
		return rest.Caller{}, rest.ErrTokenInvalid
	}
	idle, _, err := s.o.Settings.SessionLifetime(ctx, cached.caller.MerchantID)
	if err != nil {
		return rest.Caller{}, err
	}
	now, seen := db.Millis(s.o.Now()), cached.seen.Load()
	if !isUsable(now, seen, cached.expires, idle) {
		return rest.Caller{}, rest.ErrTokenInvalid
	}
	if now-seen >= recordInterval(idle).Milliseconds() && cached.seen.CompareAndSwap(seen, now) {
		s.recordUse(ctx, cached.caller.SessionID, now)
	}
	return cached.caller, nil
}

// addToCache caches a loaded session. It does not overwrite an entry that was marked as ended during the load.
func (s *Service) addToCache(hash digest, loaded *cachedSession) *cachedSession {
	if existing, stored := s.cache.SetIfAbsent(hash, loaded); !stored {
		return existing
	}
	return loaded
}

func (s *Service) load(ctx context.Context, hash digest) (*cachedSession, error) {
	row, err := s.o.Store.Q().SessionByToken(ctx, hash[:])
	if errors.Is(err, sql.ErrNoRows) {
		return nil, rest.ErrTokenInvalid
	}
	if err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}
	loaded := &cachedSession{expires: row.ExpiresAt, caller: rest.Caller{
		SessionID: row.ID, MemberID: row.MemberID, MerchantID: row.MerchantID, Type: rest.MemberType(row.Type),
		Username: row.Account, Currency: row.Currency, TemporaryPassword: row.FirstTimeLogin,
	}}
	loaded.seen.Store(row.SeenAt)
	return loaded, nil
}

// Alive reports whether a session is still valid. It does not count as use, so that an open event stream does not prevent the session
// from idling out.
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
	return isUsable(db.Millis(s.o.Now()), row.SeenAt, row.ExpiresAt, idle), nil
}

func isUsable(now, seen, expires int64, idle time.Duration) bool {
	return now < expires && now-seen < idleLimit(idle).Milliseconds()
}

// recordInterval is the minimum time between two writes of a session's last use.
func recordInterval(idle time.Duration) time.Duration { return min(time.Minute, idle/10) }

// idleLimit is the time from the last stored use to the end of a session. It is longer than idle, because later uses may not be stored.
func idleLimit(idle time.Duration) time.Duration { return idle + recordInterval(idle) }

// recordUse stores the last use of a session. It only logs a failure, so that the request continues.
func (s *Service) recordUse(ctx context.Context, sessionID, at int64) {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.TouchSession(ctx, sessionID, at) })
	if err != nil {
		s.o.Log.WarnContext(ctx, "record use of session", "session", sessionID, "error", err)
	}
}

// recordEndsIn reports revoked tokens and ended sessions to all replicas, in the caller's transaction. The replicas then reject the tokens
// and close the games and event streams of the sessions. The caller must call publish after the commit.
func (s *Service) recordEndsIn(ctx context.Context, tx *db.Tx, revoked []digest, ended ...events.SessionEnded) (publish func(), err error) {
	changes := map[string][]any{}
	if len(revoked) > 0 {
		changes[subjectRevoked] = []any{revoked}
	}
	for _, e := range ended {
		changes[events.SubjectSessionEnded] = append(changes[events.SubjectSessionEnded], e)
	}
	var notify []func()
	for _, subject := range []string{subjectRevoked, events.SubjectSessionEnded} {
		for _, change := range changes[subject] {
			data, err := json.Marshal(change)
			if err != nil {
				return nil, fmt.Errorf("encode change %s: %w", subject, err)
			}
			if err := s.o.Bus.AddIn(ctx, tx, subject, data); err != nil {
				return nil, err
			}
			notify = append(notify, func() { s.o.Bus.Notify(subject, data) })
		}
	}
	return func() {
		for _, fn := range notify {
			fn()
		}
	}, nil
}

func (s *Service) onRevoked(data []byte) {
	var revoked []digest
	if err := json.Unmarshal(data, &revoked); err != nil {
		s.o.Log.Warn("decode revoked tokens", "error", err)
		return
	}
	s.markEnded(revoked)
}

func (s *Service) markEnded(hashes []digest) {
	for _, hash := range hashes {
		s.cache.Set(hash, &cachedSession{ended: true})
	}
}

// MarshalText returns the digest in hexadecimal.
func (d digest) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(d[:])), nil }

// UnmarshalText parses a hexadecimal digest.
func (d *digest) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(d) {
		return errors.New("digest has the wrong length")
	}
	_, err := hex.Decode(d[:], text)
	return err
}
