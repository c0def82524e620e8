package chain_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/chain"
)

func topOf(name string) fairness.Seed { return sha256.Sum256([]byte(name)) }

func newChain(t *testing.T, name string, length int) *chain.Chain {
	t.Helper()
	c, err := chain.New(topOf(name), length)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The test computes the whole chain without the package. It compares the links at, before and after checkpoints, and
// many others.
func TestPP17ChainOfAMillionLinksVerifies(t *testing.T) {
	t.Parallel()
	const name = "a million links"
	c := newChain(t, name, chain.Length)
	seed := topOf(name)
	for k := chain.Length; k > 0; k-- {
		if k%1009 == 0 || k%chain.Spacing <= 1 || k%chain.Spacing == chain.Spacing-1 || k > chain.Length-3 {
			got, err := c.Seed(k)
			if err != nil || got != seed {
				t.Fatalf("seed %d = %s, %v, want %s", k, got.Hex(), err, seed.Hex())
			}
		}
		seed = sha256.Sum256(seed[:])
	}
	if c.End() != seed {
		t.Errorf("end = %s, want %s", c.End().Hex(), seed.Hex())
	}
	for _, k := range []int{1, 2, 999, 1000, 1001, 31_337, chain.Length} {
		link, err := c.Seed(k)
		if err != nil || !chain.Verify(c.End(), link, k) {
			t.Errorf("link %d does not verify: %v", k, err)
		}
		if k < 2000 && (chain.Verify(c.End(), link, k-1) || chain.Verify(c.End(), link, k+1)) {
			t.Errorf("link %d verifies under another number", k)
		}
	}
}

func TestPP17ChainHashOfASeedIsTheSeedBefore(t *testing.T) {
	t.Parallel()
	for _, length := range []int{1, 2, 999, 1000, 1001, 1999, 2000, 2500} {
		c := newChain(t, fmt.Sprint("length ", length), length)
		before := c.End()
		for k := 1; k <= length; k++ {
			seed, err := c.Seed(k)
			if err != nil {
				t.Fatal(err)
			}
			if seed.Commitment() != before.Hex() {
				t.Fatalf("length %d, link %d: commitment %s, want seed %d, which is %s", length, k, seed.Commitment(), k-1, before.Hex())
			}
			if !chain.VerifyAfter(before, k-1, seed, k) {
				t.Fatalf("length %d: link %d does not verify after the link before it", length, k)
			}
			before = seed
		}
		if before != topOf(fmt.Sprint("length ", length)) {
			t.Errorf("length %d: the last link is not the top", length)
		}
	}
}

func TestOpenReturnsTheSameChain(t *testing.T) {
	t.Parallel()
	for _, length := range []int{1, 1000, 2500, 10_000} {
		c := newChain(t, "open", length)
		stored, err := c.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		again, err := chain.Open(stored, length, c.End())
		if err != nil {
			t.Fatal(err)
		}
		for k := 1; k <= length; k += 7 {
			want, _ := c.Seed(k)
			if got, err := again.Seed(k); err != nil || got != want {
				t.Fatalf("length %d, link %d: %s, %v, want %s", length, k, got.Hex(), err, want.Hex())
			}
		}
		for name, damaged := range map[string][]byte{
			"is too short":    stored[:len(stored)-1],
			"is empty":        nil,
			"is too long":     append(append([]byte{}, stored...), 0),
			"has another end": append([]byte{stored[0] ^ 1}, stored[1:]...),
			"has another top": append(append([]byte{}, stored[:len(stored)-1]...), stored[len(stored)-1]^1),
		} {
			if _, err := chain.Open(damaged, length, c.End()); !errors.Is(err, chain.ErrStored) {
				t.Errorf("length %d, a stored chain that %s: %v, want %v", length, name, err, chain.ErrStored)
			}
		}
		if _, err := chain.Open(stored, length, topOf("another end")); !errors.Is(err, chain.ErrStored) {
			t.Errorf("another end: %v, want %v", err, chain.ErrStored)
		}
	}
}

func TestChainRefusesNumbersOutOfRange(t *testing.T) {
	t.Parallel()
	for _, length := range []int{0, -1, 100_000_001} {
		if _, err := chain.New(topOf("bad"), length); !errors.Is(err, chain.ErrLength) {
			t.Errorf("New with length %d: %v, want %v", length, err, chain.ErrLength)
		}
		if _, err := chain.Open(nil, length, fairness.Seed{}); !errors.Is(err, chain.ErrLength) {
			t.Errorf("Open with length %d: %v, want %v", length, err, chain.ErrLength)
		}
	}
	c := newChain(t, "bad", 10)
	for _, k := range []int{0, -1, 11} {
		if seed, err := c.Seed(k); !errors.Is(err, chain.ErrLink) || seed != (fairness.Seed{}) {
			t.Errorf("Seed(%d) = %v, %v, want %v", k, seed, err, chain.ErrLink)
		}
	}
	seed, _ := c.Seed(5)
	if chain.VerifyAfter(seed, 5, seed, 5) || chain.VerifyAfter(seed, -1, seed, 5) || chain.Verify(c.End(), seed, 1<<40) {
		t.Error("a link verifies with a number that is out of range")
	}
}

func TestSE15PartChainHidesItsSeedsInLogs(t *testing.T) {
	t.Parallel()
	c := newChain(t, "log", 3)
	top := topOf("log")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(verb, c); strings.Contains(text, top.Hex()) || strings.Contains(text, fmt.Sprint(top[0], " ", top[1])) || text != "chain of 3 links" {
			t.Errorf("%s prints %q, want only the number of links", verb, text)
		}
	}
}
