package ops_test

import (
	"context"
	"errors"
	"regexp"
	"sync"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/ops"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var passwords = member.NewPasswords(2, member.Cost{Memory: 64, Time: 1, Lanes: 1})

func newOps(store *db.Store) *ops.Service {
	return ops.New(ops.Options{Store: store, Passwords: passwords, IDs: db.NewIDs(time.Now), Now: time.Now})
}

func hashOf(t *testing.T, store *db.Store, name string) (hash string) {
	t.Helper()
	row := store.Reader.QueryRowContext(t.Context(), "SELECT password_hash FROM operator WHERE name = '"+name+"'")
	if err := row.Scan(&hash); err != nil {
		t.Fatal(err)
	}
	return hash
}

var generated = regexp.MustCompile(`^[a-z2-7]{6}-[a-z2-7]{6}-[a-z2-7]{6}-[a-z2-7]{6}$`)

func TestFirstOperator(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Run("SE-16 the first operator's password is generated and shown once", func(t *testing.T) {
			s := newOps(store)
			password, err := s.CreateFirst(t.Context())
			if err != nil || !generated.MatchString(password) {
				t.Fatalf("CreateFirst = %q, %v; want a generated password", password, err)
			}
			if right, err := passwords.Matches(t.Context(), hashOf(t, store, ops.FirstName), password); !right || err != nil {
				t.Errorf("the returned password matches the hash: %v, %v; want true", right, err)
			}
			if again, err := s.CreateFirst(t.Context()); again != "" || err != nil {
				t.Errorf("second CreateFirst = %q, %v; want no password", again, err)
			}
		})
	})
}

func TestConcurrentServersCreateOneFirstOperator(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		var mu sync.Mutex
		var shown []string
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				password, err := newOps(store).CreateFirst(t.Context())
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				if password != "" {
					shown = append(shown, password)
				}
			})
		}
		all.Wait()
		if len(shown) != 1 {
			t.Fatalf("%d passwords returned, want 1", len(shown))
		}
		if right, err := passwords.Matches(t.Context(), hashOf(t, store, ops.FirstName), shown[0]); !right || err != nil {
			t.Errorf("the returned password matches the hash: %v, %v; want true", right, err)
		}
	})
}

func TestCreate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newOps(store)
		one, err := s.Create(t.Context(), "Lan.Tran")
		if err != nil || !generated.MatchString(one) {
			t.Fatalf("Create = %q, %v; want a generated password", one, err)
		}
		if two, err := s.Create(t.Context(), "hoa"); err != nil || two == one {
			t.Errorf("second Create = %q, %v; want another password", two, err)
		}
		if _, err := s.Create(t.Context(), "lan.tran"); !errors.Is(err, ops.ErrNameTaken) {
			t.Errorf("Create with a taken name: %v, want ErrNameTaken", err)
		}
		if right, err := passwords.Matches(t.Context(), hashOf(t, store, "lan.tran"), one); !right || err != nil {
			t.Errorf("the old password still matches: %v, %v; want true", right, err)
		}
		for _, bad := range []string{"", "ab", "9lives", "a b c", "lan\n", "thisnameisfartoolongtobeanoperator"} {
			if _, err := s.Create(t.Context(), bad); !errors.Is(err, ops.ErrNameFormat) {
				t.Errorf("Create(%q): %v, want ErrNameFormat", bad, err)
			}
		}
		if password, err := s.CreateFirst(t.Context()); password != "" || err != nil {
			t.Errorf("CreateFirst after Create = %q, %v; want no password", password, err)
		}
	})
}

func TestInterruptedFirstStartCanBeRepeated(t *testing.T) {
	t.Parallel()
	store := dbtest.SQLite(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if password, err := newOps(store).CreateFirst(ctx); password != "" || err == nil {
		t.Errorf("CreateFirst with a cancelled context = %q, %v; want an error", password, err)
	}
	if password, err := newOps(store).CreateFirst(t.Context()); password == "" || err != nil {
		t.Errorf("next CreateFirst = %q, %v; want a password", password, err)
	}
}

func TestResetPassword(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newOps(store)
		old, err := s.CreateFirst(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		password, err := s.ResetPassword(t.Context(), "Admin")
		if err != nil || !generated.MatchString(password) {
			t.Fatalf("ResetPassword = %q, %v; want a generated password", password, err)
		}
		for given, want := range map[string]bool{password: true, old: false} {
			if right, err := passwords.Matches(t.Context(), hashOf(t, store, ops.FirstName), given); right != want || err != nil {
				t.Errorf("password %q matches: %v, %v; want %v", given, right, err, want)
			}
		}
		if _, err := s.ResetPassword(t.Context(), "nobody"); !errors.Is(err, ops.ErrUnknown) {
			t.Errorf("ResetPassword of an unknown operator: %v, want ErrUnknown", err)
		}
	})
}
