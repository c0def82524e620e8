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

// Limits of wrong credentials. They count per sender, so that other people cannot lock a member out. Unknown accounts count too, so
// that the limits do not reveal which accounts exist. A network is known for an account that recently logged in from it.
var (
	networkLimit  = ratelimit.Limit{Burst: 30, Every: 6 * time.Second}  // per network
	knownLimit    = ratelimit.Limit{Burst: 30, Every: 6 * time.Second}  // per network above networkLimit, for accounts known there
	guessLimit    = ratelimit.Limit{Burst: 8, Every: 15 * time.Second}  // per network and account
	externalLimit = ratelimit.Limit{Burst: 20, Every: 10 * time.Second} // per network, for external proofs
	accountLimit  = ratelimit.Limit{Burst: 200, Every: 5 * time.Second} // per account, from networks not known for it
)

// loginLimit limits successful logins per account, because each costs a password hash and a row.
var loginLimit = ratelimit.Limit{Burst: 60, Every: time.Second}

// checkGuessable checks a proof that can be guessed: a password or a code. Only wrong proofs count against the limits; an attempt
// that is refused before the check does not.
func (s *Service) checkGuessable(ctx context.Context, c Credentials, p proof) (proved, error) {
	loginKey := "session/open/" + p.accountKey(c.MerchantID)
	hasRoom, err := s.o.Limiter.HasRoom(ctx, loginKey, loginLimit)
	if err == nil && !hasRoom {
		err = ratelimit.ErrLimited.With("seconds", int(loginLimit.Every.Seconds()))
	}
	if err != nil {
		return proved{}, err
	}
	required, err := s.requiredChallenges(ctx, c, p)
	if err != nil {
		return proved{}, err
	}
	attempt := c.attempt(p)
	// Before the image, which the check would use up, and before the limits, which would hide this fault.
	if err := s.o.Captchas.CheckProof(ctx, attempt); err != nil {
		if required.captcha {
			err = withCaptchaHint(err)
		}
		return proved{}, err
	}
	taken, limited, err := s.takeLimits(ctx, c, p)
	if err != nil {
		if errors.Is(err, ratelimit.ErrLimited) && required.captcha && limited != nil {
			err = withCaptchaHint(err)
		}
		return proved{}, err
	}
	if err := s.checkChallenges(ctx, c, required); err != nil {
		if fault.KindOf(err) == fault.Refused { // a wrong answer says nothing about the account
			attempt.Account = ""
			if err := s.o.Captchas.CountFailure(ctx, attempt); err != nil {
				return proved{}, err
			}
		}
		if limited != nil {
			err = withCaptchaHint(limited)
		}
		return proved{}, s.refund(ctx, taken, err)
	}
	who, err := p.check(ctx)
	if isWrongProof(err) {
		if limited != nil {
			err = limited
		}
		return proved{}, s.countFailure(ctx, attempt, required, err)
	}
	if err == nil {
		taken = append(taken, required.refunds()...)
		if err := s.o.Captchas.ForgetFailures(ctx, attempt); err != nil {
			return proved{}, err
		}
	}
	if err == nil || fault.KindOf(err) == fault.Forbidden { // Forbidden: the proof was right, but the account is closed
		if limited := s.o.Limiter.Take(ctx, loginKey, loginLimit); limited != nil {
			err = limited
		}
	}
	return who, s.refund(ctx, taken, err)
}

// checkExternal checks a proof of another service. It cannot be guessed, but each check costs a request, so wrong proofs are limited
// per network.
func (s *Service) checkExternal(ctx context.Context, c Credentials, p proof) (proved, error) {
	buckets := ratelimit.NetworkBuckets("session/elsewhere/", rest.NetworkOfAddress(c.Address), "", externalLimit, ratelimit.BlockFactor)
	if err := s.o.Limiter.TakeAll(ctx, buckets); err != nil {
		return proved{}, err
	}
	who, err := p.check(ctx)
	if isWrongProof(err) {
		return proved{}, err
	}
	return who, s.refund(ctx, buckets, err)
}

// isWrongProof reports whether err is the result of a wrong proof, as opposed to a failed check.
func isWrongProof(err error) bool {
	if err == nil {
		return false
	}
	kind := fault.KindOf(err)
	return kind == fault.Unauth || kind == fault.Refused
}

// takeLimits takes one token from each bucket that a wrong proof counts in, in a fixed order to avoid deadlocks. If the network is
// over its limit but known for the account, limited is the fault of unknown accounts. Wrong proofs must return it too, so that the
// response does not reveal whether the network is known.
func (s *Service) takeLimits(ctx context.Context, c Credentials, p proof) (taken []ratelimit.Bucket, limited, err error) {
	network, account := rest.NetworkOfAddress(c.Address), p.accountKey(c.MerchantID)
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		taken, limited = nil, nil
		take := func(buckets ...ratelimit.Bucket) error {
			for _, b := range buckets {
				if err := s.o.Limiter.TakeIn(ctx, tx, b.Key, b.Limit); err != nil {
					return err
				}
				taken = append(taken, b)
			}
			return nil
		}
		if err := take(ratelimit.NetworkBuckets("session/network/", network, "", networkLimit, ratelimit.BlockFactor)...); err != nil {
			limited = err
			if err := s.exemptIfKnown(ctx, tx, c, p, err); err != nil {
				return err
			}
			if err := take(ratelimit.Bucket{Key: "session/known/" + network, Limit: knownLimit}); err != nil {
				return maskLimit(err, limited)
			}
		}
		if err := take(ratelimit.Bucket{Key: "session/guess/" + network + "/" + account, Limit: guessLimit}); err != nil {
			return maskLimit(err, limited)
		}
		if p.mobile { // each code has its own attempts, and other people's wrong codes must not keep its owner out
			return nil
		}
		if err := take(ratelimit.Bucket{Key: "session/account/" + account, Limit: accountLimit}); err != nil {
			return s.exemptIfKnown(ctx, tx, c, p, err)
		}
		return nil
	})
	return taken, limited, err
}

// maskLimit replaces a limit fault that only known accounts can reach by the fault of the network.
func maskLimit(err, limited error) error {
	if limited != nil && errors.Is(err, ratelimit.ErrLimited) {
		return limited
	}
	return err
}

// exemptIfKnown returns nil instead of a limit fault if the network is known for the account.
func (s *Service) exemptIfKnown(ctx context.Context, tx *db.Tx, c Credentials, p proof, limited error) error {
	if !errors.Is(limited, ratelimit.ErrLimited) {
		return limited
	}
	known, err := s.isNetworkKnown(ctx, tx, c, p)
	if err == nil && !known {
		err = limited
	}
	return err
}

// refund returns tokens to buckets and then returns result. It only logs a failure, because buckets refill over time.
func (s *Service) refund(ctx context.Context, buckets []ratelimit.Bucket, result error) error {
	if err := s.o.Limiter.ReturnAll(ctx, buckets); err != nil {
		s.o.Log.WarnContext(ctx, "refund login limits", "error", err)
	}
	return result
}

func (s *Service) isNetworkKnown(ctx context.Context, tx *db.Tx, c Credentials, p proof) (bool, error) {
	network := rest.NetworkOfAddress(c.Address)
	if p.mobile {
		return s.logins.NetworkKnownIn(ctx, tx, notify.Subject{MerchantID: c.MerchantID, Channel: notify.SMS, Target: p.loginName}, network)
	}
	return s.logins.isKnown(network, func(since int64) ([]string, error) { return tx.Q.LoginAddresses(ctx, c.MerchantID, p.loginName, since) })
}
