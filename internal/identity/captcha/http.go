package captcha

import (
	"context"
	"encoding/base64"
	"net/http"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// cookieName is the cookie that holds the sealed answer of an image.
const cookieName = "captcha"

type slider struct {
	ID          string `json:"id"`
	Background  string `json:"background" doc:"Image as a data URL."`
	Piece       string `json:"piece" doc:"Image as a data URL."`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	PieceWidth  int    `json:"pieceWidth"`
	PieceHeight int    `json:"pieceHeight"`
	PieceY      int    `json:"pieceY" doc:"Distance of the piece from the top of the background, in pixels."`
	ExpiresIn   int    `json:"expiresIn" doc:"Seconds."`
}

type slideInput struct {
	Body struct {
		ID string  `json:"id" minLength:"1" maxLength:"1024"`
		X  float64 `json:"x" minimum:"0" maximum:"1000" doc:"Distance of the piece from the left edge of the background, in pixels."`
	}
}

type codeInput struct {
	Cookie string `cookie:"captcha"`
	Body   struct {
		Captcha string `json:"captcha" maxLength:"256"`
	}
}

type passGrant struct {
	Pass      string `json:"pass" doc:"Send it once, as challenge of a login or a registration."`
	ExpiresIn int    `json:"expiresIn" doc:"Seconds."`
}

// The merchant's switches for images, and for passes earned by an image.
const (
	imageModule = spec.ModuleCaptcha
	codeModule  = spec.ModuleValidCaptcha
)

// Routes registers the captcha endpoints.
func Routes(a *rest.API, s *Service) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/captcha", ID: "captcha", Tag: "captcha",
		Summary: "Get a captcha image; the cookie of the response identifies it", Access: rest.Public,
		Module: imageModule, Rate: &ratelimit.Limit{Burst: 20, Every: 2 * time.Second},
	}, s.getImage)
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/captcha/slider", ID: "captchaSlider", Tag: "captcha",
		Summary: "Get a slider puzzle", Access: rest.Public,
		Rate: &ratelimit.Limit{Burst: 20, Every: 2 * time.Second}, Faults: []*fault.Fault{rest.ErrDenied},
	}, s.getSlider)
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/captcha/slider", ID: "captchaSlide", Tag: "captcha",
		Summary: "Answer a slider puzzle; each puzzle accepts one answer", Access: rest.Public,
		Rate:   &ratelimit.Limit{Burst: 20, Every: 2 * time.Second},
		Faults: []*fault.Fault{ErrChallengeMissed, ErrChallengeInvalid, rest.ErrDenied},
	}, s.postSlider)
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/captcha/code", ID: "captchaCode", Tag: "captcha",
		Summary: "Exchange the answer of a captcha image for a pass; for people who cannot use the slider", Access: rest.Public,
		Module: codeModule, Rate: &ratelimit.Limit{Burst: 20, Every: 2 * time.Second},
		Faults: []*fault.Fault{ErrRequired, ErrIncorrect},
	}, s.postCode)
}

func (s *Service) getImage(ctx context.Context, _ *struct{}) (string, error) {
	png, sealed, err := s.issueImage(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return "", err
	}
	rest.SetCookie(ctx, &http.Cookie{
		Name: cookieName, Value: sealed, Path: "/wps", MaxAge: int(imageLifetime.Seconds()),
		SameSite: http.SameSiteStrictMode, HttpOnly: true, Secure: true,
	})
	return dataURL("image/png", png), nil
}

func dataURL(kind string, data []byte) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
}

func (s *Service) getSlider(ctx context.Context, _ *struct{}) (slider, error) {
	if name, _ := s.Provider(); name != validation.SliderOwn {
		return slider{}, rest.ErrDenied
	}
	p, id, err := s.issuePuzzle(ctx, rest.NetworkOf(ctx))
	if err != nil {
		return slider{}, err
	}
	return slider{
		ID: id, Background: dataURL("image/jpeg", p.background), Piece: dataURL("image/png", p.piece),
		Width: puzzleWidth, Height: puzzleHeight, PieceWidth: pieceSize, PieceHeight: pieceSize, PieceY: p.y,
		ExpiresIn: int(sliderLifetime.Seconds()),
	}, nil
}

func (s *Service) postSlider(ctx context.Context, in *slideInput) (passGrant, error) {
	if name, _ := s.Provider(); name != validation.SliderOwn {
		return passGrant{}, rest.ErrDenied
	}
	p, err := s.checkSlide(ctx, rest.NetworkOf(ctx), in.Body.ID, in.Body.X)
	return passGrant{Pass: p, ExpiresIn: int(passLifetime.Seconds())}, err
}

func (s *Service) postCode(ctx context.Context, in *codeInput) (passGrant, error) {
	if err := s.o.Limiter.TakeAll(ctx, proofBuckets(rest.NetworkOf(ctx))); err != nil {
		return passGrant{}, err
	}
	if err := s.CheckImage(ctx, in.Cookie, in.Body.Captcha); err != nil {
		return passGrant{}, err
	}
	p, err := s.newPass(rest.NetworkOf(ctx), methodImage)
	return passGrant{Pass: p, ExpiresIn: int(passLifetime.Seconds())}, err
}
