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

// cookieName is where the client keeps the sealed answer of its picture.
const cookieName = "captcha"

type slider struct {
	ID          string `json:"id"`
	Background  string `json:"background" doc:"A picture, as a data address."`
	Piece       string `json:"piece" doc:"A picture, as a data address."`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	PieceWidth  int    `json:"pieceWidth"`
	PieceHeight int    `json:"pieceHeight"`
	PieceY      int    `json:"pieceY" doc:"How far from the top the piece is slid, in pixels of the background."`
	ExpiresIn   int    `json:"expiresIn" doc:"Seconds."`
}

type slideInput struct {
	Body struct {
		ID string  `json:"id" minLength:"1" maxLength:"1024"`
		X  float64 `json:"x" minimum:"0" maximum:"1000" doc:"How far from the start the piece was put, in pixels of the background."`
	}
}

type codeInput struct {
	Cookie string `cookie:"captcha"`
	Body   struct {
		Captcha string `json:"captcha" maxLength:"256"`
	}
}

type granted struct {
	Pass      string `json:"pass" doc:"Goes into challenge of a login or a registration, once."`
	ExpiresIn int    `json:"expiresIn" doc:"Seconds."`
}

// The switches of the pictures, and of the pass for those who cannot slide.
const (
	imageModule = spec.ModuleCaptcha
	codeModule  = spec.ModuleValidCaptcha
)

// Routes adds the captchas' calls to the API.
func Routes(a *rest.API, s *Service) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/captcha", ID: "captcha", Tag: "captcha",
		Summary: "A picture to be read; its answer is found by the cookie that comes with it", Access: rest.Public,
		Module: imageModule, Rate: &ratelimit.Limit{Burst: 20, Every: 2 * time.Second},
	}, s.getImage)
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/captcha/slider", ID: "captchaSlider", Tag: "captcha",
		Summary: "A puzzle whose piece is to be slid into place", Access: rest.Public,
		Rate: &ratelimit.Limit{Burst: 20, Every: 2 * time.Second}, Faults: []*fault.Fault{rest.ErrDenied},
	}, s.getSlider)
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/captcha/slider", ID: "captchaSlide", Tag: "captcha",
		Summary: "Where the piece was put; each puzzle can be tried once", Access: rest.Public,
		Rate:   &ratelimit.Limit{Burst: 20, Every: 2 * time.Second},
		Faults: []*fault.Fault{ErrChallengeMissed, ErrChallengeInvalid, rest.ErrDenied},
	}, s.postSlider)
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/captcha/code", ID: "captchaCode", Tag: "captcha",
		Summary: "A pass for the answer of the picture, for those who cannot slide", Access: rest.Public,
		Module: codeModule, Rate: &ratelimit.Limit{Burst: 20, Every: 2 * time.Second},
		Faults: []*fault.Fault{ErrRequired, ErrIncorrect},
	}, s.postCode)
}

func (s *Service) getImage(ctx context.Context, _ *struct{}) (string, error) {
	png, sealed, err := s.image(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return "", err
	}
	rest.SetCookie(ctx, &http.Cookie{
		Name: cookieName, Value: sealed, Path: "/wps", MaxAge: int(imageFor.Seconds()),
		SameSite: http.SameSiteStrictMode, HttpOnly: true, Secure: true,
	})
	return dataAddress("image/png", png), nil
}

func dataAddress(kind string, data []byte) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
}

func (s *Service) getSlider(ctx context.Context, _ *struct{}) (slider, error) {
	if name, _ := s.Provider(); name != validation.SliderOwn {
		return slider{}, rest.ErrDenied
	}
	p, id, err := s.slider(ctx, rest.NetworkOf(ctx))
	if err != nil {
		return slider{}, err
	}
	return slider{
		ID: id, Background: dataAddress("image/jpeg", p.background), Piece: dataAddress("image/png", p.piece),
		Width: puzzleWidth, Height: puzzleHeight, PieceWidth: pieceSize, PieceHeight: pieceSize, PieceY: p.y,
		ExpiresIn: int(sliderFor.Seconds()),
	}, nil
}

func (s *Service) postSlider(ctx context.Context, in *slideInput) (granted, error) {
	if name, _ := s.Provider(); name != validation.SliderOwn {
		return granted{}, rest.ErrDenied
	}
	p, err := s.slide(ctx, rest.NetworkOf(ctx), in.Body.ID, in.Body.X)
	return granted{Pass: p, ExpiresIn: int(passFor.Seconds())}, err
}

func (s *Service) postCode(ctx context.Context, in *codeInput) (granted, error) {
	if err := s.o.Limiter.TakeAll(ctx, proofs(rest.NetworkOf(ctx))); err != nil {
		return granted{}, err
	}
	if err := s.CheckImage(ctx, in.Cookie, in.Body.Captcha); err != nil {
		return granted{}, err
	}
	p, err := s.grant(rest.NetworkOf(ctx), byImage)
	return granted{Pass: p, ExpiresIn: int(passFor.Seconds())}, err
}
