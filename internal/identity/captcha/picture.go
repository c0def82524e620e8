package captcha

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/big"
	mathrand "math/rand/v2"
	"strconv"

	"github.com/mojocn/base64Captcha"

	"fairground/internal/platform/validation"
)

const (
	textWidth  = 240
	textHeight = 80
	digitCount = 6
)

// paper is the background colour. It is light so that the image is readable in the dark theme too.
var paper = color.RGBA{239, 241, 251, 255}

// The noise is as dark as the characters or darker, so that a program cannot separate them by brightness.
var (
	digits   = base64Captcha.NewDriverDigit(textHeight, textWidth, digitCount, .7, 80)
	equation = base64Captcha.NewDriverMath(textHeight, textWidth, 0, base64Captcha.OptionShowSlimeLine|base64Captcha.OptionShowSineLine,
		&paper, nil, []string{"wqy-microhei.ttc"})
)

// newQuestion returns the random text of an image, and the answer to it.
func newQuestion(kind string) (question, answer string) {
	if kind != validation.CaptchaEquation {
		text := fmt.Sprintf("%0*d", digitCount, randomBelow(1_000_000))
		return text, text
	}
	switch randomBelow(3) {
	case 0:
		a, b := 1+randomBelow(20), 1+randomBelow(9)
		return fmt.Sprintf("%d+%d=?", a, b), strconv.Itoa(a + b)
	case 1:
		a, b := 10+randomBelow(15), 1+randomBelow(9)
		return fmt.Sprintf("%d-%d=?", a, b), strconv.Itoa(a - b)
	default:
		a, b := 2+randomBelow(8), 2+randomBelow(8)
		return fmt.Sprintf("%dx%d=?", a, b), strconv.Itoa(a * b)
	}
}

func randomBelow(n int64) int {
	v, err := rand.Int(rand.Reader, big.NewInt(n))
	if err != nil {
		panic(err) // no secure randomness: refuse to issue captchas
	}
	return int(v.Int64())
}

// drawText returns a PNG image of the text.
func drawText(kind, text string) ([]byte, error) {
	var driver base64Captcha.Driver = digits
	if kind == validation.CaptchaEquation {
		driver = equation
	}
	item, err := driver.DrawCaptcha(text)
	if err != nil {
		return nil, fmt.Errorf("draw captcha: %w", err)
	}
	var encoded bytes.Buffer
	if _, err := item.WriteTo(&encoded); err != nil {
		return nil, fmt.Errorf("draw captcha: %w", err)
	}
	picture, err := png.Decode(&encoded)
	if err != nil {
		return nil, fmt.Errorf("draw captcha: %w", err)
	}
	// The library gives digits and noise separate palette entries, and a transparent background. Drawing on RGBA removes both.
	flat := image.NewRGBA(picture.Bounds())
	draw.Draw(flat, flat.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Rect, picture, picture.Bounds().Min, draw.Over)
	var out bytes.Buffer
	err = png.Encode(&out, flat)
	return out.Bytes(), err
}

// An rng chooses the appearance of a puzzle. Its seed is unpredictable.
type rng struct{ *mathrand.Rand }

func newRNG() rng {
	var seed [32]byte
	_, _ = rand.Read(seed[:]) // never returns an error
	return rng{mathrand.New(mathrand.NewChaCha8(seed))}
}

func (r rng) between(from, to float64) float64 { return from + (to-from)*r.Float64() }
