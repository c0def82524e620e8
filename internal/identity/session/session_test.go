package session_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/account"
	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/events"
	"fairground/internal/platform/rest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// loginSite is a site with one member: minhanh92, password qua-xanh7.
type loginSite struct {
	*servertest.Site
	sessions *session.Service // accepts every password, unless a test replaces it
	members  *member.Service
	memberID int64
	ledger   *ledger.Ledger
}

func newLoginSite(t testing.TB, store *db.Store) *loginSite {
	t.Helper()
	s := &loginSite{Site: servertest.New(t, store)}
	s.ledger, s.members = s.Server.Ledger, s.Server.Members
	s.memberID = s.Register(t, member.NewMember{Username: "minhanh92", Password: "qua-xanh7", Type: member.Agent, FirstTimeLogin: true})
	s.sessions = s.replica(t, acceptAll(s.memberID))
	return s
}

func (s *loginSite) accounts() *account.Service {
	return account.New(account.Options{Store: s.Store, Sessions: s.sessions, Now: s.Clock.Now})
}

func (s *loginSite) credentials() session.Credentials {
	return session.Credentials{MerchantID: s.ID, Username: "MinhAnh92", Password: "qua-xanh7", Address: "192.0.2.7", Device: "OTHERS"}
}

func (s *loginSite) login(t *testing.T) string {
	t.Helper()
	g, err := s.sessions.Login(t.Context(), s.credentials())
	if err != nil {
		t.Fatal(err)
	}
	return g.Token
}

func alive(t *testing.T, s *session.Service, token string) bool {
	t.Helper()
	_, err := s.Authenticate(t.Context(), token)
	if err != nil && !errors.Is(err, rest.ErrTokenInvalid) {
		t.Fatal(err)
	}
	return err == nil
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timeout waiting for: %s", what)
		}
	}
}

func TestLogin(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		s.sessions = s.replica(t, s.members)
		ctx := t.Context()
		g, err := s.sessions.Login(ctx, s.credentials())
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Token) != 43 || g.Username != "minhanh92" || g.Type != 1 || !g.FirstTimeLogin {
			t.Errorf("grant = %+v, want a token of 43 characters for minhanh92", g)
		}
		caller, err := s.sessions.Authenticate(ctx, g.Token)
		want := rest.Caller{
			SessionID: caller.SessionID, MemberID: s.memberID, MerchantID: s.ID, Type: 1, Username: "minhanh92", Currency: "VND",
			TemporaryPassword: true,
		}
		if err != nil || caller != want || caller.SessionID == 0 {
			t.Errorf("caller = %+v, %v, want %+v", caller, err, want)
		}
		if again := s.login(t); again == g.Token {
			t.Error("two logins returned the same token")
		}
		for _, invalid := range []string{"", "x", g.Token + "x", g.Token[1:], strings.ToUpper(g.Token)} {
			if alive(t, s.sessions, invalid) {
				t.Errorf("token %q was accepted", invalid)
			}
		}
		var stored []byte
		if err := store.Reader.QueryRowContext(ctx, "SELECT token_hash FROM session ORDER BY id LIMIT 1").Scan(&stored); err != nil {
			t.Fatal(err)
		}
		if len(stored) != 32 || strings.Contains(string(stored), g.Token) {
			t.Errorf("stored token = %q, want a digest of 32 bytes", stored)
		}
		c := s.credentials()
		c.Password = "qua-xanh8"
		if _, err := s.sessions.Login(ctx, c); !errors.Is(err, member.ErrIncorrect) || strings.Contains(err.Error(), c.Password) {
			t.Errorf("wrong password: got %v, want ErrIncorrect without the password", err)
		}
	})
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		idle := s.login(t)
		s.Clock.Add(30*time.Minute - time.Millisecond)
		if !alive(t, s.sessions, idle) { // counts as use
			t.Fatal("session ended before its idle time")
		}
		s.Clock.Add(29 * time.Minute)
		if !alive(t, s.sessions, idle) {
			t.Fatal("session ended despite its use")
		}
		s.Clock.Add(31 * time.Minute) // uses within a minute are written once
		if alive(t, s.sessions, idle) {
			t.Error("session is alive after 31 idle minutes")
		}
		used := s.login(t)
		for range 24*3 - 1 {
			s.Clock.Add(20 * time.Minute)
			if !alive(t, s.sessions, used) {
				t.Fatal("session ended while in use")
			}
		}
		s.Clock.Add(20 * time.Minute)
		if alive(t, s.sessions, used) {
			t.Error("session is alive after 24 hours")
		}
	})
}

func TestExpiryFollowsSettings(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, dbtest.SQLite(t))
	token := s.login(t)
	if err := s.Merchants.Set(t.Context(), s.ID, "session.idle", json.RawMessage(`"5m"`)); err != nil {
		t.Fatal(err)
	}
	s.Clock.Add(4 * time.Minute)
	if !alive(t, s.sessions, token) {
		t.Error("session ended too early")
	}
	s.Clock.Add(5*time.Minute + 30*time.Second)
	if alive(t, s.sessions, token) {
		t.Error("a shorter idle time does not apply to open sessions")
	}
}

func TestUseIsWrittenOnceAMinute(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		token := s.login(t)
		seen := func() (at int64) {
			if err := store.Reader.QueryRowContext(t.Context(), "SELECT seen_at FROM session").Scan(&at); err != nil {
				t.Fatal(err)
			}
			return at
		}
		start := db.Millis(merchanttest.Start)
		s.Clock.Add(59 * time.Second)
		alive(t, s.sessions, token)
		if got := seen(); got != start {
			t.Errorf("use written after %d ms, want none within a minute", got-start)
		}
		s.Clock.Add(time.Second)
		alive(t, s.sessions, token)
		if got := seen(); got != start+60_000 {
			t.Errorf("last use = %d ms after the login, want 60000", got-start)
		}
	})
}

func TestEnd(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		ctx := t.Context()
		other := s.replica(t, s.members)
		streams := make(chan events.SessionEnded, 8)
		stop, err := s.Bus.Subscribe(events.SubjectSessionEnded, func(data []byte) {
			var e events.SessionEnded
			if err := json.Unmarshal(data, &e); err != nil {
				t.Errorf("Unmarshal: got %v, want no error", err)
			}
			streams <- e
		})
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		one, two, three := s.login(t), s.login(t), s.login(t)
		caller, err := other.Authenticate(ctx, one)
		if err != nil || !alive(t, other, two) || !alive(t, other, three) {
			t.Fatal("sessions are not alive on the other replica", err)
		}
		for range 2 { // End is idempotent
			if err := s.sessions.End(ctx, caller, one, session.LoggedOut); err != nil {
				t.Fatal(err)
			}
		}
		if alive(t, s.sessions, one) {
			t.Error("session is alive after logout")
		}
		// The clock does not move, so the cache of the other replica cannot expire.
		eventually(t, "other replica ends the session", func() bool { return !alive(t, other, one) })
		if got := <-streams; got.Session == "" || got.Member == "" {
			t.Errorf("event = %+v, want session and member", got)
		}
		if !alive(t, other, two) {
			t.Error("another session of the member has ended")
		}
		var publish func()
		err = s.Store.Write(ctx, func(tx *db.Tx) (err error) {
			publish, err = s.sessions.EndAllIn(ctx, tx, s.memberID, session.Revoked)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		publish()
		for _, token := range []string{two, three} {
			if alive(t, s.sessions, token) {
				t.Error("session is alive after EndAllIn")
			}
			eventually(t, "other replica ends the session", func() bool { return !alive(t, other, token) })
		}
		s.Clock.Add(time.Minute) // caches have expired, so the database is read
		for _, token := range []string{one, two, three} {
			if alive(t, s.replica(t, s.members), token) {
				t.Error("session is alive in the database")
			}
		}
	})
}

func TestLostEventIsDetectedAfterCacheTTL(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, dbtest.SQLite(t))
	token := s.login(t)
	if !alive(t, s.sessions, token) {
		t.Fatal("not alive")
	}
	// A change without an event, as by a command outside the server.
	if _, err := s.Store.Writer.ExecContext(t.Context(), "UPDATE member SET status = 'disabled'"); err != nil {
		t.Fatal(err)
	}
	s.Clock.Add(11 * time.Second)
	if alive(t, s.sessions, token) {
		t.Error("session of a disabled member is alive after the cache TTL")
	}
}

func TestRenew(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		ctx := t.Context()
		other := s.replica(t, s.members)
		old := s.login(t)
		caller, err := other.Authenticate(ctx, old)
		if err != nil {
			t.Fatal(err)
		}
		s.Clock.Add(23 * time.Minute)
		g, err := s.sessions.Renew(ctx, caller.SessionID, old)
		if err != nil || g.Token == old || g.Username != "minhanh92" || g.Type != 1 || !g.FirstTimeLogin {
			t.Fatalf("grant = %+v, %v, want another token of minhanh92, type 1, first login", g, err)
		}
		if alive(t, s.sessions, old) {
			t.Error("the old token is still accepted")
		}
		eventually(t, "other replica rejects the old token", func() bool { return !alive(t, other, old) })
		if got, err := other.Authenticate(ctx, g.Token); err != nil || got != caller {
			t.Errorf("caller = %+v, %v, want %+v", got, err, caller)
		}
		if _, err := s.sessions.Renew(ctx, caller.SessionID, old); !errors.Is(err, rest.ErrTokenInvalid) {
			t.Errorf("renewal with the old token: got %v, want ErrTokenInvalid", err)
		}
		for range 71 {
			s.Clock.Add(20 * time.Minute)
			alive(t, s.sessions, g.Token)
		}
		if alive(t, s.sessions, g.Token) {
			t.Error("renewal extended the session beyond a day")
		}
	})
}

// Event streams identify a session by its id, which does not change on renewal.
func TestAlive(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		ctx := t.Context()
		other := s.replica(t, s.members)
		login := func() (string, rest.Caller) {
			token := s.login(t)
			caller, err := s.sessions.Authenticate(ctx, token)
			if err != nil {
				t.Fatal(err)
			}
			return token, caller
		}
		check := func(what string, caller rest.Caller, want bool) {
			t.Helper()
			for _, replica := range []*session.Service{s.sessions, other} {
				if got, err := replica.Alive(ctx, caller.SessionID); err != nil || got != want {
					t.Errorf("%s: Alive = %v, %v, want %v", what, got, err, want)
				}
			}
		}
		token, caller := login()
		check("new", caller, true)
		g, err := s.sessions.Renew(ctx, caller.SessionID, token)
		if err != nil {
			t.Fatal(err)
		}
		check("renewed", caller, true)
		if err := s.sessions.End(ctx, caller, g.Token, session.LoggedOut); err != nil {
			t.Fatal(err)
		}
		check("ended", caller, false)
		check("never opened", rest.Caller{SessionID: 1}, false)

		_, caller = login()
		for range 3 {
			s.Clock.Add(10*time.Minute - time.Millisecond)
			check("checked, not used", caller, true)
		}
		s.Clock.Add(time.Minute + time.Second)
		check("idle", caller, false)

		_, caller = login()
		if _, err := store.Writer.ExecContext(ctx, "UPDATE member SET status = 'disabled'"); err != nil {
			t.Fatal(err)
		}
		check("of a disabled member", caller, false)
	})
}

// A logout with an old token also revokes the token of a concurrent renewal.
func TestLogoutRevokesRenewedToken(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		other := s.replica(t, acceptAll(s.memberID))
		old := s.login(t)
		caller, err := s.sessions.Authenticate(t.Context(), old) // the logout is authenticated
		if err != nil {
			t.Fatal(err)
		}
		g, err := s.sessions.Renew(t.Context(), caller.SessionID, old)
		if err != nil {
			t.Fatal(err)
		}
		if !alive(t, s.sessions, g.Token) || !alive(t, other, g.Token) {
			t.Fatal("the new token is not accepted")
		}
		if err := s.sessions.End(t.Context(), caller, old, session.LoggedOut); err != nil {
			t.Fatal(err)
		}
		if alive(t, s.sessions, g.Token) || alive(t, s.sessions, old) {
			t.Error("a token is accepted after the logout")
		}
		eventually(t, "other replica rejects the token", func() bool { return !alive(t, other, g.Token) })
	})
}

// A logout revokes its token even if the session has already ended in the database.
func TestLogoutOfEndedSession(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		token := s.login(t)
		caller, err := s.sessions.Authenticate(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Writer.ExecContext(t.Context(), "UPDATE session SET ended_at = 1, ended_why = 'revoked'"); err != nil {
			t.Fatal(err)
		}
		if err := s.sessions.End(t.Context(), caller, token, session.LoggedOut); err != nil {
			t.Fatal(err)
		}
		if alive(t, s.sessions, token) {
			t.Error("the token is accepted after the logout")
		}
	})
}
