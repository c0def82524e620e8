package session

import (
	"context"
	"errors"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/humancheck"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

// Captchas checks captchas.
type Captchas interface {
	// CheckImage checks an answer and uses the image up, also if the answer is wrong.
	CheckImage(ctx context.Context, cookie, answer string) error
	// CheckPass checks a pass and uses it up.
	CheckChallenge(ctx context.Context, network, challenge string) error
	// CheckProof checks the proof of work, if the attempt requires one.
	CheckProof(ctx context.Context, a humancheck.Attempt) error
	CountFailure(ctx context.Context, a humancheck.Attempt) error
	// ForgetFailures resets the failures of the attempt's account.
	ForgetFailures(ctx context.Context, a humancheck.Attempt) error
}

const (
	// failureWindow is how long a failed login counts against its account.
	failureWindow = 15 * time.Minute
	// networkFactor multiplies the allowed failures of an account for a network, which many people may share.
	networkFactor = 10
)

// challenges are the captchas that a login requires. They do not depend on whether the account exists.
type challenges struct {
	slider        bool
	captcha       bool
	countFailures bool               // whether failures lead to a captcha
	buckets       []ratelimit.Bucket // of failures; the account's bucket comes first, then those of the network
	refundCount   int                // tokens that a successful login returns to the account's bucket
}

func (s *Service) requiredChallenges(ctx context.Context, c Credentials, p proof) (challenges, error) {
	slider, after, err := s.o.Settings.LoginChallenges(ctx, c.MerchantID)
	// A caller with a code passed the captcha when the code was sent.
	required := challenges{slider: slider && !p.mobile, captcha: after == 0, countFailures: after > 0}
	if err != nil || !required.countFailures {
		return required, err
	}
	// Networks that the account knows are not exempt, because that would reveal the account. A captcha does not lock members out.
	account := "session/captcha/account/" + p.accountKey(c.MerchantID)
	every := failureWindow / time.Duration(networkFactor*after)
	required.buckets = append([]ratelimit.Bucket{{Key: account, Limit: ratelimit.Limit{Burst: after, Every: failureWindow}}},
		ratelimit.NetworkBuckets("session/captcha/network/", rest.NetworkOfAddress(c.Address), "", ratelimit.Limit{Burst: networkFactor * after, Every: every}, ratelimit.BlockFactor)...)
	for i, b := range required.buckets {
		hasToken, err := s.o.Limiter.HasToken(ctx, b.Key, b.Limit)
		if err != nil {
			return required, err
		}
		if !hasToken {
			required.captcha = true
			if i == 0 {
				required.refundCount = after
			}
		}
	}
	return required, nil
}

// refunds returns the account's bucket once per failure that a successful login cancels.
func (c challenges) refunds() []ratelimit.Bucket {
	var buckets []ratelimit.Bucket
	for range c.refundCount {
		buckets = append(buckets, c.buckets[0])
	}
	return buckets
}

// attempt returns the login as the captcha package sees it.
func (c Credentials) attempt(p proof) humancheck.Attempt {
	return humancheck.Attempt{
		MerchantID: c.MerchantID, Purpose: humancheck.ForLogin, Network: rest.NetworkOfAddress(c.Address), Device: c.DeviceCookie,
		Account: p.loginName, Proof: c.ProofOfWork,
	}
}

func (s *Service) checkChallenges(ctx context.Context, c Credentials, required challenges) error {
	if required.captcha {
		if err := s.o.Captchas.CheckImage(ctx, c.CaptchaCookie, c.Captcha); err != nil {
			return withCaptchaHint(err)
		}
	}
	if !required.slider {
		return nil
	}
	err := s.o.Captchas.CheckChallenge(ctx, rest.NetworkOfAddress(c.Address), c.Challenge)
	if required.captcha {
		err = withCaptchaHint(err)
	}
	return err
}

// countFailure counts a wrong proof and returns failure, with the hint if the next login requires the captcha.
func (s *Service) countFailure(ctx context.Context, a humancheck.Attempt, required challenges, failure error) error {
	if err := s.o.Captchas.CountFailure(ctx, a); err != nil {
		return err
	}
	if required.captcha {
		failure = withCaptchaHint(failure)
	}
	if !required.countFailures {
		return failure
	}
	captchaNext := false
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		captchaNext = false
		for _, b := range required.buckets {
			err := s.o.Limiter.TakeIn(ctx, tx, b.Key, b.Limit)
			if err != nil && !errors.Is(err, ratelimit.ErrLimited) {
				return err
			}
		}
		for _, b := range required.buckets {
			hasToken, err := s.o.Limiter.HasTokenIn(ctx, tx, b.Key, b.Limit)
			if err != nil {
				return err
			}
			captchaNext = captchaNext || !hasToken
		}
		return nil
	})
	if err != nil {
		return err
	}
	if captchaNext {
		failure = withCaptchaHint(failure)
	}
	return failure
}

// withCaptchaHint adds the argument that makes the login form show the captcha.
func withCaptchaHint(err error) error {
	var f *fault.Fault
	if errors.As(err, &f) {
		return f.With("captcha", true)
	}
	return err
}
