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

// Limits of wrong credentials. Most of them count per network, so that other people cannot lock a member out. Attempts at accounts that do
// not exist count too, so that the limits do not reveal which accounts exist. A network is known to an account that recently logged in
// from it.
var (
	networkLimit  = ratelimit.Limit{Burst: 30, Every: 6 * time.Second}  // per network
	knownLimit    = ratelimit.Limit{Burst: 30, Every: 6 * time.Second}  // per network beyond networkLimit, for accounts that know the network
	guessLimit    = ratelimit.Limit{Burst: 8, Every: 15 * time.Second}  // per network and account
	externalLimit = ratelimit.Limit{Burst: 20, Every: 10 * time.Second} // per network, for tokens and tickets of external providers
	accountLimit  = ratelimit.Limit{Burst: 200, Every: 5 * time.Second} // per account, from networks that it does not know
)

// loginLimit limits successful logins per account, because each computes a password hash and stores a row.
var loginLimit = ratelimit.Limit{Burst: 60, Every: time.Second}

// checkGuessable checks a proof that can be guessed: a password or a code. Only wrong proofs count against the limits. Attempts that fail
// before the proof is checked do not count.
func (s *Service) checkGuessable(ctx context.Context, c Credentials, p proof) (authenticated, error) {
	loginKey := "session/open/" + p.accountKey(c.MerchantID)
	hasToken, err := s.o.Limiter.HasToken(ctx, loginKey, loginLimit)
	if err == nil && !hasToken {
		err = ratelimit.ErrLimited.With("seconds", int(loginLimit.Every.Seconds()))
	}
	if err != nil {
		return authenticated{}, err
	}
	required, err := s.requiredChallenges(ctx, c, p)
	if err != nil {
		return authenticated{}, err
	}
	attempt := c.attempt(p)
	// This comes before CheckImage, which uses the image up, and before the limits, whose fault would hide this one.
	if err := s.o.Captchas.CheckProof(ctx, attempt); err != nil {
		if required.captcha {
			err = withCaptchaHint(err)
		}
		return authenticated{}, err
	}
	taken, limited, err := s.takeLimits(ctx, c, p)
	if err != nil {
		if errors.Is(err, ratelimit.ErrLimited) && required.captcha && limited != nil {
			err = withCaptchaHint(err)
		}
		return authenticated{}, err
	}
	if err := s.checkChallenges(ctx, c, required); err != nil {
		if fault.KindOf(err) == fault.Refused { // a wrong captcha does not count against the account
			attempt.Account = ""
			if err := s.o.Captchas.CountFailure(ctx, attempt); err != nil {
				return authenticated{}, err
			}
		}
		if limited != nil {
			err = withCaptchaHint(limited)
		}
		return authenticated{}, s.refund(ctx, taken, err)
	}
	who, err := p.check(ctx)
	if isWrongProof(err) {
		if limited != nil {
			err = limited
		}
		return authenticated{}, s.countFailure(ctx, attempt, required, err)
	}
	if err == nil {
		taken = append(taken, required.refunds()...)
		if err := s.o.Captchas.ForgetFailures(ctx, attempt); err != nil {
			return authenticated{}, err
		}
	}
	if err == nil || fault.KindOf(err) == fault.Forbidden { // Forbidden: the proof was correct, but the account is closed
		if limited := s.o.Limiter.Take(ctx, loginKey, loginLimit); limited != nil {
			err = limited
		}
	}
	return who, s.refund(ctx, taken, err)
}

// checkExternal checks a token or ticket of an external provider. It cannot be guessed, but each check sends a request to the provider.
// So wrong ones are limited per network.
func (s *Service) checkExternal(ctx context.Context, c Credentials, p proof) (authenticated, error) {
	buckets := ratelimit.NetworkBuckets("session/elsewhere/", rest.NetworkOfAddress(c.Address), "", externalLimit, ratelimit.BlockFactor)
	if err := s.o.Limiter.TakeAll(ctx, buckets); err != nil {
		return authenticated{}, err
	}
	who, err := p.check(ctx)
	if isWrongProof(err) {
		return authenticated{}, err
	}
	return who, s.refund(ctx, buckets, err)
}

// isWrongProof reports whether err means that the proof was wrong. Otherwise the check itself failed.
func isWrongProof(err error) bool {
	if err == nil {
		return false
	}
	kind := fault.KindOf(err)
	return kind == fault.Unauth || kind == fault.Refused
}

// takeLimits takes one token from each bucket that a wrong proof counts against. It takes them in a fixed order to avoid deadlocks. If the
// network is over its limit but the account knows it, limited is the fault that other accounts get. A wrong proof must return limited,
// so that the response does not reveal whether the account knows the network.
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
		if p.mobile { // a code limits its own attempts, and other people's wrong codes must not lock out its owner
			return nil
		}
		if err := take(ratelimit.Bucket{Key: "session/account/" + account, Limit: accountLimit}); err != nil {
			return s.exemptIfKnown(ctx, tx, c, p, err)
		}
		return nil
	})
	return taken, limited, err
}

// maskLimit replaces a limit fault by the network's fault. Otherwise the fault would reveal that the account knows the network.
func maskLimit(err, limited error) error {
	if limited != nil && errors.Is(err, ratelimit.ErrLimited) {
		return limited
	}
	return err
}

// exemptIfKnown returns nil instead of a limit fault if the account knows the network.
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
