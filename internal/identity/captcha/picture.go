package captcha

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/big"
	mathrand "math/rand/v2"
	"strconv"

	"fairground/internal/platform/validation"
)

const (
	textWidth  = 168
	textHeight = 56
	digitCount = 6
	shades     = 16 // per pen colour; fewer shades make a smaller file
)

// newQuestion returns the text of an image and its answer, drawn from crypto/rand.
func newQuestion(kind string) (shown, answer string) {
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

// rng varies the look of images. Its key is unpredictable.
type rng struct{ *mathrand.Rand }

func newRNG() rng {
	var key [32]byte
	_, _ = rand.Read(key[:]) // never returns an error
	return rng{mathrand.New(mathrand.NewChaCha8(key))}
}

func (r rng) between(from, to float64) float64 { return from + (to-from)*r.Float64() }

// ink is the strength, from 0 to 1, and the pen of one pixel.
type ink struct {
	strength float64
	pen      int
}

type inkGrid [textHeight][textWidth]ink

// drawText draws text with random rotation, size, distortion and noise, to make it hard to read for programs.
func drawText(text string) ([]byte, error) { return encodeText(newRNG(), text) }

func encodeText(random rng, text string) ([]byte, error) {
	grid, bend := &inkGrid{}, newWave(random)
	runes := []rune(text)
	step := float64(textWidth-24) / float64(len(runes))
	order := random.Perm(len(pens)) // adjacent characters differ in colour
	for i, r := range runes {
		at := point{12 + step*(float64(i)+.5), textHeight/2 + random.between(-4, 4)}
		for _, s := range placeGlyph(random, glyphs[r], at, min(step, 24)) {
			grid.draw(bend(s), order[i%len(pens)], 1.9, 1)
		}
	}
	for i := range 4 {
		grid.draw(bend(stroke{
			{random.between(-10, 40), random.between(0, textHeight)},
			{random.between(50, textWidth-50), random.between(0, textHeight)},
			{random.between(textWidth-40, textWidth+10), random.between(0, textHeight)},
		}), order[i], .5, .5)
	}
	for range 40 {
		at := point{random.between(0, textWidth), random.between(0, textHeight)}
		grid.draw(stroke{at, at}, random.IntN(len(pens)), .6, .35)
	}
	picture := image.NewPaletted(image.Rect(0, 0, textWidth, textHeight), palette)
	for y := range textHeight {
		for x := range textWidth {
			at := grid[y][x]
			strength := min(max(at.strength+random.between(-.06, .06), 0), 1)
			picture.SetColorIndex(x, y, uint8(at.pen*shades)+uint8(strength*(shades-1)+.5))
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, picture)
	return out.Bytes(), err
}

func placeGlyph(random rng, strokes []stroke, at point, width float64) []stroke {
	w, h := width*random.between(.62, .8), random.between(26, 32)
	rotation, slant := random.between(-.28, .28), random.between(-.2, .2)
	sin, cos := math.Sincos(rotation)
	out := make([]stroke, len(strokes))
	for i, s := range strokes {
		out[i] = make(stroke, len(s))
		for j, p := range s {
			x, y := (p.x-.5)*w, (p.y-.5)*h
			x += slant * y
			out[i][j] = point{at.x + x*cos - y*sin, at.y + x*sin + y*cos}
		}
	}
	return out
}

// newWave returns a function that distorts strokes along a random wave. It splits long segments, so that they bend too.
func newWave(random rng) func(stroke) stroke {
	amplitude, phase, period := random.between(1.5, 3), random.between(0, 6), random.between(14, 22)
	return func(s stroke) stroke {
		var out stroke
		for i, p := range s {
			if i > 0 {
				before := s[i-1]
				parts := math.Ceil(length(p.x-before.x, p.y-before.y) / 6)
				for k := 1.0; k < parts; k++ {
					out = append(out, point{before.x + (p.x-before.x)*k/parts, before.y + (p.y-before.y)*k/parts})
				}
			}
			out = append(out, p)
		}
		for i, p := range out {
			out[i] = point{p.x + amplitude*math.Sin(phase+p.y/period), p.y + amplitude*math.Sin(phase+p.x/period)}
		}
		return out
	}
}

// draw draws a stroke with a pen of the given half width. Where strokes cross, the stronger ink wins.
func (g *inkGrid) draw(s stroke, pen int, half, strength float64) {
	reach := half + 1
	for i := 1; i < len(s); i++ {
		a, b := s[i-1], s[i]
		for y := max(int(min(a.y, b.y)-reach), 0); y < min(int(max(a.y, b.y)+reach)+1, textHeight); y++ {
			for x := max(int(min(a.x, b.x)-reach), 0); x < min(int(max(a.x, b.x)+reach)+1, textWidth); x++ {
				here := min(half+.5-distance(point{float64(x), float64(y)}, a, b), 1) * strength
				if here > g[y][x].strength {
					g[y][x] = ink{here, pen}
				}
			}
		}
	}
}

// paper is the background colour. It is light, so that the image is readable in the dark theme too.
var paper = rgb{.937, .945, .984}

// pens are the pen colours. Each has a contrast of at least 5:1 to the paper.
var pens = []rgb{
	{.278, .157, .769}, {.714, .129, .129}, {.043, .376, .212}, {.525, .263, .02}, {.118, .227, .541}, {.475, .055, .333},
}

var palette = func() color.Palette {
	var p color.Palette
	for _, pen := range pens {
		for i := range shades {
			p = append(p, mix(paper, pen, float64(i)/(shades-1)).rgba())
		}
	}
	return p
}()
