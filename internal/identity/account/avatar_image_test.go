package account

import (
	"context"
	"encoding/base64"
	"image"

	"fairground/internal/platform/picture"
)

// onePixel is a PNG of one pixel.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// HoldDecodeSlot blocks all decoding until release is called.
func (s *Service) HoldDecodeSlot() (release func()) {
	data, err := base64.StdEncoding.DecodeString(onePixel)
	if err != nil {
		panic(err)
	}
	upload, err := picture.Check("image/png", data)
	if err != nil {
		panic(err)
	}
	held, done := make(chan struct{}), make(chan struct{})
	go func() {
		_, _ = s.decoder.Render(context.Background(), upload, func(i image.Image) image.Image {
			close(held)
			<-done
			return i
		})
	}()
	<-held
	return func() { close(done) }
}

// Uploading reports whether the member has an upload in progress.
func (s *Service) Uploading(memberID int64) bool {
	_, busy := s.uploading.Load(memberID)
	return busy
}
