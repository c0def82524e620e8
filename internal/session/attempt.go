package session

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"fairground/internal/db"
	"fairground/internal/fault"
	"fairground/internal/rest"
)

// Wrong passwords are counted by who sends them: per network, and per network and account. What others do to an
// account must not keep its owner out, so the account's own limit is only a brake on guessing from many networks
// at once, and a network from which the account was lately opened is not held by it. An account that does not
// exist has its buckets as well, so that a limit tells nothing; a bucket fills again by itself.
var (
	networkLimit = rest.Rate{Burst: 30, Every: 6 * time.Second}
	guessLimit   = rest.Rate{Burst: 8, Every: 15 * time.Second}
	accountBrake = rest.Rate{Burst: 200, Every: 5 * time.Second}
)

// openLimit is on right passwords, per member: each costs a hash and a row.
var openLimit = rest.Rate{Burst: 60, Every: time.Second}

const (
	attemptKeys = 1 << 16
	// knownFor is how long a login makes its network known for the account.
	knownFor = 30 * 24 * time.Hour
)

// bucket is what an attempt counts against.
type bucket struct {
	key  string
	rate rest.Rate
}

// networkOf is what an address counts as. Over a unix socket there is none: all of those count as one.
func networkOf(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return "unknown"
	}
	return rest.Network(a).String()
}

// fold is the form under which an account's attempts are counted, whatever case was typed.
func fold(username string) string { return strings.ToLower(username) }

// verify checks the password within the limits. Only wrong passwords count against those of guessing, and attempts
// that were refused: those cost the network that made them.
func (s *Service) verify(ctx context.Context, c Credentials) (int64, error) {
	taken, err := s.admit(ctx, c)
	if err != nil {
		return 0, err
	}
	memberID, err := s.o.Members.Verify(ctx, c.MerchantID, c.Username, c.Password)
	if fault.KindOf(err) != fault.Unauth || err == nil {
		s.giveBack(taken)
	}
	if err != nil {
		return 0, err
	}
	return memberID, s.take(bucket{"open/" + text(memberID), openLimit})
}

// admit takes what a wrong password costs.
func (s *Service) admit(ctx context.Context, c Credentials) ([]bucket, error) {
	network, account := networkOf(c.Address), fmt.Sprintf("%d/%s", c.MerchantID, fold(c.Username))
	byNetwork := bucket{"network/" + network, networkLimit}
	byGuess := bucket{"guess/" + network + "/" + account, guessLimit}
	byAccount := bucket{"account/" + account, accountBrake}
	if err := s.take(byNetwork); err != nil {
		return nil, err
	}
	if err := s.take(byGuess); err != nil {
		return nil, err
	}
	limited := s.take(byAccount)
	if limited == nil {
		return []bucket{byNetwork, byGuess, byAccount}, nil
	}
	known, err := s.known(ctx, c, network)
	if err == nil && known {
		return []bucket{byNetwork, byGuess}, nil
	}
	s.giveBack([]bucket{byGuess}) // no password was looked at
	if err != nil {
		return nil, err
	}
	return nil, limited
}

func (s *Service) take(b bucket) error {
	if wait := s.attempts.Take(s.o.Now(), b.key, b.rate); wait > 0 {
		return rest.ErrRateLimited.With("seconds", int((wait+time.Second-1)/time.Second))
	}
	return nil
}

func (s *Service) giveBack(buckets []bucket) {
	for _, b := range buckets {
		s.attempts.Return(b.key, b.rate)
	}
}

// known tells whether the account was lately opened from this network.
func (s *Service) known(ctx context.Context, c Credentials, network string) (bool, error) {
	since := db.Millis(s.o.Now().Add(-knownFor))
	addresses, err := s.o.Store.Q().LoginAddresses(ctx, c.MerchantID, fold(c.Username), since)
	if err != nil {
		return false, fmt.Errorf("read where logins came from: %w", err)
	}
	for _, address := range addresses {
		if networkOf(address) == network {
			return true, nil
		}
	}
	return false, nil
}
