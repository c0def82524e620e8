package captcha

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	mathrand "math/rand/v2"
	"strconv"
	"strings"
	"testing"

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
