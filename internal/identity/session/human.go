package session

import (
	"context"
	"errors"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

// Captchas tells people from programs.
type Captchas interface {
	// CheckImage uses a picture up, whether the answer is right or wrong.
	CheckImage(ctx context.Context, cookie, answer string) error
	// CheckPass uses up what a slider challenge gave.
	CheckPass(ctx context.Context, network, challenge string) error
}

const (
	// suspicionFor is how long a failed login is remembered against its account and its network.
	suspicionFor = 15 * time.Minute
	// networkFactor lets a network fail ten times as often as an account, because many people share it.
	networkFactor = 10
)

// guard is what a login must do beside its proof to show that a person sends it. Whether there is such an account
// changes nothing about it.
type guard struct {
	slider  bool
	counted bool               // failures count towards the captcha
	captcha bool               // this login needs it
	buckets []ratelimit.Bucket // of failures: the account's, then the network's
	forgive int                // what a right login gives back to the account's
}

func (s *Service) guardOf(ctx context.Context, c Credentials, p proof) (guard, error) {
	slider, after, err := s.o.Settings.LoginChallenges(ctx, c.MerchantID)
	// Who logs in by a code has shown to be a person when it was sent.
	g := guard{slider: slider && !p.mobile, captcha: after == 0, counted: after > 0}
	if err != nil || !g.counted {
		return g, err
	}
	// A network that the account is known on is no exception: it would tell others there that the account exists, and a captcha
	// keeps nobody out.
	account := "session/captcha/account/" + p.name(c.MerchantID)
	every := suspicionFor / time.Duration(networkFactor*after)
	g.buckets = append([]ratelimit.Bucket{{Key: account, Limit: ratelimit.Limit{Burst: after, Every: suspicionFor}}},
		ratelimit.NetworkBuckets("session/captcha/network/", rest.NetworkOfAddress(c.Address), "", ratelimit.Limit{Burst: networkFactor * after, Every: every}, ratelimit.BlockFactor)...)
	for i, b := range g.buckets {
		room, err := s.o.Limiter.HasRoom(ctx, b.Key, b.Limit)
		if err != nil {
			return g, err
		}
		if !room {
			g.captcha = true
			if i == 0 {
				g.forgive = after
			}
		}
	}
	return g, nil
}

// forgiven is what a right login gives back: the failures before it were its owner's own, or are in vain.
func (g guard) forgiven() []ratelimit.Bucket {
	var all []ratelimit.Bucket
	for range g.forgive {
		all = append(all, g.buckets[0])
	}
	return all
}

// human refuses whoever has not shown to be a person, where that is asked for.
func (s *Service) human(ctx context.Context, c Credentials, g guard) error {
	if g.captcha {
		if err := s.o.Captchas.CheckImage(ctx, c.CaptchaCookie, c.Captcha); err != nil {
			return flagged(err)
		}
	}
	if !g.slider {
		return nil
	}
	err := s.o.Captchas.CheckPass(ctx, rest.NetworkOfAddress(c.Address), c.Challenge)
	if g.captcha {
		err = flagged(err)
	}
	return err
}

// failed counts a wrong proof, and says with it whether the next login needs the captcha.
func (s *Service) failed(ctx context.Context, g guard, why error) error {
	if g.captcha {
		why = flagged(why)
	}
	if !g.counted {
		return why
	}
	asked := false
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		asked = false
		for _, b := range g.buckets {
			err := s.o.Limiter.TakeIn(ctx, tx, b.Key, b.Limit)
			if err != nil && !errors.Is(err, ratelimit.ErrLimited) {
				return err
			}
		}
		for _, b := range g.buckets {
			room, err := s.o.Limiter.HasRoomIn(ctx, tx, b.Key, b.Limit)
			if err != nil {
				return err
			}
			asked = asked || !room
		}
		return nil
	})
	if err != nil {
		return err
	}
	if asked {
		why = flagged(why)
	}
	return why
}

// flagged tells the form to show the captcha.
func flagged(err error) error {
	var f *fault.Fault
	if errors.As(err, &f) {
		return f.With("captcha", true)
	}
	return err
}
