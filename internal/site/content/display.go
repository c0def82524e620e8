package content

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"
	"unicode"

	"fairground/internal/platform/db"
)

// Sources of a displayed figure. The app labels simulated figures.
const (
	sourcePool      = "pool"
	sourceClaims    = "claims"
	sourceSimulated = "simulated"
	sourceNone      = "none"
)

// Range and growth of the simulated jackpot, from the specification.
const (
	minJackpot = 3_620_281_923
	maxJackpot = 7_809_521_168
	tick       = 200 * time.Millisecond
	maxPerTick = 97
)

// A Jackpot is a growing pool: its current amount, its initial amount and its growth per tick.
type Jackpot struct {
	Amount, Start, PerTick int64       // minor units
	Currency               string      // empty: the merchant's
	Games                  []PlayedFor // games that can win it; empty if it is simulated
}

// PlayedFor identifies a group of games that can win a jackpot.
type PlayedFor struct {
	Category string
	Vendors  []string // codes
}

// Pool provides real jackpots.
type Pool interface {
	// Jackpot returns the jackpot in a currency. The empty currency means the merchant's. ok is false if there is no jackpot.
	Jackpot(ctx context.Context, merchantID int64, currency string) (_ Jackpot, ok bool, err error)
}

// jackpot returns the real jackpot. If there is none, it returns a simulated one if Options.Simulated is set.
func (s *Service) jackpot(ctx context.Context, merchantID int64, currency string) (source string, _ Jackpot, err error) {
	if s.o.Pool != nil {
		j, ok, err := s.o.Pool.Jackpot(ctx, merchantID, currency)
		if err != nil {
			return "", Jackpot{}, fmt.Errorf("read jackpot: %w", err)
		}
		if ok {
			return sourcePool, j, nil
		}
	}
	if !s.o.Simulated {
		return sourceNone, Jackpot{}, nil
	}
	return sourceSimulated, simulatedJackpot(merchantID, s.o.Now()), nil
}

// simulatedJackpot returns a jackpot that restarts every day. It depends only on the merchant and the time, so that all
// replicas and reloads show the same amount.
func simulatedJackpot(merchantID int64, now time.Time) Jackpot {
	day := now.UTC().Truncate(24 * time.Hour)
	random := randomFor("jackpot", merchantID, day)
	j := Jackpot{PerTick: 1 + random.Int64N(maxPerTick)}
	growth := int64(24*time.Hour/tick) * j.PerTick
	j.Start = minJackpot + random.Int64N(maxJackpot-minJackpot-growth)
	j.Amount = j.Start + int64(now.Sub(day)/tick)*j.PerTick
	return j
}

// Number and range of simulated claims, from the specification.
const (
	claimCount  = 10
	minPoints   = 188
	maxPoints   = 6888
	nameLetters = 3
)

// A Claim is a claimed bonus.
type Claim struct {
	Name   string
	Points int64
}

// Claims provides real claims.
type Claims interface {
	// Recent returns at most limit claims, latest first.
	Recent(ctx context.Context, merchantID int64, limit int) ([]Claim, error)
}

// claims returns real claims, even if there are few. If there is no source of claims, it returns simulated ones if
// Options.Simulated is set. It never mixes real and simulated claims.
func (s *Service) claims(ctx context.Context, merchantID int64) (source string, _ []Claim, err error) {
	switch {
	case s.o.Claims == nil && !s.o.Simulated:
		return sourceClaims, nil, nil
	case s.o.Claims == nil:
		return sourceSimulated, simulatedClaims(merchantID, s.o.Now()), nil
	}
	list, err := s.o.Claims.Recent(ctx, merchantID, claimCount)
	if err != nil {
		return "", nil, fmt.Errorf("read claims: %w", err)
	}
	masked := make([]Claim, 0, claimCount)
	for _, c := range list[:min(len(list), claimCount)] {
		masked = append(masked, Claim{Name: initials(c.Name), Points: c.Points})
	}
	return sourceClaims, masked, nil
}

// initials returns the first three letters or digits of a name. Only the member recognizes the name by them.
func initials(name string) string {
	var letters []rune
	for _, r := range name {
		if len(letters) < nameLetters && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			letters = append(letters, unicode.ToUpper(r))
		}
	}
	return string(letters)
}

// simulatedClaims returns claims that change every minute and are the same on all replicas. The names have no vowels, so
// that they cannot form offensive words.
func simulatedClaims(merchantID int64, now time.Time) []Claim {
	const letters = "BCDFGHJKLMNPQRSTVWXYZ"
	random := randomFor("claims", merchantID, now.UTC().Truncate(time.Minute))
	list := make([]Claim, claimCount)
	for i := range list {
		var name [nameLetters]byte
		for k := range name {
			name[k] = letters[random.IntN(len(letters))]
		}
		list[i] = Claim{Name: string(name[:]), Points: minPoints + random.Int64N(maxPoints-minPoints+1)}
	}
	return list
}

// randomFor returns a deterministic generator for displayed figures. Never use it for games.
func randomFor(purpose string, merchantID int64, period time.Time) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", purpose, merchantID)
	return rand.New(rand.NewPCG(h.Sum64(), uint64(db.Millis(period))))
}
