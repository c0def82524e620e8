package captcha

import "math"

// point is a position in an image in pixels, or in a glyph's box from (0,0) at the top left to (1,1).
type point struct{ x, y float64 }

type stroke []point

// arc returns a stroke along an ellipse. Angles are in degrees: 0 is right, 90 is down.
func arc(cx, cy, rx, ry, from, to float64) stroke {
	const steps = 10
	s := make(stroke, 0, steps+1)
	for i := range steps + 1 {
		a := (from + (to-from)*float64(i)/steps) * math.Pi / 180
		s = append(s, point{cx + rx*math.Cos(a), cy + ry*math.Sin(a)})
	}
	return s
}

// glyphs defines the characters of an image as pen strokes, so that no font is needed.
var glyphs = map[rune][]stroke{
	'0': {arc(.5, .5, .34, .5, 0, 360)},
	'1': {{{.28, .24}, {.56, 0}, {.56, 1}}},
	'2': {append(arc(.5, .29, .34, .29, 180, 395), point{.12, 1}, point{.88, 1})},
	'3': {arc(.46, .26, .32, .26, 200, 450), arc(.46, .74, .36, .26, 270, 520)},
	'4': {{{.66, 1}, {.66, 0}, {.1, .7}, {.92, .7}}},
	'5': {append(stroke{{.82, 0}, {.24, 0}, {.2, .46}}, arc(.48, .68, .35, .32, 225, 510)...)},
	'6': {{{.74, .02}, {.42, .26}, {.2, .62}}, arc(.5, .68, .33, .32, 0, 360)},
	'7': {{{.12, 0}, {.88, 0}, {.4, 1}}},
	'8': {arc(.5, .25, .28, .25, 0, 360), arc(.5, .74, .35, .26, 0, 360)},
	'9': {arc(.5, .32, .33, .32, 0, 360), {{.82, .36}, {.62, .72}, {.3, .98}}},
	'+': {{{.12, .5}, {.88, .5}}, {{.5, .14}, {.5, .86}}},
	'-': {{{.12, .5}, {.88, .5}}},
	'x': {{{.18, .2}, {.82, .82}}, {{.82, .2}, {.18, .82}}},
	'=': {{{.12, .36}, {.88, .36}}, {{.12, .64}, {.88, .64}}},
	'?': {append(arc(.5, .26, .3, .26, 190, 435), point{.5, .7}), {{.5, .97}, {.5, .98}}},
}

func distance(p, a, b point) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	square := dx*dx + dy*dy
	along := 0.0
	if square > 0 {
		along = min(max(((p.x-a.x)*dx+(p.y-a.y)*dy)/square, 0), 1)
	}
	return length(p.x-a.x-along*dx, p.y-a.y-along*dy)
}

// length is a faster math.Hypot: pixel distances cannot overflow.
func length(x, y float64) float64 { return math.Sqrt(x*x + y*y) }
