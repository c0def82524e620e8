// Command demostream draws the ten seconds of the demo's stream: coloured balls that move over a field and end where they started. It
// writes raw frames of 640 × 360 pixels. scripts/demostream/pack.sh packs them as HLS.
package main

import (
	"bufio"
	"log"
	"math"
	"os"
)

const (
	width, height   = 640, 360
	framesPerSecond = 25
	frames          = 10 * framesPerSecond
)

type colour struct{ r, g, b float64 }

// A ball moves on a closed curve, a whole number of times in the film.
type ball struct {
	colour
	radius         float64
	x, y           float64 // centre of the curve, as a share of the picture
	reachX, reachY float64
	turnsX, turnsY float64
	phase          float64
}

var balls = []ball{
	{colour{255, 92, 92}, 17, .30, .46, .16, .18, 1, 2, 0},
	{colour{255, 92, 92}, 17, .24, .66, .12, .14, 2, 1, 1.2},
	{colour{255, 92, 92}, 17, .46, .58, .20, .16, 1, 1, 2.6},
	{colour{74, 130, 255}, 17, .68, .44, .14, .16, 1, 2, .7},
	{colour{74, 130, 255}, 17, .76, .68, .12, .12, 2, 1, 3.1},
	{colour{74, 130, 255}, 17, .58, .70, .18, .12, 1, 1, 4.4},
	{colour{255, 206, 84}, 10, .50, .56, .32, .26, 2, 3, .4},
}

// blend mixes a share of another colour into a colour.
func (c colour) blend(other colour, share float64) colour {
	return colour{c.r + (other.r-c.r)*share, c.g + (other.g-c.g)*share, c.b + (other.b-c.b)*share}
}

// background returns the field: a dark grandstand at the top, green stripes, a white line and a circle.
func background(x, y float64) colour {
	if y < height*.24 {
		return colour{18, 22, 44}.blend(colour{44, 52, 96}, y/(height*.24))
	}
	c := colour{22, 110, 70}
	if int((x+y*.35)/70)%2 == 0 {
		c = colour{26, 124, 78}
	}
	line := func(distance float64) float64 { return math.Max(0, 1-math.Abs(distance)) }
	middle := line((x - width/2) / 1.6)
	circle := line((math.Hypot(x-width/2, (y-height*.62)*1.5) - 78) / 1.8)
	border := line((y - height*.24) / 1.6)
	return c.blend(colour{225, 240, 230}, .8*math.Max(middle, math.Max(circle, border)))
}

func main() {
	field := make([]colour, width*height)
	for i := range field {
		field[i] = background(float64(i%width), float64(i/width))
	}
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	for frame := range frames {
		angle := 2 * math.Pi * float64(frame) / frames
		picture := append([]colour(nil), field...)
		for _, b := range balls {
			b.draw(picture, angle)
		}
		for _, c := range picture {
			if _, err := out.Write([]byte{byte(c.r), byte(c.g), byte(c.b)}); err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

func (b ball) draw(picture []colour, angle float64) {
	x := width * (b.x + b.reachX*math.Sin(b.turnsX*angle+b.phase))
	y := height * (b.y + b.reachY*math.Cos(b.turnsY*angle+b.phase))
	y = math.Max(height*.24+b.radius, math.Min(height-b.radius-4, y))
	for py := int(y - b.radius - 8); py <= int(y+b.radius+8); py++ {
		for px := int(x - b.radius - 2); px <= int(x+b.radius+2); px++ {
			if px < 0 || py < 0 || px >= width || py >= height {
				continue
			}
			i := py*width + px
			shadow := math.Hypot(float64(px)-x, (float64(py)-y-b.radius)*2.6) - b.radius*.9
			picture[i] = picture[i].blend(colour{0, 30, 20}, .4*math.Max(0, math.Min(1, -shadow)))
			distance := math.Hypot(float64(px)-x, float64(py)-y)
			ring := math.Max(0, math.Min(1, b.radius-distance))
			inner := math.Max(0, math.Min(1, b.radius-3-distance))
			picture[i] = picture[i].blend(colour{255, 255, 255}, ring).blend(b.colour, inner)
		}
	}
}
