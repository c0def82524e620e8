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
	shades     = 16 // of each pen: fewer colours make a smaller file
)

// question gives what a picture shows and what is to be answered. The answer is drawn from the system's own chance.
func question(kind string) (shown, answer string) {
	if kind != validation.CaptchaEquation {
		text := fmt.Sprintf("%0*d", digitCount, below(1_000_000))
		return text, text
	}
	switch below(3) {
	case 0:
		a, b := 1+below(20), 1+below(9)
		return fmt.Sprintf("%d+%d=?", a, b), strconv.Itoa(a + b)
	case 1:
		a, b := 10+below(15), 1+below(9)
		return fmt.Sprintf("%d-%d=?", a, b), strconv.Itoa(a - b)
	default:
		a, b := 2+below(8), 2+below(8)
		return fmt.Sprintf("%dx%d=?", a, b), strconv.Itoa(a * b)
	}
}

// below is a fair number from 0 to n-1.
func below(n int64) int {
	v, err := rand.Int(rand.Reader, big.NewInt(n))
	if err != nil {
		panic(err) // the system has no randomness left: nothing may be drawn
	}
	return int(v.Int64())
}

// chance decides what a picture looks like, from a seed that nobody can foresee.
type chance struct{ *mathrand.Rand }

func newChance() chance {
	var seed [32]byte
	_, _ = rand.Read(seed[:]) // never fails (it aborts the program instead)
	return chance{mathrand.New(mathrand.NewChaCha8(seed))}
}

func (c chance) between(from, to float64) float64 { return from + (to-from)*c.Float64() }

// mark is what a pen left at one place: how much of it, and which pen.
type mark struct {
	ink float64
	pen int
}

// field is what lies where on the paper.
type field [textHeight][textWidth]mark

// drawText draws signs so that eyes read them with ease and programs with trouble: each turned and sized by chance,
// the whole bent, thin lines across.
func drawText(text string) ([]byte, error) { return encodeText(newChance(), text) }

func encodeText(c chance, text string) ([]byte, error) {
	f, bend := &field{}, bending(c)
	runes := []rune(text)
	step := float64(textWidth-24) / float64(len(runes))
	order := c.Perm(len(pens)) // neighbours are never of one colour
	for i, r := range runes {
		at := point{12 + step*(float64(i)+.5), textHeight/2 + c.between(-4, 4)}
		for _, s := range place(c, glyphs[r], at, min(step, 24)) {
			f.draw(bend(s), order[i%len(pens)], 1.9, 1)
		}
	}
	for i := range 4 {
		f.draw(bend(stroke{
			{c.between(-10, 40), c.between(0, textHeight)},
			{c.between(50, textWidth-50), c.between(0, textHeight)},
			{c.between(textWidth-40, textWidth+10), c.between(0, textHeight)},
		}), order[i], .5, .5)
	}
	for range 40 {
		at := point{c.between(0, textWidth), c.between(0, textHeight)}
		f.draw(stroke{at, at}, c.IntN(len(pens)), .6, .35)
	}
	picture := image.NewPaletted(image.Rect(0, 0, textWidth, textHeight), inks)
	for y := range textHeight {
		for x := range textWidth {
			at := f[y][x]
			ink := min(max(at.ink+c.between(-.06, .06), 0), 1)
			picture.SetColorIndex(x, y, uint8(at.pen*shades)+uint8(ink*(shades-1)+.5))
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, picture)
	return out.Bytes(), err
}

// place puts a sign where it stands in the picture: turned, leaning and sized by chance.
func place(c chance, strokes []stroke, at point, width float64) []stroke {
	w, h := width*c.between(.62, .8), c.between(26, 32)
	turn, lean := c.between(-.28, .28), c.between(-.2, .2)
	sin, cos := math.Sincos(turn)
	out := make([]stroke, len(strokes))
	for i, s := range strokes {
		out[i] = make(stroke, len(s))
		for j, p := range s {
			x, y := (p.x-.5)*w, (p.y-.5)*h
			x += lean * y
			out[i][j] = point{at.x + x*cos - y*sin, at.y + x*sin + y*cos}
		}
	}
	return out
}

// bending gives the wave that runs through the whole picture: straight strokes are cut up, so that they bend too.
func bending(c chance) func(stroke) stroke {
	by, phase, period := c.between(1.5, 3), c.between(0, 6), c.between(14, 22)
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
			out[i] = point{p.x + by*math.Sin(phase+p.y/period), p.y + by*math.Sin(phase+p.x/period)}
		}
		return out
	}
}

// draw follows a stroke with a pen of this half width. Where strokes cross, the stronger ink stays.
func (f *field) draw(s stroke, pen int, half, strength float64) {
	reach := half + 1
	for i := 1; i < len(s); i++ {
		a, b := s[i-1], s[i]
		for y := max(int(min(a.y, b.y)-reach), 0); y < min(int(max(a.y, b.y)+reach)+1, textHeight); y++ {
			for x := max(int(min(a.x, b.x)-reach), 0); x < min(int(max(a.x, b.x)+reach)+1, textWidth); x++ {
				ink := min(half+.5-distance(point{float64(x), float64(y)}, a, b), 1) * strength
				if ink > f[y][x].ink {
					f[y][x] = mark{ink, pen}
				}
			}
		}
	}
}

// paper is light, and the pens are dark: a picture is read on a dark page as on a light one.
var paper = tint{.937, .945, .984}

// pens have at least five times the contrast of the paper.
var pens = []tint{
	{.278, .157, .769}, {.714, .129, .129}, {.043, .376, .212}, {.525, .263, .02}, {.118, .227, .541}, {.475, .055, .333},
}

// inks go from the paper to each pen's full colour.
var inks = func() color.Palette {
	var p color.Palette
	for _, pen := range pens {
		for i := range shades {
			p = append(p, mix(paper, pen, float64(i)/(shades-1)).rgba())
		}
	}
	return p
}()
