package captcha

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

const (
	textWidth  = 240
	textHeight = 80
	noiseLines = 5
	noiseDots  = 60
)

// paper is the background colour. It is light, so that the image is readable in the dark theme too.
var paper = color.RGBA{239, 241, 251, 255}

// drawText returns a PNG of a text. The noise has the colour of the characters, so that a program cannot separate them
// by brightness.
func drawText(random rng, text string) ([]byte, error) {
	picture := image.NewRGBA(image.Rect(0, 0, textWidth, textHeight))
	draw.Draw(picture, picture.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	ink := image.NewUniform(color.RGBA{uint8(20 + random.IntN(90)), uint8(20 + random.IntN(60)), uint8(60 + random.IntN(90)), 255})
	shapes := vector.NewRasterizer(textWidth, textHeight)
	if err := addCharacters(shapes, random, text); err != nil {
		return nil, fmt.Errorf("draw captcha: %w", err)
	}
	shapes.Draw(picture, picture.Rect, ink, image.Point{})
	shapes.Reset(textWidth, textHeight)
	for range noiseLines {
		addLine(shapes, random)
	}
	for range noiseDots {
		addDot(shapes, random)
	}
	shapes.Draw(picture, picture.Rect, ink, image.Point{})
	var out bytes.Buffer
	err := png.Encode(&out, picture)
	return out.Bytes(), err
}

// addCharacters adds each character with its own size, angle and slant, on a wave.
func addCharacters(shapes *vector.Rasterizer, random rng, text string) error {
	face, err := sfnt.Parse(gobold.TTF)
	if err != nil {
		return err
	}
	var buffer sfnt.Buffer
	step := float64(textWidth-24) / float64(len(text))
	phase, height := random.between(0, 2*math.Pi), random.between(3, 7)
	for i, character := range text {
		glyph, err := face.GlyphIndex(&buffer, character)
		if err != nil {
			return err
		}
		size := random.between(44, 54)
		segments, err := face.LoadGlyph(&buffer, glyph, fixed.I(int(size)), nil)
		if err != nil {
			return err
		}
		center := 12 + step*(float64(i)+.5) + random.between(-4, 4)
		base := textHeight/2 + random.between(-6, 6)
		sin, cos := math.Sincos(random.between(-.4, .4))
		slant := random.between(-.25, .25)
		place := func(p fixed.Point26_6) (x, y float32) {
			// The origin of a glyph is left on its baseline. Move its middle there.
			gx, gy := float64(p.X)/64-size*.28, float64(p.Y)/64+size*.36
			gx -= slant * gy
			px, py := center+gx*cos-gy*sin, base+gx*sin+gy*cos
			return float32(px), float32(py + height*math.Sin(px/28+phase))
		}
		addGlyph(shapes, segments, place)
	}
	return nil
}

func addGlyph(shapes *vector.Rasterizer, segments sfnt.Segments, place func(fixed.Point26_6) (x, y float32)) {
	for i, segment := range segments {
		ax, ay := place(segment.Args[0])
		bx, by := place(segment.Args[1])
		cx, cy := place(segment.Args[2])
		switch segment.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				shapes.ClosePath()
			}
			shapes.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			shapes.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			shapes.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			shapes.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	shapes.ClosePath()
}

// addLine adds a wave from one side to the other.
func addLine(shapes *vector.Rasterizer, random rng) {
	middle, height := random.between(14, textHeight-14), random.between(6, 18)
	length, phase, thickness := random.between(22, 60), random.between(0, 2*math.Pi), random.between(2, 3.5)
	at := func(x float64) float64 { return middle + height*math.Sin(x/length+phase) }
	const step = 4
	shapes.MoveTo(0, float32(at(0)))
	for x := 0.0; x <= textWidth; x += step {
		shapes.LineTo(float32(x), float32(at(x)))
	}
	for x := float64(textWidth); x >= 0; x -= step {
		shapes.LineTo(float32(x), float32(at(x)+thickness))
	}
	shapes.ClosePath()
}

func addDot(shapes *vector.Rasterizer, random rng) {
	x, y, radius := random.between(0, textWidth), random.between(0, textHeight), random.between(1, 2.4)
	const corners = 8
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		px, py := float32(x+radius*cos), float32(y+radius*sin)
		if i == 0 {
			shapes.MoveTo(px, py)
		} else {
			shapes.LineTo(px, py)
		}
	}
	shapes.ClosePath()
}
