package account

import (
	"context"
	"errors"
	"image"
	"image/color"

	"fairground/internal/fault"
	"fairground/internal/platform/picture"
)

// Faults of an uploaded picture.
var (
	ErrPictureFormat = fault.New(fault.Invalid, "avatar.format")
	ErrPictureLarge  = fault.New(fault.TooLarge, "avatar.too_large")
	ErrPictureCrop   = fault.New(fault.Invalid, "avatar.crop")
)

const avatarSize = 256

// background replaces transparent pixels.
var background = color.RGBA{R: 0x3b, G: 0x2a, B: 0x6b, A: 0xff}

// A Crop is the square of a picture to use. The zero Crop is the largest centred square.
type Crop struct{ X, Y, Size int }

// renderAvatar encodes a square of an uploaded file as a new JPEG.
func (s *Service) renderAvatar(ctx context.Context, contentType string, data []byte, crop Crop) ([]byte, error) {
	upload, err := picture.Check(contentType, data)
	if err != nil {
		return nil, pictureFault(err)
	}
	square, err := crop.square(upload.Width, upload.Height)
	if err != nil {
		return nil, err
	}
	avatar, err := s.decoder.Render(ctx, upload, picture.Scale(square, avatarSize, avatarSize, background))
	return avatar, pictureFault(err)
}

func pictureFault(err error) error {
	switch {
	case errors.Is(err, picture.ErrFormat):
		return ErrPictureFormat.Because(err)
	case errors.Is(err, picture.ErrTooLarge):
		return ErrPictureLarge
	}
	return err
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
