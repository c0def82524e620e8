package secret_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/secret/secrettest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

type clock struct{ ms atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.ms.Store(time.Date(2026, time.March, 14, 9, 26, 53, 0, time.UTC).UnixMilli())
	return c
}

func (c *clock) now() time.Time      { return time.UnixMilli(c.ms.Load()) }
func (c *clock) add(d time.Duration) { c.ms.Add(d.Milliseconds()) }

func open(t testing.TB, store *db.Store, c *clock) *secret.Keys {
	t.Helper()
	keys, err := secrettest.Open(t.Context(), store, c.now)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

type note struct {
	Answer string `json:"answer"`
	N      int64  `json:"n"`
}

func TestInstallationsHaveDifferentKeys(t *testing.T) {
	t.Parallel()
	a, b := mustOpen(t, options(dbtest.SQLite(t), keyFile(t))), mustOpen(t, options(dbtest.SQLite(t), keyFile(t)))
	if bytes.Equal(a.Bytes("x", 32), b.Bytes("x", 32)) || bytes.Equal(a.MAC("x", "y"), b.MAC("x", "y")) {
		t.Error("two installations have the same keys")
	}
	token, err := a.Seal("x", note{"abc", 7}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Unseal("x", token, &note{}); !errors.Is(err, secret.ErrInvalid) {
		t.Errorf("token of another installation: got %v, want ErrInvalid", err)
	}
}

func TestSealAndUnseal(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys := open(t, dbtest.SQLite(t), c)
	rapid.Check(t, func(t *rapid.T) {
		in := note{rapid.String().Draw(t, "answer"), rapid.Int64().Draw(t, "n")}
		in.Answer = strings.ToValidUTF8(in.Answer, "?")
		purpose := rapid.StringMatching(`[a-z.]{1,12}`).Draw(t, "purpose")
		other := rapid.StringMatching(`[a-z.]{1,12}`).Draw(t, "other")
		token, err := keys.Seal(purpose, in, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if in.Answer != "" && len(in.Answer) > 8 && strings.Contains(token, in.Answer) {
			t.Fatal("the token contains the plaintext")
		}
		var out note
		info, err := keys.Unseal(purpose, token, &out)
		if err != nil || out != in || len(info.ID) != 22 || !info.Expires.Equal(c.now().Add(time.Minute)) {
			t.Fatalf("Unseal = %+v, value %+v, %v, want %+v for a minute, with an id", info, out, err, in)
		}
		if _, err := keys.Unseal(other, token, &out); other != purpose && !errors.Is(err, secret.ErrInvalid) {
			t.Fatalf("other purpose: got %v, want ErrInvalid", err)
		}
		raw := []byte(token)
		raw[rapid.IntRange(0, len(raw)-1).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 6).Draw(t, "bit")
		if _, err := keys.Unseal(purpose, string(raw), &out); !errors.Is(err, secret.ErrInvalid) {
			t.Fatalf("modified token: got %v, want ErrInvalid", err)
		}
		again, err := keys.Seal(purpose, in, time.Minute)
		if err != nil || again == token {
			t.Fatal("two tokens of one value are equal", err)
		}
	})
}

func TestTokensExpire(t *testing.T) {
	t.Parallel()
	c := newClock()
	keys := open(t, dbtest.SQLite(t), c)
	token, err := keys.Seal("x", note{}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	c.add(time.Minute - time.Millisecond)
	if _, err := keys.Unseal("x", token, &note{}); err != nil {
		t.Errorf("before expiry: %v", err)
	}
	c.add(time.Millisecond)
	if _, err := keys.Unseal("x", token, &note{}); !errors.Is(err, secret.ErrInvalid) {
		t.Errorf("after expiry: got %v, want ErrInvalid", err)
	}
}

func TestTokenSizeIsBounded(t *testing.T) {
	t.Parallel()
	keys := open(t, dbtest.SQLite(t), newClock())
	if _, err := keys.Seal("x", strings.Repeat("a", 9000), time.Minute); err == nil {
		t.Error("Seal accepted a value that is too long")
	}
	if _, err := keys.Seal("x", func() {}, time.Minute); err == nil {
		t.Error("Seal accepted a value that JSON cannot encode")
	}
	for _, token := range []string{"", "a", "!", strings.Repeat("A", 9000), base64.StdEncoding.EncodeToString(make([]byte, 64))} {
		if _, err := keys.Unseal("x", token, &note{}); !errors.Is(err, secret.ErrInvalid) {
			t.Errorf("Unseal(%.20q): got %v, want ErrInvalid", token, err)
		}
	}
}

func TestMACSeparatesParts(t *testing.T) {
	t.Parallel()
	keys := open(t, dbtest.SQLite(t), newClock())
	seen := map[string]string{}
	for _, c := range []struct {
		purpose string
		parts   []string
	}{
		{"a", []string{"ab", "c"}},
		{"a", []string{"a", "bc"}},
		{"a", []string{"abc"}},
		{"a", []string{"abc", ""}},
		{"a", nil},
		{"b", []string{"abc"}},
	} {
		mac := string(keys.MAC(c.purpose, c.parts...))
		name := c.purpose + ":" + strings.Join(c.parts, "|")
		if before, dup := seen[mac]; dup {
			t.Errorf("%s and %s have the same digest", before, name)
		}
		seen[mac] = name
		if mac != string(keys.MAC(c.purpose, c.parts...)) {
			t.Errorf("%s has two digests", name)
		}
	}
}

// Concurrent callers on several replicas can use an id only once.
func TestSpendOnce(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			o := dbtest.Migrated(t, e)
			c := newClock()
			expires := c.now().Add(time.Minute)
			spend := func(store *db.Store, keys *secret.Keys, purpose string) (first bool) {
				err := store.Write(t.Context(), func(tx *db.Tx) (err error) {
					first, err = keys.Spend(t.Context(), tx.Q, purpose, "id", expires)
					return err
				})
				if err != nil {
					t.Errorf("got %v, want no error", err)
				}
				return first
			}
			var firsts atomic.Int64
			var wg sync.WaitGroup
			for range 2 {
				store := dbtest.Open(t, o)
				keys := open(t, store, c)
				for range 5 {
					wg.Go(func() {
						if spend(store, keys, "x") {
							firsts.Add(1)
						}
					})
				}
			}
			wg.Wait()
			if n := firsts.Load(); n != 1 {
				t.Errorf("%d callers were first, want 1", n)
			}
			store := dbtest.Open(t, o)
			keys := open(t, store, c)
			if !spend(store, keys, "y") {
				t.Error("the same id of another purpose was already used")
			}
			for _, step := range []struct {
				wait time.Duration
				left int
			}{{time.Minute + 10*time.Minute, 2}, {time.Second, 0}} {
				c.add(step.wait)
				if err := keys.Sweep(t.Context()); err != nil {
					t.Fatal(err)
				}
				var left int
				if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM spent").Scan(&left); err != nil || left != step.left {
					t.Errorf("%d ids left, %v, want %d", left, err, step.left)
				}
			}
		})
	}
}

// Unseal never panics and never returns a value that was not sealed.
func FuzzUnseal(f *testing.F) {
	keys := open(f, dbtest.SQLite(f), newClock())
	token, err := keys.Seal("x", note{"abc", 7}, time.Minute)
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{token, token[1:], token + "A", "", "AAAA", strings.Repeat("A", 64), "e30", "=", "\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out note
		_, err := keys.Unseal("x", text, &out)
		if text == token {
			if err != nil || out != (note{"abc", 7}) {
				t.Fatalf("sealed token: value %+v, %v", out, err)
			}
			return
		}
		if !errors.Is(err, secret.ErrInvalid) || out != (note{}) {
			t.Fatalf("Unseal(%q): value %+v, %v, want ErrInvalid", text, out, err)
		}
	})
}
