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

// seededChance draws the same picture again.
func seededChance(n uint64) chance {
	var seed [32]byte
	binary.BigEndian.PutUint64(seed[:], n)
	return chance{mathrand.New(mathrand.NewChaCha8(seed))}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		shown, answer := question(validation.CaptchaDigits)
		if shown != answer || len(answer) != 6 || strings.Trim(answer, "0123456789") != "" {
			t.Fatalf("%q, %q", shown, answer)
		}
		seen[answer] = true
	}
	if len(seen) < 190 {
		t.Errorf("only %d of 200 differ", len(seen))
	}
	t.Run("VA-10 the server's part: an equation's answer is its result", equations)
}

func equations(t *testing.T) {
	t.Parallel()
	signs := map[rune]int{}
	for range 300 {
		shown, answer := question(validation.CaptchaEquation)
		var a, b int
		var sign rune
		if n, err := fmt.Sscanf(shown, "%d%c%d=?", &a, &sign, &b); n != 3 || err != nil {
			t.Fatalf("%q: %v", shown, err)
		}
		want := map[rune]int{'+': a + b, '-': a - b, 'x': a * b}[sign]
		if strconv.Itoa(want) != answer || want < 0 || want > 999999 {
			t.Fatalf("%s has the answer %s, not %d", shown, answer, want)
		}
		signs[sign]++
		for _, r := range shown {
			if glyphs[r] == nil {
				t.Fatalf("%q cannot be drawn", r)
			}
		}
	}
	if len(signs) != 3 {
		t.Errorf("only %v are asked", signs)
	}
}

func decode(t interface{ Fatal(...any) }, data []byte) image.Image {
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// inked counts pixels that are pen rather than paper.
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

// Dark and light pages show one picture: its paper is light of itself, and every pen is read on it.
func TestPensAreReadOnThePaper(t *testing.T) {
	t.Parallel()
	luminance := func(of tint) float64 {
		linear := func(v float64) float64 { return math.Pow((v+.055)/1.055, 2.4) }
		return .2126*linear(of.r) + .7152*linear(of.g) + .0722*linear(of.b)
	}
	if luminance(paper) < .8 {
		t.Errorf("the paper's luminance is %.2f", luminance(paper))
	}
	for i, pen := range pens {
		if contrast := (luminance(paper) + .05) / (luminance(pen) + .05); contrast < 5 {
			t.Errorf("pen %d has a contrast of %.1f", i, contrast)
		}
	}
	if len(inks) > 256 {
		t.Errorf("%d colours are more than a palette holds", len(inks))
	}
}

// Whatever is drawn, every sign is there to be read, and no picture is like another.
func TestPicturesCanBeRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{6}`).Draw(t, "text")
		seed := rapid.Uint64().Draw(t, "seed")
		data, err := encodeText(seededChance(seed), text)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 6<<10 {
			t.Fatalf("%d bytes", len(data))
		}
		picture := decode(t, data)
		if picture.Bounds() != image.Rect(0, 0, textWidth, textHeight) {
			t.Fatal(picture.Bounds())
		}
		for i := range 6 {
			slot := image.Rect(12+24*i, 0, 36+24*i, textHeight)
			if n := inked(picture, slot); n < 40 || n > 500 {
				t.Fatalf("sign %d of %s has %d pixels of ink", i, text, n)
			}
		}
		again, err := encodeText(seededChance(seed), text)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatal("the same seed draws another picture")
		}
		other, err := encodeText(seededChance(seed+1), text)
		if err != nil || bytes.Equal(other, data) {
			t.Fatal("another seed draws the same picture")
		}
	})
}

// The piece has a place, whole, away from where it starts, and the hole can be seen there.
func TestPuzzles(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		p, err := drawPuzzle(seededChance(seed))
		if err != nil {
			t.Fatal(err)
		}
		if p.x < pieceSize+20 || p.x+pieceSize > puzzleWidth || p.y < 0 || p.y+pieceSize > puzzleHeight {
			t.Fatalf("the piece belongs at %d,%d", p.x, p.y)
		}
		if len(p.background) > 24<<10 || len(p.piece) > 10<<10 {
			t.Errorf("%d and %d bytes", len(p.background), len(p.piece))
		}
		scene, piece := decode(t, p.background), decode(t, p.piece)
		if scene.Bounds() != image.Rect(0, 0, puzzleWidth, puzzleHeight) || piece.Bounds() != image.Rect(0, 0, pieceSize, pieceSize) {
			t.Fatal(scene.Bounds(), piece.Bounds())
		}
		whole := decode(t, uncut(t, seed))
		changed, within, filled := 0, 0, 0
		for y := range puzzleHeight {
			for x := range puzzleWidth {
				inside := image.Pt(x-p.x, y-p.y).In(piece.Bounds())
				if inside {
					if _, _, _, alpha := piece.At(x-p.x, y-p.y).RGBA(); alpha > 0x8000 {
						filled++
					}
				}
				if far(scene.At(x, y), whole.At(x, y)) {
					changed++
					if image.Pt(x, y).In(image.Rect(p.x-8, p.y-8, p.x+pieceSize+8, p.y+pieceSize+8)) {
						within++
					}
				}
			}
		}
		if changed != within || within < 400 || filled < pieceBody*pieceBody {
			t.Errorf("seed %d: %d pixels differ, %d of them at the hole; the piece has %d", seed, changed, within, filled)
		}
	}
}

func uncut(t *testing.T, seed uint64) []byte {
	t.Helper()
	data, err := encodeJPEG(drawScene(seededChance(seed)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func far(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r2, g2, bl2, _ := b.RGBA()
	apart := func(x, y uint32) int { return max(int(x), int(y)) - min(int(x), int(y)) }
	return apart(r, r2)+apart(g, g2)+apart(bl, bl2) > 3*0x0c00
}
