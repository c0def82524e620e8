package jwe_test

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

type credentials struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

type installation struct {
	store *db.Store
	key   secret.Source
	ms    atomic.Int64
	box   *jwe.Box

	options jose.EncrypterOptions // of the client
}

func (b *installation) now() time.Time { return time.UnixMilli(b.ms.Load()) }

func newInstallation(t *testing.T, store *db.Store) *installation {
	t.Helper()
	b := &installation{store: store, key: secret.Source{Text: hex.EncodeToString(randomKey()), Create: true}}
	b.ms.Store(time.Date(2026, time.March, 14, 9, 26, 53, 0, time.UTC).UnixMilli())
	b.box = b.replica(t)
	return b
}

// keys opens the keys of the installation, which differ from those of others.
func (b *installation) keys(t *testing.T) (*secret.Keys, error) {
	t.Helper()
	return secret.Open(t.Context(), secret.Options{Store: b.store, Source: b.key, Now: b.now, Log: slog.New(slog.DiscardHandler)})
}

func randomKey() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never returns an error
	return key
}

func (b *installation) replica(t *testing.T) *jwe.Box {
	t.Helper()
	keys, err := b.keys(t)
	if err != nil {
		t.Fatal(err)
	}
	box, err := jwe.New(b.store, keys, b.now)
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// encrypt encrypts body as a browser does, with the served key.
func (b *installation) encrypt(t *testing.T, key jose.KeyAlgorithm, content jose.ContentEncryption, body any) string {
	t.Helper()
	served, err := json.Marshal(b.box.Public())
	if err != nil {
		t.Fatal(err)
	}
	var public jose.JSONWebKey
	if err := json.Unmarshal(served, &public); err != nil || !public.Valid() || public.Use != "enc" || public.KeyID == "" {
		t.Fatalf("served key %s is not valid: %v", served, err)
	}
	e, err := jose.NewEncrypter(content, jose.Recipient{Algorithm: key, Key: public.Key, KeyID: public.KeyID}, &b.options)
	if err != nil {
		t.Fatal(err)
	}
	plain, raw := body.([]byte)
	if !raw {
		if plain, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	object, err := e.Encrypt(plain)
	if err != nil {
		t.Fatal(err)
	}
	text, err := object.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// body returns a valid body with changes. A nil value removes a field.
func (b *installation) body(nonce string, changes map[string]any) map[string]any {
	body := map[string]any{"username": "minhanh92", "password": "qua-xanh7", "nonce": nonce, "time": db.Millis(b.now())}
	for name, value := range changes {
		body[name] = value
		if value == nil {
			delete(body, name)
		}
	}
	return body
}

func (b *installation) seal(t *testing.T, nonce string, changes map[string]any) string {
	t.Helper()
	return b.encrypt(t, jose.ECDH_ES, jose.A256GCM, b.body(nonce, changes))
}

func TestCA01EncryptedBody(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		b := newInstallation(t, store)
		t.Run("CA-01 an encrypted body is accepted once, by any replica", func(t *testing.T) {
			other := b.replica(t)
			if other.Public() != b.box.Public() {
				t.Fatal("replicas have different keys")
			}
			data := b.seal(t, "0123456789abcdef", nil)
			var n credentials
			if err := other.Open(t.Context(), data, &n); err != nil || n != (credentials{"minhanh92", "qua-xanh7"}) {
				t.Fatalf("Open = %v, %v, want the credentials", n, err)
			}
			if err := b.box.Open(t.Context(), data, &n); !errors.Is(err, jwe.ErrInvalid) {
				t.Errorf("replay: got %v, want ErrInvalid", err)
			}
			if err := b.box.Open(t.Context(), b.seal(t, "0123456789abcdef", nil), &n); !errors.Is(err, jwe.ErrInvalid) {
				t.Errorf("same nonce in another body: got %v, want ErrInvalid", err)
			}
		})
		t.Run("one of several concurrent replays is accepted", func(t *testing.T) {
			data := b.seal(t, "parallel-parallel", nil)
			var accepted atomic.Int32
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					if b.box.Open(t.Context(), data, &credentials{}) == nil {
						accepted.Add(1)
					}
				})
			}
			wg.Wait()
			if accepted.Load() != 1 {
				t.Errorf("accepted %d times, want 1", accepted.Load())
			}
		})
	})
}

func TestClientClockMayDifferWithinWindow(t *testing.T) {
	t.Parallel()
	b := newInstallation(t, dbtest.SQLite(t))
	now := b.now()
	for off, good := range map[time.Duration]bool{
		0: true, jwe.Window: true, -jwe.Window: true, jwe.Window + time.Millisecond: false, -jwe.Window - time.Millisecond: false,
		24 * time.Hour: false, -24 * time.Hour: false,
	} {
		err := b.box.Open(t.Context(), b.seal(t, "off-by-"+off.String()+"-----------", map[string]any{"time": db.Millis(now.Add(off))}), &credentials{})
		var f *fault.Fault
		if good && err != nil || !good && (!errors.Is(err, jwe.ErrTime) || !errors.As(err, &f) || f.Args["now"] != "1773480413000") {
			t.Errorf("clock differs by %v: %v", off, err)
		}
	}
	// The nonce is stored as long as the time of the body is valid.
	early := b.seal(t, "from-the-future-1", map[string]any{"time": db.Millis(now.Add(jwe.Window))})
	if err := b.box.Open(t.Context(), early, &credentials{}); err != nil {
		t.Fatal(err)
	}
	b.ms.Add(2 * jwe.Window.Milliseconds())
	keys, err := b.keys(t)
	if err != nil {
		t.Fatal(err)
	}
	if err := keys.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.box.Open(t.Context(), early, &credentials{}); !errors.Is(err, jwe.ErrInvalid) {
		t.Errorf("replay at the end of the window: got %v, want ErrInvalid", err)
	}
}

func TestInvalidBodyIsRejected(t *testing.T) {
	t.Parallel()
	b := newInstallation(t, dbtest.SQLite(t))
	good := b.seal(t, "good-good-good-good", nil)
	other := newInstallation(t, dbtest.SQLite(t))
	nonce := "some-nonce-of-mine"
	for name, data := range map[string]string{
		"empty": "", "invalid": "nonsense", "dots": "....", "truncated": good[:len(good)-3], "too long": good + strings.Repeat("A", jwe.MaxLength),
		"modified":                 good[:len(good)-30] + "AAAA" + good[len(good)-26:],
		"for another installation": other.seal(t, nonce, nil),
		"other key algorithm":      b.encrypt(t, jose.ECDH_ES_A256KW, jose.A256GCM, b.body(nonce, nil)),
		"other cipher":             b.encrypt(t, jose.ECDH_ES, jose.A128CBC_HS256, b.body(nonce, nil)),
		"not an object":            b.encrypt(t, jose.ECDH_ES, jose.A256GCM, []string{"x"}),
		"without a nonce":          b.seal(t, "", map[string]any{"nonce": nil}),
		"short nonce":              b.seal(t, "0123456789abcde", nil),
		"long nonce":               b.seal(t, strings.Repeat("x", 65), nil),
		"without a time":           b.seal(t, nonce, map[string]any{"time": nil}),
		"time as text":             b.seal(t, nonce, map[string]any{"time": "now"}),
	} {
		if err := b.box.Open(t.Context(), data, &credentials{}); !errors.Is(err, jwe.ErrInvalid) {
			t.Errorf("%s: got %v, want ErrInvalid", name, err)
		}
	}
	for name, data := range map[string]string{
		"unknown field": b.seal(t, nonce, map[string]any{"type": 2}),
		"wrong type":    b.seal(t, nonce, map[string]any{"username": 7}),
	} {
		if err := b.box.Open(t.Context(), data, &credentials{}); !errors.Is(err, rest.ErrParam) {
			t.Errorf("%s: got %v, want ErrParam", name, err)
		}
	}
	if err := b.box.Open(t.Context(), good, &credentials{}); err != nil {
		t.Errorf("valid body: %v", err)
	}
}

// The plaintext must pass the same JSON checks as an unencrypted body.
func TestPlaintextPassesJSONChecks(t *testing.T) {
	t.Parallel()
	b := newInstallation(t, dbtest.SQLite(t))
	tail := `,"nonce":"some-nonce-of-mine","time":` + strconv.FormatInt(db.Millis(b.now()), 10) + `}`
	for name, plain := range map[string]string{
		"U+0000":            `{"username":"a\u0000b","password":"x"` + tail,
		"duplicate field":   `{"username":"a","username":"b","password":"x"` + tail,
		"duplicate nonce":   `{"username":"a","nonce":"other-nonce-of-mine"` + tail,
		"invalid UTF-8":     "{\"username\":\"a\xff\"" + tail,
		"trailing value":    `{"username":"a"` + tail + `{}`,
		"nested too deeply": `{"username":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + tail,
	} {
		if err := b.box.Open(t.Context(), b.encrypt(t, jose.ECDH_ES, jose.A256GCM, []byte(plain)), &credentials{}); !errors.Is(err, rest.ErrParam) {
			t.Errorf("%s: got %v, want ErrParam", name, err)
		}
	}
	b.options.Compression = jose.DEFLATE
	if err := b.box.Open(t.Context(), b.seal(t, "zipped-zipped-zipped", nil), &credentials{}); !errors.Is(err, jwe.ErrInvalid) {
		t.Errorf("compressed: got %v, want ErrInvalid", err)
	}
}
