// Package captcha tells people from programs: by digits or a sum in a picture, by a puzzle piece that is slid into its
// place, or by a provider's challenge. An answer is sealed into what the client holds, can be given once, right or wrong,
// and nothing is stored until it is given. It never decides where a proof is asked for.
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

// Faults of the proofs.
var (
	ErrRequired          = fault.New(fault.Invalid, "captcha.required")
	ErrIncorrect         = fault.New(fault.Refused, "captcha.incorrect")
	ErrChallengeRequired = fault.New(fault.Invalid, "challenge.required")
	ErrChallengeInvalid  = fault.New(fault.Refused, "challenge.invalid")
	ErrChallengeMissed   = fault.New(fault.Refused, "challenge.missed")
)

const (
	imageFor  = 5 * time.Minute
	sliderFor = time.Minute
	passFor   = 5 * time.Minute

	imagePurpose  = "captcha.image"
	sliderPurpose = "captcha.slider"
	passPurpose   = "captcha.pass"
)

// proofLimit is on answers to puzzles, per network and over all replicas: guessing one takes about twenty.
var proofLimit = ratelimit.Limit{Burst: 30, Every: 20 * time.Second}

func proofs(network string) []ratelimit.Bucket {
	return ratelimit.OfNetwork("captcha/proof/", network, "", proofLimit, ratelimit.BlockFactor)
}

// Settings is the part of the merchant's settings that captchas follow.
type Settings interface {
	// CaptchaKind is digits or equation.
	CaptchaKind(ctx context.Context, merchantID int64) (string, error)
}

// Options of the service.
type Options struct {
	Store    *db.Store
	Keys     *secret.Keys
	Limiter  *ratelimit.Stored
	Settings Settings
	Now      func() time.Time
	Patience time.Duration // with the drawing of a puzzle when all are given out; 0 means 2 s

	GeetestID  string // empty: the own puzzle
	GeetestKey string
	GeetestURL string       // empty: Geetest's own
	Client     *http.Client // to reach it
}

// Service makes and checks proofs.
type Service struct {
	o    Options
	pool *pool
}

// New makes the service. Puzzles are drawn ahead from the first request on, until Close.
func New(o Options) *Service {
	if o.GeetestURL == "" {
		o.GeetestURL = geetestURL
	}
	return &Service{o: o, pool: newPool(cmp.Or(o.Patience, patience))}
}

// Close stops drawing.
func (s *Service) Close() { s.pool.close() }

// Provider says whose slider is asked for, and under which id.
func (s *Service) Provider() (name, id string) {
	if s.o.GeetestID != "" {
		return validation.SliderGeetest, s.o.GeetestID
	}
	return validation.SliderOwn, ""
}

// imageAnswer stands sealed in the captcha cookie.
type imageAnswer struct {
	Answer string `json:"a"`
}

// image draws a picture and seals its answer.
func (s *Service) image(ctx context.Context, merchantID int64) (png []byte, cookie string, err error) {
	kind, err := s.o.Settings.CaptchaKind(ctx, merchantID)
	if err != nil {
		return nil, "", err
	}
	shown, answer := question(kind)
	if cookie, err = s.o.Keys.Seal(imagePurpose, imageAnswer{answer}, imageFor); err != nil {
		return nil, "", err
	}
	png, err = drawText(shown)
	return png, cookie, err
}

// CheckImage compares an answer with the picture of the cookie. The picture is used up by it, whatever the answer.
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

func (s *Service) spend(ctx context.Context, purpose string, mark secret.Mark) (first bool, err error) {
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		first, err = s.o.Keys.Spend(ctx, tx.Q, purpose, mark.ID, mark.Expires)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("use up a proof: %w", err)
	}
	return first, nil
}

// The ways to a pass.
const (
	bySlider = "slider"
	byImage  = "image"
)

// pass says that someone at a network has proved to be a person.
type pass struct {
	Network string `json:"n"`
	Way     string `json:"w"`
}

func (s *Service) grant(network, way string) (string, error) {
	return s.o.Keys.Seal(passPurpose, pass{Network: network, Way: way}, passFor)
}

// CheckPass takes the challenge of a login or a registration: a pass of ours, or what the provider gave. It is
// good once, and for the network that earned it. Where the provider is used, of our own passes only those of
// the picture count: the way of those who cannot use a slider.
func (s *Service) CheckPass(ctx context.Context, network, challenge string) error {
	challenge = strings.TrimSpace(challenge)
	if challenge == "" {
		return ErrChallengeRequired.On("challenge")
	}
	name, _ := s.Provider()
	if name == validation.SliderGeetest && strings.HasPrefix(challenge, "{") {
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
	if got.Network != network || name == validation.SliderGeetest && got.Way != byImage {
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
