package captcha

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math"
	mathrand "math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/platform/validation"
)

// fixedRNG returns an rng that draws the same image for the same n.
func fixedRNG(n uint64) rng {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], n)
	return rng{mathrand.New(mathrand.NewChaCha8(key))}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		shown, answer := newQuestion(validation.CaptchaDigits)
		if shown != answer || len(answer) != 6 || strings.Trim(answer, "0123456789") != "" {
			t.Fatalf("image %q has answer %q, want the same 6 digits", shown, answer)
		}
		seen[answer] = true
	}
	if len(seen) < 190 {
		t.Errorf("%d distinct answers in 200, want at least 190", len(seen))
	}
	t.Run("VA-10 the server's part: an equation's answer is its result", testEquations)
}

func testEquations(t *testing.T) {
	t.Parallel()
	operators := map[rune]int{}
	for range 300 {
		shown, answer := newQuestion(validation.CaptchaEquation)
		var a, b int
		var operator rune
		if n, err := fmt.Sscanf(shown, "%d%c%d=?", &a, &operator, &b); n != 3 || err != nil {
			t.Fatalf("%q: %v", shown, err)
		}
		want := map[rune]int{'+': a + b, '-': a - b, 'x': a * b}[operator]
		if strconv.Itoa(want) != answer || want < 0 || want > 999999 {
			t.Fatalf("answer of %s = %s, want %d", shown, answer, want)
		}
		operators[operator]++
		for _, r := range shown {
			if glyphs[r] == nil {
				t.Fatalf("no glyph for %q", r)
			}
		}
	}
	if len(operators) != 3 {
		t.Errorf("operators = %v, want +, - and x", operators)
	}
}

func decode(t interface{ Fatal(...any) }, data []byte) image.Image {
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// inked counts the dark pixels in a rectangle.
func inked(picture image.Image, in image.Rectangle) (n int) {
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y < 130 {
				n++
			}
		}
	}
	return n
}

// The image is the same in the dark and the light theme, so every pen must contrast with the paper.
func TestPensContrastWithPaper(t *testing.T) {
	t.Parallel()
	luminance := func(of rgb) float64 {
		linear := func(v float64) float64 { return math.Pow((v+.055)/1.055, 2.4) }
		return .2126*linear(of.r) + .7152*linear(of.g) + .0722*linear(of.b)
	}
	if luminance(paper) < .8 {
		t.Errorf("luminance of the paper = %.2f, want at least 0.8", luminance(paper))
	}
	for i, pen := range pens {
		if contrast := (luminance(paper) + .05) / (luminance(pen) + .05); contrast < 5 {
			t.Errorf("contrast of pen %d = %.1f, want at least 5", i, contrast)
		}
	}
	if len(palette) > 256 {
		t.Errorf("palette has %d colours, want at most 256", len(palette))
	}
}

// Every character is visible, and different keys draw different images.
func TestImagesAreReadable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{6}`).Draw(t, "text")
		key := rapid.Uint64().Draw(t, "key")
		data, err := encodeText(fixedRNG(key), text)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 6<<10 {
			t.Fatalf("image has %d bytes, want at most 6 KiB", len(data))
		}
		picture := decode(t, data)
		if picture.Bounds() != image.Rect(0, 0, textWidth, textHeight) {
			t.Fatal(picture.Bounds())
		}
		for i := range 6 {
			slot := image.Rect(12+24*i, 0, 36+24*i, textHeight)
			if n := inked(picture, slot); n < 40 || n > 500 {
				t.Fatalf("character %d of %s has %d dark pixels, want 40 to 500", i, text, n)
			}
		}
		again, err := encodeText(fixedRNG(key), text)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatal("the same key draws a different image")
		}
		other, err := encodeText(fixedRNG(key+1), text)
		if err != nil || bytes.Equal(other, data) {
			t.Fatal("a different key draws the same image")
		}
	})
}

// The piece fits inside the scene, away from its start position, and the hole is visible.
func TestPuzzles(t *testing.T) {
	t.Parallel()
	for key := range uint64(12) {
		p, err := drawPuzzle(fixedRNG(key))
		if err != nil {
			t.Fatal(err)
		}
		if p.x < pieceSize+20 || p.x+pieceSize > puzzleWidth || p.y < 0 || p.y+pieceSize > puzzleHeight {
			t.Fatalf("position of the piece = %d,%d, outside the scene or too close to the start", p.x, p.y)
		}
		if len(p.background) > 24<<10 || len(p.piece) > 10<<10 {
			t.Errorf("background has %d bytes, want at most 24 KiB; piece has %d, want at most 10 KiB", len(p.background), len(p.piece))
		}
		scene, piece := decode(t, p.background), decode(t, p.piece)
		if scene.Bounds() != image.Rect(0, 0, puzzleWidth, puzzleHeight) || piece.Bounds() != image.Rect(0, 0, pieceSize, pieceSize) {
			t.Fatal(scene.Bounds(), piece.Bounds())
		}
		whole := decode(t, uncut(t, key))
		changed, atHole, filled := 0, 0, 0
		for y := range puzzleHeight {
			for x := range puzzleWidth {
				inside := image.Pt(x-p.x, y-p.y).In(piece.Bounds())
				if inside {
					if _, _, _, alpha := piece.At(x-p.x, y-p.y).RGBA(); alpha > 0x8000 {
						filled++
					}
				}
				if differs(scene.At(x, y), whole.At(x, y)) {
					changed++
					if image.Pt(x, y).In(image.Rect(p.x-8, p.y-8, p.x+pieceSize+8, p.y+pieceSize+8)) {
						atHole++
					}
				}
			}
		}
		if changed != atHole || atHole < 400 || filled < pieceBody*pieceBody {
			t.Errorf("key %d: %d pixels changed, %d of them at the hole, want all and at least 400; piece has %d pixels", key, changed, atHole, filled)
		}
	}
}

func uncut(t *testing.T, key uint64) []byte {
	t.Helper()
	data, err := encodeJPEG(drawScene(fixedRNG(key)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func differs(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r2, g2, bl2, _ := b.RGBA()
	difference := func(x, y uint32) int { return max(int(x), int(y)) - min(int(x), int(y)) }
	return difference(r, r2)+difference(g, g2)+difference(bl, bl2) > 3*0x0c00
}
