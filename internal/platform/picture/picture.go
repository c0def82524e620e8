// Package picture accepts uploaded pictures. It limits their size, finds their real type by decoding them, and stores a new
// JPEG without metadata under a random name. The caller decides who may see a picture.
package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"mime"
	"time"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"

	"fairground/internal/platform/ratelimit"
)

// Reasons to reject an upload. A domain returns them as the cause of a fault.
var (
	ErrFormat   = errors.New("not a picture of an accepted format")
	ErrTooLarge = errors.New("too many pixels")
)

const (
	// MaxBytes limits an upload. Use it as the MaxBody of the call.
	MaxBytes = 5 << 20
	// maxPixels limits the decoded size: a progressive JPEG takes up to 15 bytes of memory per pixel.
	maxPixels = 16 << 20
	// maxScans limits the scans of a JPEG. Cameras and browsers write about ten.
	maxScans = 64
	// maxScannedPixels limits scans × pixels, because a file of a few kilobytes can have many scans of many pixels.
	maxScannedPixels = 16 * maxPixels
	// decodeTimeout is how long an upload waits while other uploads are decoded.
	decodeTimeout = 10 * time.Second

	quality = 85 // of the stored JPEG
)

var errScannedPixels = errors.New("too many scans of too many pixels")

type format struct {
	mediaType, magic string // ? in magic matches any byte
	config           func(io.Reader) (image.Config, error)
	decode           func(io.Reader) (image.Image, error)
}

var formats = []format{
	{"image/png", "\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode},
	{"image/jpeg", "\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode},
	{"image/webp", "RIFF????WEBPVP8", webp.DecodeConfig, webp.Decode},
}

// An Upload is a file that passed all checks that need no decoding.
type Upload struct {
	Width, Height int
	format        format
	data          []byte
}

// Check checks the size, the type and the header of a file. It fails with ErrFormat or ErrTooLarge.
func Check(contentType string, data []byte) (*Upload, error) {
	if len(data) > MaxBytes {
		return nil, ErrTooLarge
	}
	format, err := detect(contentType, data)
	if err != nil {
		return nil, err
	}
	config, err := format.config(bytes.NewReader(data))
	if err != nil || config.Width < 1 || config.Height < 1 {
		return nil, errors.Join(ErrFormat, err)
	}
	if config.Width > maxPixels/config.Height {
		return nil, ErrTooLarge
	}
	if format.mediaType == "image/jpeg" && countScans(data)*config.Width*config.Height > maxScannedPixels {
		return nil, errors.Join(ErrFormat, errScannedPixels)
	}
	return &Upload{config.Width, config.Height, format, data}, nil
}

func detect(contentType string, data []byte) (format, error) {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return format{}, errors.Join(ErrFormat, err)
	}
	for _, f := range formats {
		if f.mediaType != media || !hasMagic(data, f.magic) {
			continue
		}
		if media == "image/jpeg" && countScans(data) > maxScans {
			return format{}, errors.Join(ErrFormat, errors.New("too many scans"))
		}
		return f, nil
	}
	return format{}, ErrFormat
}

// countScans counts the scans of a JPEG. The result may be too high, because bytes of other segments can look like a scan.
func countScans(data []byte) int { return bytes.Count(data, []byte{0xff, 0xda}) }

func hasMagic(data []byte, magic string) bool {
	if len(data) < len(magic) {
		return false
	}
	for i := range len(magic) {
		if magic[i] != '?' && magic[i] != data[i] {
			return false
		}
	}
	return true
}

// A Decoder decodes one picture after another, because decoding needs much memory.
type Decoder struct{ slot chan struct{} }

// NewDecoder returns a Decoder.
func NewDecoder() *Decoder { return &Decoder{make(chan struct{}, 1)} }

// Render decodes an upload, calls draw, and encodes the result as a new JPEG without metadata. It fails with ErrFormat if
// the file cannot be decoded, and with ratelimit.ErrLimited after a long wait for other uploads.
func (d *Decoder) Render(ctx context.Context, u *Upload, draw func(image.Image) image.Image) ([]byte, error) {
	wait := time.NewTimer(decodeTimeout)
	defer wait.Stop()
	select {
	case d.slot <- struct{}{}:
		defer func() { <-d.slot }()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to decode a picture: %w", ctx.Err())
	case <-wait.C:
		return nil, ratelimit.ErrLimited.With("seconds", int(decodeTimeout/time.Second))
	}
	picture, err := u.format.decode(bytes.NewReader(u.data))
	if err != nil {
		return nil, errors.Join(ErrFormat, err)
	}
	if picture.Bounds().Dx() != u.Width || picture.Bounds().Dy() != u.Height {
		return nil, errors.Join(ErrFormat, errors.New("the decoded size differs from the header"))
	}
	var encoded bytes.Buffer
	if err := jpeg.Encode(&encoded, draw(picture), &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return encoded.Bytes(), nil
}

// Scale returns a function for Render that draws a part of a picture, relative to its top left corner, with the given width
// and height. A JPEG has no transparency: background fills transparent parts.
func Scale(part image.Rectangle, width, height int, background color.Color) func(image.Image) image.Image {
	return func(picture image.Image) image.Image {
		out := image.NewRGBA(image.Rect(0, 0, width, height))
		draw.Draw(out, out.Bounds(), image.NewUniform(background), image.Point{}, draw.Src)
		draw.CatmullRom.Scale(out, out.Bounds(), picture, part.Add(picture.Bounds().Min), draw.Over, nil)
		return out
	}
}

// Fit returns a function for Render that keeps the whole picture and limits its longer side. Use it for documents that
// people must read.
func (u *Upload) Fit(longest int) func(image.Image) image.Image {
	width, height := u.Width, u.Height
	if longer := max(width, height); longer > longest {
		width, height = max(1, width*longest/longer), max(1, height*longest/longer)
	}
	return Scale(image.Rect(0, 0, u.Width, u.Height), width, height, color.White)
}
