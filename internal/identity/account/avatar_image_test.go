package account

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairground/internal/platform/ratelimit"
)

// HoldDecodeSlot blocks all decoding until release is called.
func (s *Service) HoldDecodeSlot() (release func()) {
	s.decodeSlot <- struct{}{}
	return func() { <-s.decodeSlot }
}

// Uploading reports whether the member has an upload in progress.
func (s *Service) Uploading(memberID int64) bool {
	_, busy := s.uploading.Load(memberID)
	return busy
}

func TestScannedPixelsAreLimited(t *testing.T) {
	t.Parallel()
	header := func(scans, side int) []byte {
		size := string([]byte{byte(side >> 8), byte(side), byte(side >> 8), byte(side)})
		comment := strings.Repeat("\xff\xda", scans-1)
		return []byte("\xff\xd8\xff\xfe\x00" + string([]byte{byte(len(comment) + 2)}) + comment + "\xff\xc0\x00\x0b\x08" + size + "\x01\x01\x11\x00\xff\xda\x00\x02")
	}
	for _, c := range []struct {
		scans, side int
		refused     bool
	}{{62, 4096, true}, {17, 4096, true}, {16, 4096, false}, {62, 1024, false}} {
		_, err := New(Options{}).renderAvatar(t.Context(), "image/jpeg", header(c.scans, c.side), Crop{})
		if !errors.Is(err, ErrPictureFormat) || errors.Is(err, errScannedPixels) != c.refused {
			t.Errorf("%d scans of %d pixels squared: %v, refused for its scans: want %v", c.scans, c.side, err, c.refused)
		}
	}
}

func TestUploadWaitsForALimitedTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{})
		defer s.HoldDecodeSlot()()
		before := time.Now()
		png := "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00\x3a\x7e\x9b\x55"
		_, err := s.renderAvatar(t.Context(), "image/png", []byte(png), Crop{})
		if !errors.Is(err, ratelimit.ErrLimited) || time.Since(before) != decodeTimeout {
			t.Errorf("error = %v after %v, want ErrLimited after %v", err, time.Since(before), decodeTimeout)
		}
	})
}
