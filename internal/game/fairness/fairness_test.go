package fairness_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/game/fairness"
)

var update = flag.Bool("update", false, "write the vectors that the app's tests read")

func seedOf(name string) fairness.Seed { return sha256.Sum256([]byte(name)) }

// A vector is a test round in testdata/vectors.json, which the app's tests also read.
type vector struct {
	Seed       string `json:"seed"`
	Commitment string `json:"commitment"`
	ClientSeed string `json:"clientSeed"`
	Nonce      int64  `json:"nonce"`
	Words      []int  `json:"words"`   // the first nine, one more than a block
	Below      []int  `json:"below"`   // exclusive upper limits of Ints
	Ints       []int  `json:"ints"`    // numbers drawn in order
	Skips      int    `json:"skips"`   // words skipped for Ints
	Shuffle    []int  `json:"shuffle"` // 0 to 51 shuffled with a new stream
}

// rejecting is just above half of all words, so about every other word is skipped.
const rejecting = 1<<31 + 1

func vectors() []vector {
	var all []vector
	for _, c := range []struct {
		seed   string
		client string
		nonce  int64
	}{
		{"fairground vector 1", "fairground", 1},
		{"fairground vector 1", "fairground", 2},
		{"fairground vector 2", "a", 1},
		{"fairground vector 3", strings.Repeat("Z", fairness.MaxClientSeed), 1_000_000},
		{"fairground vector 4", "0-_9", 1<<53 - 1}, // the largest exact integer in JavaScript
	} {
		seed := seedOf(c.seed)
		v := vector{Seed: seed.Hex(), Commitment: seed.Commitment(), ClientSeed: c.client, Nonce: c.nonce}
		s := fairness.NewStream(seed, c.client, c.nonce)
		for range 9 {
			v.Words = append(v.Words, int(s.Word()))
		}
		v.Below = []int{2, 6, 10, 37, 52, 100, rejecting, rejecting, rejecting, rejecting, 1, 1 << 32, 3}
		s = fairness.NewStream(seed, c.client, c.nonce)
		for _, n := range v.Below {
			v.Ints = append(v.Ints, s.Int(n))
		}
		v.Skips = wordsUsed(seed, c.client, c.nonce, s) - len(v.Below)
		s = fairness.NewStream(seed, c.client, c.nonce)
		for i := range 52 {
			v.Shuffle = append(v.Shuffle, i)
		}
		s.Shuffle(52, func(i, j int) { v.Shuffle[i], v.Shuffle[j] = v.Shuffle[j], v.Shuffle[i] })
		all = append(all, v)
	}
	return all
}

// wordsUsed returns how many words a stream has returned.
func wordsUsed(seed fairness.Seed, client string, nonce int64, s *fairness.Stream) int {
	next := s.Word()
	again := fairness.NewStream(seed, client, nonce)
	for i := 0; ; i++ {
		if again.Word() == next {
			return i
		}
	}
}

func TestPP17Vectors(t *testing.T) {
	t.Parallel()
	const path = "testdata/vectors.json"
	if *update {
		text, err := json.MarshalIndent(vectors(), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want []vector
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, vectors()); diff != "" {
		t.Errorf("published rounds changed (-want +got):\n%s", diff)
	}
	if !slices.ContainsFunc(want, func(v vector) bool { return v.Skips > 0 }) {
		t.Error("no vector skips a word")
	}
}

// The test computes the stream without the package, because the vectors come from the package and would repeat its
// mistakes.
func TestPP17StreamIsHMACOfSeedAndNonce(t *testing.T) {
	t.Parallel()
	seed := seedOf("stream")
	s := fairness.NewStream(seed, "me", 7)
	for block := range 5 {
		mac := hmac.New(sha256.New, seed[:])
		fmt.Fprintf(mac, "me:7:%d", block)
		for sum := mac.Sum(nil); len(sum) > 0; sum = sum[4:] {
			if got, want := s.Word(), binary.BigEndian.Uint32(sum); got != want {
				t.Fatalf("block %d: %d, want %d", block, got, want)
			}
		}
	}
}

func TestPP17Commitment(t *testing.T) {
	t.Parallel()
	seed, err := fairness.NewSeed(bytes.NewReader(bytes.Repeat([]byte{0xab}, 40)))
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Repeat("ab", 32); seed.Hex() != want {
		t.Errorf("seed %s, want %s", seed.Hex(), want)
	}
	sum := sha256.Sum256(bytes.Repeat([]byte{0xab}, 32))
	if !seed.Matches(hex.EncodeToString(sum[:])) {
		t.Error("the seed does not match its own commitment")
	}
	for _, other := range []string{"", seed.Hex(), seedOf("other").Commitment(), seed.Commitment() + "0", strings.ToUpper(seed.Commitment())} {
		if seed.Matches(other) {
			t.Errorf("the seed matches %q", other)
		}
	}
	again, err := fairness.ParseSeed(seed.Hex())
	if err != nil || again != seed {
		t.Errorf("ParseSeed = %v, %v, want %v", again, err, seed)
	}
	for _, bad := range []string{"", "ab", strings.Repeat("ab", 31), strings.Repeat("ab", 33), strings.Repeat("zz", 32), strings.Repeat("ab", 31) + " a", strings.Repeat("ä", 32)} {
		if _, err := fairness.ParseSeed(bad); !errors.Is(err, fairness.ErrSeed) {
			t.Errorf("ParseSeed(%q): %v, want ErrSeed", bad, err)
		}
	}
}

func TestPP15FailingSourceReturnsNoSeed(t *testing.T) {
	t.Parallel()
	broken := errors.New("no entropy")
	for name, source := range map[string]io.Reader{
		"fails at once": iotest.ErrReader(broken),
		"fails midway":  io.MultiReader(bytes.NewReader(bytes.Repeat([]byte{1}, 31)), iotest.ErrReader(broken)),
		"ends":          bytes.NewReader(bytes.Repeat([]byte{1}, 31)),
		"is empty":      bytes.NewReader(nil),
		"returns zeros": bytes.NewReader(make([]byte, 32)),
	} {
		seed, err := fairness.NewSeed(source)
		if !errors.Is(err, fairness.ErrSource) || seed != (fairness.Seed{}) {
			t.Errorf("%s: seed = %v, %v, want none and ErrSource", name, seed, err)
		}
	}
	if _, err := fairness.NewSeed(iotest.OneByteReader(bytes.NewReader(bytes.Repeat([]byte{1}, 32)))); err != nil {
		t.Errorf("a slow source: %v", err)
	}
}

func TestGoodClientSeed(t *testing.T) {
	t.Parallel()
	for text, good := range map[string]bool{
		"a": true, "Az09-_": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "a b": false, "a:1": false, "ä": false, "a\x00": false, "a\n": false, "a.b": false, "…": false,
	} {
		if fairness.GoodClientSeed(text) != good {
			t.Errorf("GoodClientSeed(%q) = %v, want %v", text, !good, good)
		}
	}
}

func TestIntPanicsOutOfRange(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, -1, 1<<32 + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Int(%d) did not panic", n)
				}
			}()
			fairness.NewStream(seedOf("range"), "me", 1).Int(n)
		}()
	}
}

func FuzzStream(f *testing.F) {
	f.Add([]byte("seed"), "me", int64(1), 6)
	f.Add([]byte{}, "", int64(-1), 1<<32)
	f.Add([]byte{0xff}, "a:b", int64(1)<<62, rejecting)
	f.Fuzz(func(t *testing.T, seed []byte, client string, nonce int64, n int) {
		n = int(uint64(n)%(1<<32)) + 1
		key := fairness.Seed(sha256.Sum256(seed))
		a, b := fairness.NewStream(key, client, nonce), fairness.NewStream(key, client, nonce)
		for range 20 {
			got := a.Int(n)
			if got < 0 || got >= n {
				t.Fatalf("%d is not below %d", got, n)
			}
			if again := b.Int(n); again != got {
				t.Fatalf("%d, and again %d, want %v", got, again, got)
			}
		}
	})
}
