package captcha

import (
	"context"
	"encoding/base64"
	"net/http"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/humancheck"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// cookieName is the cookie that holds the encrypted answer to an image.
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

type passGrant struct {
	Pass      string `json:"pass" doc:"Send it once, as challenge of a login or a registration."`
	ExpiresIn int    `json:"expiresIn" doc:"Seconds."`
}

// imageModule is the merchant's switch for captcha images.
const imageModule = spec.ModuleCaptcha

// deviceCookie identifies a device, so that its failures can be counted.
const deviceCookie = "device"

type proofInput struct {
	Device  string `cookie:"device"`
	Purpose string `query:"purpose" enum:"login,register,code" required:"true" doc:"The call that the proof is for."`
	Cost    int    `query:"cost" minimum:"0" maximum:"1000000000" doc:"The argument cost of proof.required, if the server asked for a proof."`
}

type work struct {
	Algorithm string `json:"algorithm" enum:"SHA-256"`
	Challenge string `json:"challenge" doc:"Hexadecimal digest of the salt and the number, in decimal digits, that the client must find."`
	MaxNumber int    `json:"maxnumber" doc:"The number is from 0 to maxnumber."`
	Salt      string `json:"salt"`
	Signature string `json:"signature"`
	Required  bool   `json:"required" doc:"Whether a call from this network and device needs the proof now."`
	ExpiresIn int    `json:"expiresIn" doc:"Seconds."`
}

// Routes registers the captcha endpoints.
func Routes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/captcha", ID: "captcha", Tag: "captcha",
		Summary: "Get a captcha image; the cookie of the response identifies it", Access: rest.Public,
		Module: imageModule, Rate: &ratelimit.Limit{Burst: 20, Every: 2 * time.Second},
	}, s.getImage)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/captcha/slider", ID: "captchaSlider", Tag: "captcha",
		Summary: "Get a slider puzzle", Access: rest.Public,
		Rate: &ratelimit.Limit{Burst: 20, Every: 2 * time.Second}, Faults: []*fault.Fault{rest.ErrDenied},
	}, s.getSlider)
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/captcha/slider", ID: "captchaSlide", Tag: "captcha",
		Summary: "Answer a slider puzzle; each puzzle accepts one answer", Access: rest.Public,
		Rate:   &ratelimit.Limit{Burst: 20, Every: 2 * time.Second},
		Faults: []*fault.Fault{ErrSliderMissed, ErrChallengeInvalid, rest.ErrDenied},
	}, s.postSlider)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/captcha/proof", ID: "captchaProof", Tag: "captcha",
		Summary: "Get a proof of work to solve (ALTCHA, SHA-256)", Access: rest.Public,
		Rate: &ratelimit.Limit{Burst: 20, Every: 2 * time.Second},
	}, s.getProof)
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

func (s *Service) getProof(ctx context.Context, in *proofInput) (work, error) {
	if s.deviceID(in.Device) == "" {
		sealed, err := s.newDevice()
		if err != nil {
			return work{}, err
		}
		rest.SetCookie(ctx, &http.Cookie{
			Name: deviceCookie, Value: sealed, Path: "/wps", MaxAge: int(deviceLifetime.Seconds()),
			SameSite: http.SameSiteStrictMode, HttpOnly: true, Secure: true,
		})
	}
	return s.newWork(ctx, humancheck.Attempt{
		MerchantID: rest.MerchantOf(ctx).ID, Purpose: in.Purpose, Network: rest.NetworkOf(ctx), Device: in.Device,
	}, in.Cost)
}
