// Package captcha checks that a caller is human, by an image with digits or a sum, by a slider puzzle, or by Geetest. The client holds the
// answer in an encrypted token, which allows one attempt. The package also asks callers with recent failed attempts for a proof of work.
// It does not decide when an image or a slider is required.
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
	ErrSliderMissed      = fault.New(fault.Refused, "challenge.missed")
)

const (
	imageLifetime  = 5 * time.Minute
	sliderLifetime = time.Minute
	passLifetime   = 5 * time.Minute

	imagePurpose  = "captcha.image"
	sliderPurpose = "captcha.slider"
	passPurpose   = "captcha.pass"
)

// answerLimit limits slider answers per network across all replicas. A program that guesses needs about 20 attempts per success.
var answerLimit = ratelimit.Limit{Burst: 30, Every: 20 * time.Second}

func answerBuckets(network string) []ratelimit.Bucket {
	return ratelimit.NetworkBuckets("captcha/proof/", network, "", answerLimit, ratelimit.BlockFactor)
}

// Settings reads the merchant settings that this package needs.
type Settings interface {
	// CaptchaKind returns validation.CaptchaDigits or validation.CaptchaEquation.
	CaptchaKind(ctx context.Context, merchantID int64) (string, error)
	// ProofOfWork returns a validation.Work constant that says when proof of work is required, and the cost of the first level. Each
	// further level doubles the cost.
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

	GeetestID  string // empty for the built-in slider puzzle
	GeetestKey string
	GeetestURL string       // empty for the public Geetest endpoint
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

// Close stops the goroutine that generates puzzles.
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
	question, answer := newQuestion(kind)
	if cookie, err = s.o.Keys.Seal(imagePurpose, imageAnswer{answer}, imageLifetime); err != nil {
		return nil, "", err
	}
	png, err = drawText(newRNG(), question)
	return png, cookie, err
}

// CheckImage compares answer with the one in the encrypted cookie. Every image allows one answer, right or wrong.
func (s *Service) CheckImage(ctx context.Context, cookie, answer string) error {
	answer = validation.Trim(answer)
	if answer == "" || cookie == "" {
		return ErrRequired.On("captcha")
	}
	var want imageAnswer
	tokenInfo, err := s.o.Keys.Unseal(imagePurpose, cookie, &want)
	if errors.Is(err, secret.ErrInvalid) {
		return ErrIncorrect.On("captcha")
	}
	if err != nil {
		return err
	}
	firstUse, err := s.markUsed(ctx, imagePurpose, tokenInfo)
	if err != nil {
		return err
	}
	if !firstUse || subtle.ConstantTimeCompare([]byte(answer), []byte(want.Answer)) != 1 {
		return ErrIncorrect.On("captcha")
	}
	return nil
}

func (s *Service) markUsed(ctx context.Context, purpose string, tokenInfo secret.TokenInfo) (firstUse bool, err error) {
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		firstUse, err = s.o.Keys.Spend(ctx, tx.Q, purpose, tokenInfo.ID, tokenInfo.Expires)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("mark captcha token as used: %w", err)
	}
	return firstUse, nil
}

// A pass proves that a caller on Network solved the slider.
type pass struct {
	Network string `json:"n"`
}

// CheckChallenge checks the client's token: a slider pass or a Geetest result. A slider pass is valid once, for the network that solved
// the slider.
func (s *Service) CheckChallenge(ctx context.Context, network, challenge string) error {
	challenge = strings.TrimSpace(challenge)
	if challenge == "" {
		return ErrChallengeRequired.On("challenge")
	}
	if name, _ := s.Provider(); name == validation.SliderGeetest {
		return s.checkGeetest(ctx, challenge)
	}
	var got pass
	tokenInfo, err := s.o.Keys.Unseal(passPurpose, challenge, &got)
	if errors.Is(err, secret.ErrInvalid) {
		return ErrChallengeInvalid.On("challenge")
	}
	if err != nil {
		return err
	}
	if got.Network != network {
		return ErrChallengeInvalid.On("challenge")
	}
	firstUse, err := s.markUsed(ctx, passPurpose, tokenInfo)
	if err != nil {
		return err
	}
	if !firstUse {
		return ErrChallengeInvalid.On("challenge")
	}
	return nil
}
