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
	// maxPicture is how many bytes a picture may have as it is sent.
	maxPicture = 5 << 20
	// maxPixels bounds what a small file can unfold to: a progressive JPEG takes up to 15 bytes a pixel while it is read.
	maxPixels = 16 << 20
	// maxScans bounds how often a JPEG makes its reader go over all pixels. Cameras and browsers make about ten, and a
	// few more in the thumbnail inside.
	maxScans = 64
	// maxPasses bounds both together: a file of some kilobytes can make its reader go over millions of pixels many times.
	maxPasses = 16 * maxPixels
	// decodeWait is how long somebody waits for others' pictures.
	decodeWait = 10 * time.Second

	portraitSize    = 256
	portraitQuality = 85
)

var errPasses = errors.New("too many scans of too many pixels")

// behind is what shows through a picture that is transparent, for a JPEG cannot be.
var behind = color.RGBA{R: 0x3b, G: 0x2a, B: 0x6b, A: 0xff}

// Crop is the square of a picture that is kept. Size 0 means the largest in the middle.
type Crop struct{ X, Y, Size int }

// form is a kind of picture that is read.
type pictureForm struct {
	kind, magic string // ? stands for any byte
	config      func(io.Reader) (image.Config, error)
	decode      func(io.Reader) (image.Image, error)
}

var pictureForms = []pictureForm{
	{"image/png", "\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode},
	{"image/jpeg", "\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode},
	{"image/webp", "RIFF????WEBPVP8", webp.DecodeConfig, webp.Decode},
}

// portrait makes of somebody's file a picture of our own: nothing that was in the file besides its pixels is in it. One
// is read at a time, for it takes much memory.
func (s *Service) portrait(ctx context.Context, kind string, data []byte, crop Crop) ([]byte, error) {
	form, err := formOf(kind, data)
	if err != nil {
		return nil, err
	}
	config, err := form.config(bytes.NewReader(data))
	if err != nil || config.Width < 1 || config.Height < 1 {
		return nil, ErrPictureFormat.Because(err)
	}
	if config.Width > maxPixels/config.Height {
		return nil, ErrPictureLarge
	}
	if form.kind == "image/jpeg" && scansOf(data)*config.Width*config.Height > maxPasses {
		return nil, ErrPictureFormat.Because(errPasses)
	}
	square, err := crop.within(config.Width, config.Height)
	if err != nil {
		return nil, err
	}
	wait := time.NewTimer(decodeWait)
	defer wait.Stop()
	select {
	case s.decoding <- struct{}{}:
		defer func() { <-s.decoding }()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to read a picture: %w", ctx.Err())
	case <-wait.C:
		return nil, ratelimit.ErrLimited.With("seconds", int(decodeWait/time.Second))
	}
	picture, err := form.decode(bytes.NewReader(data))
	if err != nil {
		return nil, ErrPictureFormat.Because(err)
	}
	if picture.Bounds().Dx() != config.Width || picture.Bounds().Dy() != config.Height {
		return nil, ErrPictureFormat.Because(errors.New("the picture is not of the size that its head tells"))
	}
	out := image.NewRGBA(image.Rect(0, 0, portraitSize, portraitSize))
	draw.Draw(out, out.Bounds(), image.NewUniform(behind), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(out, out.Bounds(), picture, square.Add(picture.Bounds().Min), draw.Over, nil)
	var encoded bytes.Buffer
	if err := jpeg.Encode(&encoded, out, &jpeg.Options{Quality: portraitQuality}); err != nil {
		return nil, fmt.Errorf("write a picture: %w", err)
	}
	return encoded.Bytes(), nil
}

// formOf tells by its first bytes what a file is. It must be what it was sent as.
func formOf(kind string, data []byte) (pictureForm, error) {
	media, _, err := mime.ParseMediaType(kind)
	if err != nil {
		return pictureForm{}, ErrPictureFormat.Because(err)
	}
	for _, form := range pictureForms {
		if form.kind == media && begins(data, form.magic) {
			if media == "image/jpeg" && scansOf(data) > maxScans {
				return pictureForm{}, ErrPictureFormat.Because(errors.New("too many scans"))
			}
			return form, nil
		}
	}
	return pictureForm{}, ErrPictureFormat
}

// scansOf gives how many scans a JPEG has at most: what only looks like one is counted as well.
func scansOf(data []byte) int { return bytes.Count(data, []byte{0xff, 0xda}) }

func begins(data []byte, magic string) bool {
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

// within gives the square to keep of a picture of this size.
func (c Crop) within(width, height int) (image.Rectangle, error) {
	if c == (Crop{}) {
		size := min(width, height)
		c = Crop{X: (width - size) / 2, Y: (height - size) / 2, Size: size}
	}
	if c.Size < 1 || c.X < 0 || c.Y < 0 || c.Size > width || c.Size > height || c.X > width-c.Size || c.Y > height-c.Size {
		return image.Rectangle{}, ErrPictureCrop
	}
	return image.Rect(c.X, c.Y, c.X+c.Size, c.Y+c.Size), nil
}
