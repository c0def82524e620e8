// Package captcha checks that a caller is human: by digits or a sum in an image, a slider puzzle, or Geetest. The answer is sealed
// in a token that the client holds and that accepts one attempt. It also requires a proof of work from callers with failures. The
// package does not decide when an image or a slider is required.
package captcha

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/validation"
)

// Errors of captchas and challenges.
var (
	ErrRequired          = fault.New(fault.Invalid, "captcha.required")
	ErrIncorrect         = fault.New(fault.Refused, "captcha.incorrect")
	ErrChallengeRequired = fault.New(fault.Invalid, "challenge.required")
	ErrChallengeInvalid  = fault.New(fault.Refused, "challenge.invalid")
	ErrChallengeMissed   = fault.New(fault.Refused, "challenge.missed")
)

const (
	imageLifetime  = 5 * time.Minute
	sliderLifetime = time.Minute
	passLifetime   = 5 * time.Minute

	imagePurpose  = "captcha.image"
	sliderPurpose = "captcha.slider"
	passPurpose   = "captcha.pass"
)

// proofLimit limits answers per network across all replicas. A program that guesses needs about 20 attempts per success.
var proofLimit = ratelimit.Limit{Burst: 30, Every: 20 * time.Second}

func proofBuckets(network string) []ratelimit.Bucket {
	return ratelimit.NetworkBuckets("captcha/proof/", network, "", proofLimit, ratelimit.BlockFactor)
}

// Settings reads the merchant settings that this package needs.
type Settings interface {
	// CaptchaKind returns validation.CaptchaDigits or validation.CaptchaEquation.
	CaptchaKind(ctx context.Context, merchantID int64) (string, error)
	// ProofOfWork returns when a proof of work is required, one of the validation.Work constants, and the cost of the first level.
	ProofOfWork(ctx context.Context, merchantID int64) (when string, cost int, err error)
}

// Options configures New.
type Options struct {
	Store         *db.Store
	Keys          *secret.Keys
	Limiter       *ratelimit.Stored
	Settings      Settings
	Now           func() time.Time
	PuzzleTimeout time.Duration // maximum wait for a puzzle when the pool is empty; 0 means 2 s

	GeetestID  string // empty: use the built-in slider puzzle
	GeetestKey string
	GeetestURL string       // empty: the public Geetest endpoint
	Client     *http.Client // for Geetest requests
}

// A Service issues and checks captchas.
type Service struct {
	o    Options
	pool *pool
}

// New returns a Service. The first slider request starts a goroutine that Close stops.
func New(o Options) *Service {
	if o.GeetestURL == "" {
		o.GeetestURL = geetestURL
	}
	return &Service{o: o, pool: newPool(cmp.Or(o.PuzzleTimeout, puzzleTimeout))}
}

// Close stops the drawing of puzzles.
func (s *Service) Close() { s.pool.close() }

// Provider returns the slider provider and its client id. The built-in slider has no id.
func (s *Service) Provider() (name, id string) {
	if s.o.GeetestID != "" {
		return validation.SliderGeetest, s.o.GeetestID
	}
	return validation.SliderOwn, ""
}

type imageAnswer struct {
	Answer string `json:"a"`
}

func (s *Service) issueImage(ctx context.Context, merchantID int64) (png []byte, cookie string, err error) {
	kind, err := s.o.Settings.CaptchaKind(ctx, merchantID)
	if err != nil {
		return nil, "", err
	}
	shown, answer := newQuestion(kind)
	if cookie, err = s.o.Keys.Seal(imagePurpose, imageAnswer{answer}, imageLifetime); err != nil {
		return nil, "", err
	}
	png, err = drawText(kind, shown)
	return png, cookie, err
}

// CheckImage compares answer with the one sealed in cookie. Any answer, right or wrong, uses the image up.
func (s *Service) CheckImage(ctx context.Context, cookie, answer string) error {
	answer = validation.Trim(answer)
	if answer == "" || cookie == "" {
		return ErrRequired.On("captcha")
	}
	var want imageAnswer
	mark, err := s.o.Keys.Unseal(imagePurpose, cookie, &want)
	if errors.Is(err, secret.ErrStale) {
		return ErrIncorrect.On("captcha")
	}
	if err != nil {
		return err
	}
	first, err := s.spend(ctx, imagePurpose, mark)
	if err != nil {
		return err
	}
	if !first || subtle.ConstantTimeCompare([]byte(answer), []byte(want.Answer)) != 1 {
		return ErrIncorrect.On("captcha")
	}
	return nil
}

func (s *Service) spend(ctx context.Context, purpose string, mark secret.TokenInfo) (first bool, err error) {
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		first, err = s.o.Keys.Spend(ctx, tx.Q, purpose, mark.ID, mark.Expires)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("spend captcha token: %w", err)
	}
	return first, nil
}

// A pass proves that a caller on Network solved the slider.
type pass struct {
	Network string `json:"n"`
}

// CheckPass checks a challenge: a pass of the slider, valid once and for the network that earned it, or a Geetest proof.
func (s *Service) CheckPass(ctx context.Context, network, challenge string) error {
	challenge = strings.TrimSpace(challenge)
	if challenge == "" {
		return ErrChallengeRequired.On("challenge")
	}
	if name, _ := s.Provider(); name == validation.SliderGeetest {
		return s.checkGeetest(ctx, challenge)
	}
	var got pass
	mark, err := s.o.Keys.Unseal(passPurpose, challenge, &got)
	if errors.Is(err, secret.ErrStale) {
		return ErrChallengeInvalid.On("challenge")
	}
	if err != nil {
		return err
	}
	if got.Network != network {
		return ErrChallengeInvalid.On("challenge")
	}
	first, err := s.spend(ctx, passPurpose, mark)
	if err != nil {
		return err
	}
	if !first {
		return ErrChallengeInvalid.On("challenge")
	}
	return nil
}
