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
// account, or from behind the same address, must not keep its owner out. So the account's own limit is only a brake
// on guessing from many networks at once, and an account that was lately opened from this network is held by neither:
// where the network's bucket is empty, such accounts share another, which strangers cannot empty. An account that
// does not exist has its buckets as well, so that a limit tells nothing; a bucket fills again by itself.
var (
	networkLimit = rest.Rate{Burst: 30, Every: 6 * time.Second}
	knownLimit   = rest.Rate{Burst: 30, Every: 6 * time.Second}
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

// verify checks the password within the limits. Only wrong passwords count against those of guessing: an attempt that
// a limit refused looked at no password and takes nothing from the others.
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

// admit takes what a wrong password costs, or nothing.
func (s *Service) admit(ctx context.Context, c Credentials) (taken []bucket, err error) {
	network, account := networkOf(c.Address), fmt.Sprintf("%d/%s", c.MerchantID, fold(c.Username))
	defer func() {
		if err != nil {
			s.giveBack(taken)
			taken = nil
		}
	}()
	try := func(b bucket) error {
		err := s.take(b)
		if err == nil {
			taken = append(taken, b)
		}
		return err
	}
	if limited := try(bucket{"network/" + network, networkLimit}); limited != nil {
		if err := s.excused(ctx, c, network, limited); err != nil {
			return taken, err
		}
		if err := try(bucket{"known/" + network, knownLimit}); err != nil {
			return taken, err
		}
	}
	if err := try(bucket{"guess/" + network + "/" + account, guessLimit}); err != nil {
		return taken, err
	}
	if limited := try(bucket{"account/" + account, accountBrake}); limited != nil {
		return taken, s.excused(ctx, c, network, limited)
	}
	return taken, nil
}

// excused lets pass what a limit held that is for strangers, where the account is known on this network.
func (s *Service) excused(ctx context.Context, c Credentials, network string, limited error) error {
	known, err := s.known(ctx, c, network)
	if err == nil && !known {
		err = limited
	}
	return err
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
