// Package fairness turns a committed seed into a game's chance, so that anybody can do it again: a seed from a random
// source, its commitment, a stream of words, and numbers that are drawn from the stream without bias. It is pure
// arithmetic: it knows no game, no player, no bank and no history, keeps nothing, and never falls back on another
// source when the one it was given fails. docs/fairness.md says the same in words.
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

// SeedSize is how many bytes a seed has: as many as its commitment, so that neither is the weaker side.
const SeedSize = sha256.Size

// MaxClientSeed bounds what a player may choose.
const MaxClientSeed = 64

// ErrSource says that the random source failed: the game must stop, no seed was made.
var ErrSource = errors.New("fairness: the random source failed")

// ErrSeed says that a text is no seed.
var ErrSeed = errors.New("fairness: a seed is 64 hexadecimal digits")

// Seed is the server's secret of one round, known to nobody else until the round is settled.
type Seed [SeedSize]byte

// NewSeed draws a seed. Outside tests the source is crypto/rand's.
func NewSeed(source io.Reader) (Seed, error) {
	var s Seed
	if _, err := io.ReadFull(source, s[:]); err != nil {
		return Seed{}, fmt.Errorf("%w: %w", ErrSource, err)
	}
	if s == (Seed{}) { // one in 2^256: a source that gives zeros is broken
		return Seed{}, fmt.Errorf("%w: it gives zeros", ErrSource)
	}
	return s, nil
}

// ParseSeed reads a revealed seed.
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

// Hex is the seed as it is revealed.
func (s Seed) Hex() string { return hex.EncodeToString(s[:]) }

// Commitment is what is published before the bet: the SHA-256 of the seed's bytes, in hexadecimal.
func (s Seed) Commitment() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// Keeps says whether the seed is the one that was committed to.
func (s Seed) Matches(commitment string) bool {
	return subtle.ConstantTimeCompare([]byte(s.Commitment()), []byte(commitment)) == 1
}

// GoodClientSeed says whether a player may choose the text: 1 to 64 letters, digits, '-' and '_', so that the
// message under the HMAC reads in one way only.
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

// Stream gives the words of one round, always the same for the same seed, client seed and nonce. It is used by one
// goroutine.
type Stream struct {
	seed   Seed
	prefix string
	block  uint64 // the next one
	words  [sha256.Size]byte
	used   int
}

// NewStream opens the stream of a round. The nonce counts a player's rounds from 1.
func NewStream(seed Seed, clientSeed string, nonce int64) *Stream {
	return &Stream{seed: seed, prefix: clientSeed + ":" + strconv.FormatInt(nonce, 10) + ":", used: sha256.Size}
}

// Word gives the next four bytes, big-endian. Block i of the stream is HMAC-SHA256 under the seed of
// "clientSeed:nonce:i", from 0.
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

// Int gives a number from 0 to n-1, each as likely as the next. n is a fact of the game, from 1 to 2^32.
func (s *Stream) Int(n int) int {
	if n < 1 || int64(n) > words {
		panic(fmt.Sprintf("fairness: no number below %d can be drawn", n))
	}
	return int(below(uint64(n), words, func() uint64 { return uint64(s.Word()) }))
}

const words = 1 << 32 // how many different words there are

// below draws from words of which there are `size`, by rejection: as many of them as are a multiple of n count, a
// word beyond is skipped. Without that the first few numbers would come a little more often.
func below(n, size uint64, next func() uint64) uint64 {
	limit := size / n * n
	for {
		if w := next(); w < limit {
			return w % n
		}
	}
}

// Shuffle puts n things into an order, each of the n! as likely as the next: from the last down to the second, each
// changes places with one that stands no further.
func (s *Stream) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, s.Int(i+1))
	}
}
