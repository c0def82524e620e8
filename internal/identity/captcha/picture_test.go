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

// fixedRNG returns an rng with a fixed seed.
func fixedRNG(n uint64) rng {
	var seed [32]byte
	binary.BigEndian.PutUint64(seed[:], n)
	return rng{mathrand.New(mathrand.NewChaCha8(seed))}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		question, answer := newQuestion(validation.CaptchaDigits)
		if question != answer || len(answer) != 6 || strings.Trim(answer, "0123456789") != "" {
			t.Fatalf("image %q has answer %q, want the same 6 digits", question, answer)
		}
		seen[answer] = true
	}
	if len(seen) < 190 {
		t.Errorf("%d distinct answers in 200, want at least 190", len(seen))
	}
	t.Run("VA-10 part (server): the answer to an equation is its result", testEquations)
}

func testEquations(t *testing.T) {
	t.Parallel()
	operators := map[rune]int{}
	for range 300 {
		question, answer := newQuestion(validation.CaptchaEquation)
		var a, b int
		var operator rune
		if n, err := fmt.Sscanf(question, "%d%c%d=?", &a, &operator, &b); n != 3 || err != nil {
			t.Fatalf("question = %q, %v, want a sum", question, err)
		}
		want := map[rune]int{'+': a + b, '-': a - b, 'x': a * b}[operator]
		if strconv.Itoa(want) != answer || want < 0 || want > 999999 {
			t.Fatalf("answer of %s = %s, want %d", question, answer, want)
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
	for seed := range uint64(12) {
		p, err := drawPuzzle(fixedRNG(seed))
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
			t.Fatalf("sizes = %v and %v, want those of the puzzle and of a piece", scene.Bounds(), piece.Bounds())
		}
		uncutScene := decode(t, sceneWithoutHole(t, seed))
		changed, atHole, filled := 0, 0, 0
		for y := range puzzleHeight {
			for x := range puzzleWidth {
				inside := image.Pt(x-p.x, y-p.y).In(piece.Bounds())
				if inside {
					if _, _, _, alpha := piece.At(x-p.x, y-p.y).RGBA(); alpha > 0x8000 {
						filled++
					}
				}
				if differs(scene.At(x, y), uncutScene.At(x, y)) {
					changed++
					if image.Pt(x, y).In(image.Rect(p.x-8, p.y-8, p.x+pieceSize+8, p.y+pieceSize+8)) {
						atHole++
					}
				}
			}
		}
		if changed != atHole || atHole < 400 || filled < pieceBody*pieceBody {
			t.Errorf("seed %d: %d pixels changed, %d of them at the hole, want all and at least 400; piece has %d pixels", seed, changed, atHole, filled)
		}
	}
}

func sceneWithoutHole(t *testing.T, seed uint64) []byte {
	t.Helper()
	data, err := encodeJPEG(drawScene(fixedRNG(seed)))
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

// A thresholdOCR recognises digits if the noise is lighter than the digits. It keeps the dark pixels, cuts them into one slot per
// character, and compares each slot with examples.
type thresholdOCR struct {
	examples map[rune][][]bool
}

const cells = 12

func (r *thresholdOCR) learn(picture image.Image, text string) {
	for i, slot := range darkSlots(picture, len(text)) {
		digit := rune(text[i])
		r.examples[digit] = append(r.examples[digit], slot)
	}
}

func (r *thresholdOCR) read(picture image.Image, length int) string {
	var text strings.Builder
	for _, slot := range darkSlots(picture, length) {
		best, score := '?', -1
		for _, digit := range "0123456789" {
			for _, example := range r.examples[digit] {
				same := 0
				for i := range slot {
					if slot[i] == example[i] {
						same++
					}
				}
				if same > score {
					best, score = digit, same
				}
			}
		}
		text.WriteRune(best)
	}
	return text.String()
}

// darkSlots cuts the box around the dark pixels into slots and scales the dark pixels of each slot to a grid.
func darkSlots(picture image.Image, count int) [][]bool {
	dark := func(x, y int) bool { return color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y < 150 }
	box := func(in image.Rectangle) image.Rectangle {
		var out image.Rectangle
		for y := in.Min.Y; y < in.Max.Y; y++ {
			for x := in.Min.X; x < in.Max.X; x++ {
				if dark(x, y) {
					out = out.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		return out
	}
	bounds := box(picture.Bounds())
	slots := make([][]bool, count)
	for i := range slots {
		slot := box(image.Rect(bounds.Min.X+bounds.Dx()*i/count, bounds.Min.Y, bounds.Min.X+bounds.Dx()*(i+1)/count, bounds.Max.Y))
		slots[i] = make([]bool, cells*cells)
		for y := slot.Min.Y; y < slot.Max.Y; y++ {
			for x := slot.Min.X; x < slot.Max.X; x++ {
				if dark(x, y) {
					slots[i][(y-slot.Min.Y)*cells/slot.Dy()*cells+(x-slot.Min.X)*cells/slot.Dx()] = true
				}
			}
		}
	}
	return slots
}

// lightNoise draws digits at fixed positions in a fixed font, with noise lighter than the digits, as an earlier version did.
func lightNoise(random rng, text string) image.Image {
	picture := image.NewGray(image.Rect(0, 0, 40*len(text), 60))
	for y := range 60 {
		for x := range 40 * len(text) {
			picture.SetGray(x, y, color.Gray{Y: uint8(160 + random.IntN(90))})
		}
	}
	segments := []string{"abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgcde", "abc", "abcdefg", "abcdfg"}
	bars := map[rune]image.Rectangle{
		'a': image.Rect(8, 8, 32, 13), 'g': image.Rect(8, 27, 32, 32), 'd': image.Rect(8, 46, 32, 51), 'f': image.Rect(8, 8, 13, 32),
		'b': image.Rect(27, 8, 32, 32), 'e': image.Rect(8, 27, 13, 51), 'c': image.Rect(27, 27, 32, 51),
	}
	for i, digit := range text {
		for _, name := range segments[digit-'0'] {
			for y := bars[name].Min.Y; y < bars[name].Max.Y; y++ {
				for x := bars[name].Min.X; x < bars[name].Max.X; x++ {
					picture.SetGray(40*i+x, y, color.Gray{Y: uint8(random.IntN(120))})
				}
			}
		}
	}
	return picture
}

// thresholdOCR solves pictures with lighter noise. It fails on the server's pictures, although it learned from such pictures.
func TestThresholdOCRCannotReadCaptchas(t *testing.T) {
	t.Parallel()
	random := fixedRNG(1)
	countSolved := func(draw func(text string) image.Image) (solved int) {
		ocr := thresholdOCR{examples: map[rune][][]bool{}}
		text := func() string { return fmt.Sprintf("%06d", random.IntN(1_000_000)) }
		for range 40 {
			question := text()
			ocr.learn(draw(question), question)
		}
		for range 20 {
			if question := text(); ocr.read(draw(question), len(question)) == question {
				solved++
			}
		}
		return solved
	}
	if solved := countSolved(func(text string) image.Image { return lightNoise(random, text) }); solved < 18 {
		t.Errorf("the OCR solved %d of 20 pictures with lighter noise, want at least 18", solved)
	}
	server := func(text string) image.Image {
		data, err := drawText(random, text)
		if err != nil {
			t.Fatal(err)
		}
		return decode(t, data)
	}
	if solved := countSolved(server); solved > 1 {
		t.Errorf("the OCR solved %d of 20 pictures of the server, want at most 1", solved)
	}
}

func TestTextCaptchaSizeAndBackground(t *testing.T) {
	t.Parallel()
	for kind, text := range map[string]string{validation.CaptchaDigits: "273946", validation.CaptchaEquation: "12+7=?"} {
		data, err := drawText(fixedRNG(1), text)
		if err != nil {
			t.Fatal(err)
		}
		picture := decode(t, data)
		if picture.Bounds() != image.Rect(0, 0, textWidth, textHeight) || len(data) > 24<<10 {
			t.Errorf("%s: %v, %d bytes, want %d x %d and at most 24 KiB", kind, picture.Bounds(), len(data), textWidth, textHeight)
		}
		if _, _, _, alpha := picture.At(0, 0).RGBA(); alpha != 0xffff {
			t.Errorf("%s: the background is transparent, so the picture is unreadable in the dark theme", kind)
		}
	}
}
