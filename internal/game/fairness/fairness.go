// Package fairness derives a game's random numbers from a committed seed, so that anyone can verify them. It provides
// the seed, its commitment, a stream of words and unbiased numbers from the stream. docs/fairness.md describes the
// algorithm.
//
// The package does not depend on any game or player, and stores nothing. If the given random source fails, it does not
// use another one.
package fairness

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// SeedSize is the number of bytes of a seed and of its commitment.
const SeedSize = sha256.Size

// MaxClientSeed is the maximum length of a client seed.
const MaxClientSeed = 64

// ErrSource means that the random source failed and no seed was drawn.
var ErrSource = errors.New("fairness: the random source failed")

// ErrSeed means that a text is not a seed.
var ErrSeed = errors.New("fairness: a seed is 64 hexadecimal digits")

// A Seed is the seed of a round. It is secret until the round is settled.
type Seed [SeedSize]byte

// NewSeed reads a seed from source, which is crypto/rand.Reader outside tests.
func NewSeed(source io.Reader) (Seed, error) {
	var s Seed
	if _, err := io.ReadFull(source, s[:]); err != nil {
		return Seed{}, fmt.Errorf("%w: %w", ErrSource, err)
	}
	if s == (Seed{}) { // a source of zeros is broken
		return Seed{}, fmt.Errorf("%w: it returned zeros", ErrSource)
	}
	return s, nil
}

// ParseSeed parses a revealed seed.
func ParseSeed(text string) (Seed, error) {
	var s Seed
	if len(text) != hex.EncodedLen(SeedSize) {
		return Seed{}, ErrSeed
	}
	if _, err := hex.Decode(s[:], []byte(text)); err != nil {
		return Seed{}, ErrSeed
	}
	return s, nil
}

// Hex returns the seed in hexadecimal, as it is revealed.
func (s Seed) Hex() string { return hex.EncodeToString(s[:]) }

// Commitment returns the hexadecimal SHA-256 of the seed, which is published before the bet.
func (s Seed) Commitment() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// Matches reports whether commitment is the commitment of the seed.
func (s Seed) Matches(commitment string) bool {
	return subtle.ConstantTimeCompare([]byte(s.Commitment()), []byte(commitment)) == 1
}

// GoodClientSeed reports whether text is 1 to 64 letters, digits, '-' and '_'. Other characters, such as ':', could
// make the HMAC message ambiguous.
func GoodClientSeed(text string) bool {
	if text == "" || len(text) > MaxClientSeed {
		return false
	}
	for _, c := range []byte(text) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}

// A Stream returns the random words of a round. The same seed, client seed and nonce yield the same words. A Stream
// is not safe for concurrent use.
type Stream struct {
	seed   Seed
	prefix string
	block  uint64 // next block
	words  [sha256.Size]byte
	used   int // bytes of words that were returned
}

// NewStream returns the stream of a round. Nonces count a player's rounds from 1.
func NewStream(seed Seed, clientSeed string, nonce int64) *Stream {
	return &Stream{seed: seed, prefix: clientSeed + ":" + strconv.FormatInt(nonce, 10) + ":", used: sha256.Size}
}

// Word returns the next four bytes, big-endian. Block i of the stream is the HMAC-SHA256 of "clientSeed:nonce:i" with
// the seed as key. The first block is block 0.
func (s *Stream) Word() uint32 {
	if s.used == len(s.words) {
		mac := hmac.New(sha256.New, s.seed[:])
		_, _ = io.WriteString(mac, s.prefix+strconv.FormatUint(s.block, 10))
		mac.Sum(s.words[:0])
		s.block++
		s.used = 0
	}
	w := binary.BigEndian.Uint32(s.words[s.used:])
	s.used += 4
	return w
}

// Int returns a uniform number from 0 to n-1. It panics unless n is from 1 to 2^32.
func (s *Stream) Int(n int) int {
	if n < 1 || int64(n) > wordCount {
		panic(fmt.Sprintf("fairness: Int(%d) is out of range", n))
	}
	return int(below(uint64(n), wordCount, func() uint64 { return uint64(s.Word()) }))
}

const wordCount = 1 << 32 // number of different words

// below returns a uniform number below n from words below size. It skips words beyond the largest multiple of n,
// which would make small numbers more likely.
func below(n, size uint64, next func() uint64) uint64 {
	limit := size / n * n
	for {
		if w := next(); w < limit {
			return w % n
		}
	}
}

// Shuffle shuffles n elements uniformly by the Fisher–Yates algorithm, from the last element down.
func (s *Stream) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, s.Int(i+1))
	}
}
