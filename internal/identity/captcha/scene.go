package captcha

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
)

const (
	puzzleWidth  = 320
	puzzleHeight = 180
	pieceSize    = 56 // image size, including the knobs
	pieceBody    = 40
	knob         = 8 // radius
	jpegQuality  = 82
)

// point is a position in an image, in pixels.
type point struct{ x, y float64 }

// distance returns the distance of p from the line between a and b.
func distance(p, a, b point) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	square := dx*dx + dy*dy
	along := 0.0
	if square > 0 {
		along = min(max(((p.x-a.x)*dx+(p.y-a.y)*dy)/square, 0), 1)
	}
	return length(p.x-a.x-along*dx, p.y-a.y-along*dy)
}

// length is a faster math.Hypot, because pixel distances cannot overflow.
func length(x, y float64) float64 { return math.Sqrt(x*x + y*y) }

// rgb is a colour with components from 0 to 1.
type rgb struct{ r, g, b float64 }

var (
	night = rgb{.106, .063, .188}
	dusk  = rgb{.337, .165, .478}
	lamp  = rgb{1, .898, .741}
	gold  = rgb{1, .757, .278}
	rose  = rgb{.925, .306, .537}
	sea   = rgb{.286, .753, .796}
)

func mix(a, b rgb, opacity float64) rgb {
	return rgb{a.r + (b.r-a.r)*opacity, a.g + (b.g-a.g)*opacity, a.b + (b.b-a.b)*opacity}
}

func (t rgb) rgba() color.RGBA {
	return color.RGBA{uint8(255*min(t.r, 1) + .5), uint8(255*min(t.g, 1) + .5), uint8(255*min(t.b, 1) + .5), 255}
}

type canvas [puzzleHeight][puzzleWidth]rgb

// paint blends colour t into the pixels around a point. opacityAt returns the opacity at each pixel.
func (c *canvas) paint(at point, reach float64, t rgb, opacityAt func(point) float64) {
	for y := max(int(at.y-reach), 0); y < min(int(at.y+reach)+2, puzzleHeight); y++ {
		for x := max(int(at.x-reach), 0); x < min(int(at.x+reach)+2, puzzleWidth); x++ {
			if opacity := opacityAt(point{float64(x), float64(y)}); opacity > 0 {
				c[y][x] = mix(c[y][x], t, min(opacity, 1))
			}
		}
	}
}

func (c *canvas) disc(at point, r float64, t rgb) {
	c.paint(at, r+1, t, func(p point) float64 { return r + .5 - length(p.x-at.x, p.y-at.y) })
}

func (c *canvas) glow(at point, r float64, t rgb) {
	c.paint(at, r, t, func(p point) float64 {
		near := 1 - length(p.x-at.x, p.y-at.y)/r
		return max(near, 0) * near
	})
}

func (c *canvas) line(a, b point, half float64, t rgb) {
	middle := point{(a.x + b.x) / 2, (a.y + b.y) / 2}
	c.paint(middle, length(b.x-a.x, b.y-a.y)/2+half+1, t, func(p point) float64 { return half + .5 - distance(p, a, b) })
}

func drawScene(random rng) *canvas {
	s := &canvas{}
	warm := random.between(.6, 1)
	for y := range puzzleHeight {
		row := mix(night, dusk, warm*float64(y)/puzzleHeight)
		for x := range puzzleWidth {
			s[y][x] = row
		}
	}
	for range 60 {
		s.glow(point{random.between(0, puzzleWidth), random.between(0, puzzleHeight*.7)}, random.between(1, 2.6), lamp)
	}
	moon := point{random.between(30, puzzleWidth-30), random.between(20, 50)}
	s.glow(moon, 40, mix(dusk, lamp, .5))
	s.disc(moon, random.between(9, 15), lamp)
	s.wheel(random)
	s.tents(random)
	s.lamps(random)
	return s
}

func (c *canvas) wheel(random rng) {
	hub, r := point{random.between(60, puzzleWidth-60), random.between(80, 105)}, random.between(48, 66)
	colours := []rgb{gold, rose, sea, lamp}
	frame := mix(dusk, rose, random.between(.3, .8))
	for _, side := range []float64{-.55, .55} {
		c.line(hub, point{hub.x + side*r, puzzleHeight}, 2, mix(frame, night, .4))
	}
	cars, turn := 10+random.IntN(6), random.between(0, math.Pi)
	c.paint(hub, r+4, frame, func(p point) float64 { return 2 - math.Abs(length(p.x-hub.x, p.y-hub.y)-r) })
	for i := range cars {
		sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(cars))
		rim := point{hub.x + r*cos, hub.y + r*sin}
		c.line(hub, rim, .6, frame)
		c.glow(rim, 14, colours[i%len(colours)])
		c.disc(rim, random.between(4, 5.5), colours[i%len(colours)])
	}
	c.disc(hub, 6, gold)
}

func (c *canvas) tents(random rng) {
	colours := []rgb{rose, gold, sea}
	for i := range 5 {
		width, height := random.between(56, 90), random.between(40, 66)
		left := float64(i)*72 + random.between(-30, 10)
		colour := colours[random.IntN(len(colours))]
		stripes := random.between(9, 14)
		middle := point{left + width/2, puzzleHeight - height/2}
		c.paint(middle, max(width, height)/2+2, night, func(p point) float64 { return tentCoverage(p, left, width, height) })
		c.paint(middle, max(width, height)/2+2, mix(colour, night, .15), func(p point) float64 {
			if math.Mod(p.x-left+stripes*100, stripes) > stripes/2 {
				return tentCoverage(p, left, width, height) * .3
			}
			return tentCoverage(p, left, width, height)
		})
		c.glow(point{left + width/2, puzzleHeight - height}, 9, lamp)
	}
}

// tentCoverage returns how much of the pixel at p a tent covers, from 0 to 1.
func tentCoverage(p point, left, width, height float64) float64 {
	down := (p.y - (puzzleHeight - height)) / height
	if down < 0 {
		return 0
	}
	half := width / 2 * (.08 + .92*down*(.6+.4*down))
	return min(half+.5-math.Abs(p.x-left-width/2), 1)
}

func (c *canvas) lamps(random rng) {
	for range 3 {
		from, to := random.between(0, 70), random.between(0, 70)
		sag := random.between(15, 40)
		colours := []rgb{gold, rose, sea, lamp}
		for i := range 17 {
			along := float64(i) / 16
			at := point{along * puzzleWidth, from + (to-from)*along + sag*4*along*(1-along)}
			c.glow(at, 8, colours[i%len(colours)])
			c.disc(at, 1.6, lamp)
		}
	}
}

type puzzle struct {
	background, piece []byte
	x, y              int // position of the piece in the scene
}

// pieceDepth returns how far p is inside the piece, negative outside. The piece is a square with a knob at the top and one at the right.
func pieceDepth(p point) float64 {
	const low = (pieceSize - pieceBody) / 2.0
	const high = low + pieceBody
	body := min(p.x-low, high-p.x, p.y-low, high-p.y)
	above := knob - length(p.x-pieceSize/2, p.y-low+1)
	right := knob - length(p.x-high-1, p.y-pieceSize/2)
	return max(body, above, right)
}

func drawPuzzle(random rng) (puzzle, error) {
	scene := drawScene(random)
	p := puzzle{x: pieceSize + 24 + random.IntN(puzzleWidth-2*pieceSize-32), y: 4 + random.IntN(puzzleHeight-pieceSize-8)}
	piece := image.NewNRGBA(image.Rect(0, 0, pieceSize, pieceSize))
	for y := range pieceSize {
		for x := range pieceSize {
			inside := pieceDepth(point{float64(x), float64(y)})
			cover := min(max(inside+.5, 0), 1)
			if cover == 0 {
				continue
			}
			at := &scene[p.y+y][p.x+x]
			rim := min(max(2-inside, 0), 1)
			full := mix(*at, lamp, .55*rim).rgba()
			piece.SetNRGBA(x, y, color.NRGBA{full.R, full.G, full.B, uint8(255*cover + .5)})
			hole := mix(mix(*at, night, .62), lamp, .35*rim)
			*at = mix(*at, hole, cover)
		}
	}
	var err error
	if p.background, err = encodeJPEG(scene); err != nil {
		return puzzle{}, err
	}
	var out bytes.Buffer
	err = png.Encode(&out, piece)
	p.piece = out.Bytes()
	return p, err
}

func encodeJPEG(c *canvas) ([]byte, error) {
	picture := image.NewRGBA(image.Rect(0, 0, puzzleWidth, puzzleHeight))
	for y := range puzzleHeight {
		for x := range puzzleWidth {
			picture.SetRGBA(x, y, c[y][x].rgba())
		}
	}
	var out bytes.Buffer
	err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: jpegQuality})
	return out.Bytes(), err
}
