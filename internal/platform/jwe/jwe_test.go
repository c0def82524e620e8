package jwe_test

import (
	"encoding/json"
	"errors"
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

type note struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

// bench is an installation whose time the test moves.
type bench struct {
	store *db.Store
	ms    atomic.Int64
	box   *jwe.Box

	options jose.EncrypterOptions // of who sends
}

func (b *bench) now() time.Time { return time.UnixMilli(b.ms.Load()) }

func newBench(t *testing.T, store *db.Store) *bench {
	t.Helper()
	b := &bench{store: store}
	b.ms.Store(time.Date(2026, time.March, 14, 9, 26, 53, 0, time.UTC).UnixMilli())
	b.box = b.replica(t)
	return b
}

func (b *bench) replica(t *testing.T) *jwe.Box {
	t.Helper()
	keys, err := secret.Open(t.Context(), b.store, b.now)
	if err != nil {
		t.Fatal(err)
	}
	box, err := jwe.New(b.store, keys, b.now)
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// encrypt does what a browser does with the key that it was served.
func (b *bench) encrypt(t *testing.T, key jose.KeyAlgorithm, content jose.ContentEncryption, body any) string {
	t.Helper()
	served, err := json.Marshal(b.box.Public())
	if err != nil {
		t.Fatal(err)
	}
	var public jose.JSONWebKey
	if err := json.Unmarshal(served, &public); err != nil || !public.Valid() || public.Use != "enc" || public.KeyID == "" {
		t.Fatalf("%s is no key: %v", served, err)
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

// body is a good one, with changes; nil takes a field away.
func (b *bench) body(nonce string, changes map[string]any) map[string]any {
	body := map[string]any{"username": "minhanh92", "password": "qua-xanh7", "nonce": nonce, "time": db.Millis(b.now())}
	for name, value := range changes {
		body[name] = value
		if value == nil {
			delete(body, name)
		}
	}
	return body
}

func (b *bench) seal(t *testing.T, nonce string, changes map[string]any) string {
	t.Helper()
	return b.encrypt(t, jose.ECDH_ES, jose.A256GCM, b.body(nonce, changes))
}

func TestCA01EncryptedBody(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		b := newBench(t, store)
		t.Run("CA-01 its encrypted body is read once, by any replica", func(t *testing.T) {
			other := b.replica(t)
			if other.Public() != b.box.Public() {
				t.Fatal("replicas have different keys")
			}
			data := b.seal(t, "0123456789abcdef", nil)
			var n note
			if err := other.Open(t.Context(), data, &n); err != nil || n != (note{"minhanh92", "qua-xanh7"}) {
				t.Fatal(n, err)
			}
			if err := b.box.Open(t.Context(), data, &n); !errors.Is(err, jwe.ErrInvalid) {
				t.Errorf("a replay: %v", err)
			}
			if err := b.box.Open(t.Context(), b.seal(t, "0123456789abcdef", nil), &n); !errors.Is(err, jwe.ErrInvalid) {
				t.Errorf("its nonce in another body: %v", err)
			}
		})
		t.Run("parallel replays give one reading", func(t *testing.T) {
			data := b.seal(t, "parallel-parallel", nil)
			var read atomic.Int32
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					if b.box.Open(t.Context(), data, &note{}) == nil {
						read.Add(1)
					}
				})
			}
			wg.Wait()
			if read.Load() != 1 {
				t.Errorf("read %d times", read.Load())
			}
		})
	})
}

func TestClocksMayBeOffByMinutes(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.SQLite(t))
	now := b.now()
	for off, good := range map[time.Duration]bool{
		0: true, jwe.Window: true, -jwe.Window: true, jwe.Window + time.Millisecond: false, -jwe.Window - time.Millisecond: false,
		24 * time.Hour: false, -24 * time.Hour: false,
	} {
		err := b.box.Open(t.Context(), b.seal(t, "off-by-"+off.String()+"-----------", map[string]any{"time": db.Millis(now.Add(off))}), &note{})
		var f *fault.Fault
		if good && err != nil || !good && (!errors.Is(err, jwe.ErrTime) || !errors.As(err, &f) || f.Args["now"] != "1773480413000") {
			t.Errorf("off by %v: %v", off, err)
		}
	}
	// A body is remembered for as long as its time lets it in.
	early := b.seal(t, "from-the-future-1", map[string]any{"time": db.Millis(now.Add(jwe.Window))})
	if err := b.box.Open(t.Context(), early, &note{}); err != nil {
		t.Fatal(err)
	}
	b.ms.Add(2 * jwe.Window.Milliseconds())
	keys, err := secret.Open(t.Context(), b.store, b.now)
	if err != nil {
		t.Fatal(err)
	}
	if err := keys.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.box.Open(t.Context(), early, &note{}); !errors.Is(err, jwe.ErrInvalid) {
		t.Errorf("a replay at the end of its time: %v", err)
	}
}

func TestWhatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.SQLite(t))
	good := b.seal(t, "good-good-good-good", nil)
	other := newBench(t, dbtest.SQLite(t))
	nonce := "some-nonce-of-mine"
	for what, data := range map[string]string{
		"nothing": "", "nonsense": "nonsense", "dots": "....", "cut": good[:len(good)-3], "too long": good + strings.Repeat("A", jwe.Longest),
		"changed":                  good[:len(good)-30] + "AAAA" + good[len(good)-26:],
		"to another installation":  other.seal(t, nonce, nil),
		"of another key algorithm": b.encrypt(t, jose.ECDH_ES_A256KW, jose.A256GCM, b.body(nonce, nil)),
		"of another cipher":        b.encrypt(t, jose.ECDH_ES, jose.A128CBC_HS256, b.body(nonce, nil)),
		"no object":                b.encrypt(t, jose.ECDH_ES, jose.A256GCM, []string{"x"}),
		"without a nonce":          b.seal(t, "", map[string]any{"nonce": nil}),
		"with a short nonce":       b.seal(t, "0123456789abcde", nil),
		"with a long nonce":        b.seal(t, strings.Repeat("x", 65), nil),
		"without a time":           b.seal(t, nonce, map[string]any{"time": nil}),
		"with a time in words":     b.seal(t, nonce, map[string]any{"time": "now"}),
	} {
		if err := b.box.Open(t.Context(), data, &note{}); !errors.Is(err, jwe.ErrInvalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, data := range map[string]string{
		"another field": b.seal(t, nonce, map[string]any{"type": 2}),
		"another type":  b.seal(t, nonce, map[string]any{"username": 7}),
	} {
		if err := b.box.Open(t.Context(), data, &note{}); !errors.Is(err, rest.ErrParam) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := b.box.Open(t.Context(), good, &note{}); err != nil {
		t.Errorf("the good one: %v", err)
	}
}

// What is inside is held to the form that the border asks of every body.
func TestPlaintextIsHeldToTheBordersRules(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.SQLite(t))
	tail := `,"nonce":"some-nonce-of-mine","time":` + strconv.FormatInt(db.Millis(b.now()), 10) + `}`
	for what, plain := range map[string]string{
		"U+0000":             `{"username":"a\u0000b","password":"x"` + tail,
		"a name twice":       `{"username":"a","username":"b","password":"x"` + tail,
		"a nonce twice":      `{"username":"a","nonce":"other-nonce-of-mine"` + tail,
		"no UTF-8":           "{\"username\":\"a\xff\"" + tail,
		"more than one":      `{"username":"a"` + tail + `{}`,
		"nested without end": `{"username":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + tail,
	} {
		if err := b.box.Open(t.Context(), b.encrypt(t, jose.ECDH_ES, jose.A256GCM, []byte(plain)), &note{}); !errors.Is(err, rest.ErrParam) {
			t.Errorf("%s: %v", what, err)
		}
	}
	b.options.Compression = jose.DEFLATE
	if err := b.box.Open(t.Context(), b.seal(t, "zipped-zipped-zipped", nil), &note{}); !errors.Is(err, jwe.ErrInvalid) {
		t.Errorf("zipped: %v", err)
	}
}
