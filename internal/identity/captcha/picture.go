package captcha

import (
	"crypto/rand"
	"fmt"
	"math/big"
	mathrand "math/rand/v2"
	"strconv"

	"fairground/internal/platform/validation"
)

const digitCount = 6

func newQuestion(kind string) (question, answer string) {
	if kind != validation.CaptchaEquation {
		text := fmt.Sprintf("%0*d", digitCount, randomBelow(1_000_000))
		return text, text
	}
	switch randomBelow(3) {
	case 0:
		a, b := 1+randomBelow(20), 1+randomBelow(9)
		return fmt.Sprintf("%d+%d=?", a, b), strconv.Itoa(a + b)
	case 1:
		a, b := 10+randomBelow(15), 1+randomBelow(9)
		return fmt.Sprintf("%d-%d=?", a, b), strconv.Itoa(a - b)
	default:
		a, b := 2+randomBelow(8), 2+randomBelow(8)
		return fmt.Sprintf("%dx%d=?", a, b), strconv.Itoa(a * b)
	}
}

func randomBelow(n int64) int {
	v, err := rand.Int(rand.Reader, big.NewInt(n))
	if err != nil {
		panic(err) // no secure randomness: refuse to issue captchas
	}
	return int(v.Int64())
}

// An rng chooses the appearance of a puzzle. Its seed is unpredictable.
type rng struct{ *mathrand.Rand }

func newRNG() rng {
	var seed [32]byte
	_, _ = rand.Read(seed[:]) // never returns an error
	return rng{mathrand.New(mathrand.NewChaCha8(seed))}
}

func (r rng) between(from, to float64) float64 { return from + (to-from)*r.Float64() }
