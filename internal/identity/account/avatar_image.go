package account

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

	"fairground/internal/fault"
	"fairground/internal/platform/ratelimit"
)

// Faults of an uploaded picture.
var (
	ErrPictureFormat = fault.New(fault.Invalid, "avatar.format")
	ErrPictureLarge  = fault.New(fault.TooLarge, "avatar.too_large")
	ErrPictureCrop   = fault.New(fault.Invalid, "avatar.crop")
)

const (
	maxPicture = 5 << 20 // bytes of an upload
	// maxPixels limits the decoded size: a progressive JPEG takes up to 15 bytes of memory per pixel.
	maxPixels = 16 << 20
	// maxScans limits the scans of a JPEG. Cameras and browsers write about ten.
	maxScans = 64
	// maxScannedPixels limits scans × pixels, which a file of a few kilobytes can inflate.
	maxScannedPixels = 16 * maxPixels
	// decodeTimeout is how long an upload waits for other uploads.
	decodeTimeout = 10 * time.Second

	avatarSize    = 256
	avatarQuality = 85
)

var errScannedPixels = errors.New("too many scans of too many pixels")

// background fills transparent parts, because a JPEG has no transparency.
var background = color.RGBA{R: 0x3b, G: 0x2a, B: 0x6b, A: 0xff}

// A Crop is the square of a picture to use. The zero Crop is the largest centred square.
type Crop struct{ X, Y, Size int }

type pictureFormat struct {
	mediaType, magic string // ? in magic matches any byte
	config           func(io.Reader) (image.Config, error)
	decode           func(io.Reader) (image.Image, error)
}

var pictureFormats = []pictureFormat{
	{"image/png", "\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode},
	{"image/jpeg", "\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode},
	{"image/webp", "RIFF????WEBPVP8", webp.DecodeConfig, webp.Decode},
}

// renderAvatar encodes a square of an uploaded file as a new JPEG, without metadata.
func (s *Service) renderAvatar(ctx context.Context, contentType string, data []byte, crop Crop) ([]byte, error) {
	format, err := detectFormat(contentType, data)
	if err != nil {
		return nil, err
	}
	config, err := format.config(bytes.NewReader(data))
	if err != nil || config.Width < 1 || config.Height < 1 {
		return nil, ErrPictureFormat.Because(err)
	}
	if config.Width > maxPixels/config.Height {
		return nil, ErrPictureLarge
	}
	if format.mediaType == "image/jpeg" && countScans(data)*config.Width*config.Height > maxScannedPixels {
		return nil, ErrPictureFormat.Because(errScannedPixels)
	}
	square, err := crop.square(config.Width, config.Height)
	if err != nil {
		return nil, err
	}
	wait := time.NewTimer(decodeTimeout)
	defer wait.Stop()
	select {
	case s.decodeSlot <- struct{}{}:
		defer func() { <-s.decodeSlot }()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to decode a picture: %w", ctx.Err())
	case <-wait.C:
		return nil, ratelimit.ErrLimited.With("seconds", int(decodeTimeout/time.Second))
	}
	picture, err := format.decode(bytes.NewReader(data))
	if err != nil {
		return nil, ErrPictureFormat.Because(err)
	}
	if picture.Bounds().Dx() != config.Width || picture.Bounds().Dy() != config.Height {
		return nil, ErrPictureFormat.Because(errors.New("the decoded size differs from the header"))
	}
	out := image.NewRGBA(image.Rect(0, 0, avatarSize, avatarSize))
	draw.Draw(out, out.Bounds(), image.NewUniform(background), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(out, out.Bounds(), picture, square.Add(picture.Bounds().Min), draw.Over, nil)
	var encoded bytes.Buffer
	if err := jpeg.Encode(&encoded, out, &jpeg.Options{Quality: avatarQuality}); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return encoded.Bytes(), nil
}

func detectFormat(contentType string, data []byte) (pictureFormat, error) {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return pictureFormat{}, ErrPictureFormat.Because(err)
	}
	for _, format := range pictureFormats {
		if format.mediaType == media && hasMagic(data, format.magic) {
			if media == "image/jpeg" && countScans(data) > maxScans {
				return pictureFormat{}, ErrPictureFormat.Because(errors.New("too many scans"))
			}
			return format, nil
		}
	}
	return pictureFormat{}, ErrPictureFormat
}

// countScans may count too many: bytes of other segments can look like a scan.
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

func (c Crop) square(width, height int) (image.Rectangle, error) {
	if c == (Crop{}) {
		size := min(width, height)
		c = Crop{X: (width - size) / 2, Y: (height - size) / 2, Size: size}
	}
	if c.Size < 1 || c.X < 0 || c.Y < 0 || c.Size > width || c.Size > height || c.X > width-c.Size || c.Y > height-c.Size {
		return image.Rectangle{}, ErrPictureCrop
	}
	return image.Rect(c.X, c.Y, c.X+c.Size, c.Y+c.Size), nil
}
