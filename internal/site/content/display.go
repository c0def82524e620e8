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

// Where a figure on show comes from. A simulated one is shown with a caption that says so, in every language.
const (
	fromPool   = "pool"
	fromClaims = "claims"
	simulated  = "simulated"
)

// What a simulated jackpot is between, as the specification has it, and how often it grows.
const (
	leastJackpot = 3_620_281_923
	mostJackpot  = 7_809_521_168
	tick         = 200 * time.Millisecond
	mostPerTick  = 97
)

// Jackpot is a pool that grows: what is in it now, what it began with, and what is added with every tick.
type Jackpot struct {
	Amount, Start, PerTick int64       // minor units
	Currency               string      // empty: the merchant's
	Games                  []PlayedFor // that can win it; none where it is simulated
}

// PlayedFor is a kind of games that can win a jackpot.
type PlayedFor struct {
	Category string
	Vendors  []string // codes
}

// Pool is the jackpot that is really played for in a currency, the merchant's where none is named. ok is false where a merchant has none.
type Pool interface {
	Jackpot(ctx context.Context, merchantID int64, currency string) (_ Jackpot, ok bool, err error)
}

// jackpot gives the real pool of a currency, else a simulated one.
func (s *Service) jackpot(ctx context.Context, merchantID int64, currency string) (source string, _ Jackpot, err error) {
	if s.o.Pool != nil {
		j, ok, err := s.o.Pool.Jackpot(ctx, merchantID, currency)
		if err != nil {
			return "", Jackpot{}, fmt.Errorf("read the jackpot: %w", err)
		}
		if ok {
			return fromPool, j, nil
		}
	}
	return simulated, simulatedJackpot(merchantID, s.o.Now()), nil
}

// simulatedJackpot begins anew every day and stays within its bounds all day long. It follows from the merchant and the
// time alone, so that all replicas show the same and a reload does not start it over.
func simulatedJackpot(merchantID int64, now time.Time) Jackpot {
	day := now.UTC().Truncate(24 * time.Hour)
	dice := diceOf("jackpot", merchantID, day)
	j := Jackpot{PerTick: 1 + dice.Int64N(mostPerTick)}
	grows := int64(24*time.Hour/tick) * j.PerTick
	j.Start = leastJackpot + dice.Int64N(mostJackpot-leastJackpot-grows)
	j.Amount = j.Start + int64(now.Sub(day)/tick)*j.PerTick
	return j
}

// What simulated claims are, as the specification has it.
const (
	claimsShown = 10
	leastPoints = 188
	mostPoints  = 6888
	nameLetters = 3
)

// Claim is a bonus that somebody took. Of the name only three letters are shown.
type Claim struct {
	Name   string
	Points int64
}

// Claims are those that members have really made, the last one first.
type Claims interface {
	Recent(ctx context.Context, merchantID int64, most int) ([]Claim, error)
}

// claims gives real claims, however few, else simulated ones. They are never mixed.
func (s *Service) claims(ctx context.Context, merchantID int64) (source string, _ []Claim, err error) {
	if s.o.Claims == nil {
		return simulated, simulatedClaims(merchantID, s.o.Now()), nil
	}
	list, err := s.o.Claims.Recent(ctx, merchantID, claimsShown)
	if err != nil {
		return "", nil, fmt.Errorf("read claims: %w", err)
	}
	short := make([]Claim, 0, claimsShown)
	for _, c := range list[:min(len(list), claimsShown)] {
		short = append(short, Claim{Name: initials(c.Name), Points: c.Points})
	}
	return fromClaims, short, nil
}

// initials are a name's first three letters or digits: enough for whoever it is, too little for others.
func initials(name string) string {
	var kept []rune
	for _, r := range name {
		if len(kept) < nameLetters && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			kept = append(kept, unicode.ToUpper(r))
		}
	}
	return string(kept)
}

// simulatedClaims are others every minute, the same on all replicas. Without vowels no three letters make a word that
// somebody would mind.
func simulatedClaims(merchantID int64, now time.Time) []Claim {
	const letters = "BCDFGHJKLMNPQRSTVWXYZ"
	dice := diceOf("claims", merchantID, now.UTC().Truncate(time.Minute))
	list := make([]Claim, claimsShown)
	for i := range list {
		var name [nameLetters]byte
		for at := range name {
			name[at] = letters[dice.IntN(len(letters))]
		}
		list[i] = Claim{Name: string(name[:]), Points: leastPoints + dice.Int64N(mostPoints-leastPoints+1)}
	}
	return list
}

// diceOf gives numbers that follow from what they are for. They decide nothing that anybody plays for.
func diceOf(what string, merchantID int64, at time.Time) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", what, merchantID)
	return rand.New(rand.NewPCG(h.Sum64(), uint64(db.Millis(at))))
}
