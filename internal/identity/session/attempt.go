package session

import (
	"context"
	"errors"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

// Wrong proofs are counted by who sends them, so that what others do to an account, or from the same address, keeps no owner out. Unknown
// accounts are counted alike, or a limit would tell which exist.
var (
	networkLimit  = ratelimit.Limit{Burst: 30, Every: 6 * time.Second}  // of a network, and of the site around it
	knownLimit    = ratelimit.Limit{Burst: 30, Every: 6 * time.Second}  // of a network that has used that up, at accounts lately opened from it
	guessLimit    = ratelimit.Limit{Burst: 8, Every: 15 * time.Second}  // of a network at one account
	externalLimit = ratelimit.Limit{Burst: 20, Every: 10 * time.Second} // of a network, by accounts elsewhere
	accountBrake  = ratelimit.Limit{Burst: 200, Every: 5 * time.Second} // at one account, from networks that it was not lately opened from
)

// openLimit is on right passwords, per account: each costs a hash and a row, and without room for another none is looked at.
var openLimit = ratelimit.Limit{Burst: 60, Every: time.Second}

// attempt lets somebody try a proof that can be guessed, within the limits. Only wrong ones count against those: an
// attempt that was refused before the proof was looked at takes nothing.
func (s *Service) attempt(ctx context.Context, c Credentials, p proof) (proved, error) {
	opened := "session/open/" + p.name(c.MerchantID)
	room, err := s.o.Limiter.HasRoom(ctx, opened, openLimit)
	if err == nil && !room {
		err = ratelimit.ErrLimited.With("seconds", int(openLimit.Every.Seconds()))
	}
	if err != nil {
		return proved{}, err
	}
	guard, err := s.guardOf(ctx, c, p)
	if err != nil {
		return proved{}, err
	}
	taken, limited, err := s.admit(ctx, c, p)
	if err != nil {
		if errors.Is(err, ratelimit.ErrLimited) && guard.captcha && limited != nil {
			err = flagged(err)
		}
		return proved{}, err
	}
	if err := s.human(ctx, c, guard); err != nil {
		if limited != nil {
			err = flagged(limited)
		}
		return proved{}, s.giveBack(ctx, taken, err)
	}
	who, err := p.check(ctx)
	if wrong(err) {
		if limited != nil {
			err = limited
		}
		return proved{}, s.failed(ctx, guard, err)
	}
	if err == nil {
		taken = append(taken, guard.forgiven()...)
	}
	if err == nil || fault.KindOf(err) == fault.Forbidden { // of a closed account it is said only after a right proof
		if limited := s.o.Limiter.Take(ctx, opened, openLimit); limited != nil {
			err = limited
		}
	}
	return who, s.giveBack(ctx, taken, err)
}

// vouched takes a proof that cannot be guessed. Looking at one costs us, and another service, and so wrong ones count by
// network.
func (s *Service) vouched(ctx context.Context, c Credentials, p proof) (proved, error) {
	buckets := ratelimit.NetworkBuckets("session/elsewhere/", rest.NetworkOfAddress(c.Address), "", externalLimit, ratelimit.BlockFactor)
	if err := s.o.Limiter.TakeAll(ctx, buckets); err != nil {
		return proved{}, err
	}
	who, err := p.check(ctx)
	if wrong(err) {
		return proved{}, err
	}
	return who, s.giveBack(ctx, buckets, err)
}

// wrong tells a proof that was looked at and found wrong from whatever else went wrong.
func wrong(err error) bool {
	if err == nil {
		return false
	}
	kind := fault.KindOf(err)
	return kind == fault.Unauth || kind == fault.Refused
}

// admit takes what a wrong guess costs, or nothing; the buckets are locked in one order, so that attempts never wait in a circle.
// Where an account is excused, limited is what everybody else is told, and so is a wrong guess: an excuse must not tell that it is known.
func (s *Service) admit(ctx context.Context, c Credentials, p proof) (taken []ratelimit.Bucket, limited, err error) {
	network, account := rest.NetworkOfAddress(c.Address), p.name(c.MerchantID)
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		taken, limited = nil, nil
		try := func(buckets ...ratelimit.Bucket) error {
			for _, b := range buckets {
				if err := s.o.Limiter.TakeIn(ctx, tx, b.Key, b.Limit); err != nil {
					return err
				}
				taken = append(taken, b)
			}
			return nil
		}
		if err := try(ratelimit.NetworkBuckets("session/network/", network, "", networkLimit, ratelimit.BlockFactor)...); err != nil {
			limited = err
			if err := s.excused(ctx, tx, c, p, err); err != nil {
				return err
			}
			if err := try(ratelimit.Bucket{Key: "session/known/" + network, Limit: knownLimit}); err != nil {
				return asLimited(err, limited)
			}
		}
		if err := try(ratelimit.Bucket{Key: "session/guess/" + network + "/" + account, Limit: guessLimit}); err != nil {
			return asLimited(err, limited)
		}
		if err := try(ratelimit.Bucket{Key: "session/account/" + account, Limit: accountBrake}); err != nil {
			return s.excused(ctx, tx, c, p, err)
		}
		return nil
	})
	return taken, limited, err
}

// asLimited says of a limit that only known accounts meet what is said of the network's.
func asLimited(err, limited error) error {
	if limited != nil && errors.Is(err, ratelimit.ErrLimited) {
		return limited
	}
	return err
}

// excused lets pass what a limit held that is for strangers, where the account is known on this network.
func (s *Service) excused(ctx context.Context, tx *db.Tx, c Credentials, p proof, limited error) error {
	if !errors.Is(limited, ratelimit.ErrLimited) {
		return limited
	}
	known, err := s.known(ctx, tx, c, p)
	if err == nil && !known {
		err = limited
	}
	return err
}

// giveBack returns what was taken for nothing. It gives why, whatever comes of that: a bucket fills by itself.
func (s *Service) giveBack(ctx context.Context, buckets []ratelimit.Bucket, why error) error {
	if err := s.o.Limiter.ReturnAll(ctx, buckets); err != nil {
		s.o.Log.WarnContext(ctx, "give back what a login took from its limits", "error", err)
	}
	return why
}

// known tells whether the account was lately opened from this network.
func (s *Service) known(ctx context.Context, tx *db.Tx, c Credentials, p proof) (bool, error) {
	network := rest.NetworkOfAddress(c.Address)
	if p.mobile {
		return s.logins.NetworkKnownIn(ctx, tx, notify.Subject{MerchantID: c.MerchantID, Channel: notify.SMS, Target: p.loginName}, network)
	}
	return s.logins.isKnown(network, func(since int64) ([]string, error) { return tx.Q.LoginAddresses(ctx, c.MerchantID, p.loginName, since) })
}
