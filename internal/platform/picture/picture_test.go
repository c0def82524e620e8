package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairground/internal/platform/ratelimit"
)

func encodedPNG(t *testing.T, width, height int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = byte(i)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// fixChecksum repairs the checksum of a PNG's header.
func fixChecksum(data []byte) []byte {
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func TestSE07PartCheckRefuses(t *testing.T) {
	t.Parallel()
	valid := encodedPNG(t, 4, 4)
	wide := bytes.Clone(valid)
	copy(wide[16:], "\x00\x00\x80\x00\x00\x00\x80\x00") // 32768 × 32768 in the header
	for name, c := range map[string]struct {
		contentType string
		data        []byte
		want        error
	}{
		"valid file":                       {"image/png", valid, nil},
		"another declared type":            {"image/jpeg", valid, ErrFormat},
		"no declared type":                 {"", valid, ErrFormat},
		"SVG declared as PNG":              {"image/png", []byte("<svg onload=alert(1)>"), ErrFormat},
		"SVG, a type that is not accepted": {"image/svg+xml", []byte("<svg>"), ErrFormat},
		"only the magic bytes":             {"image/png", valid[:8], ErrFormat},
		"too many bytes":                   {"image/png", append(bytes.Clone(valid), make([]byte, MaxBytes)...), ErrTooLarge},
		"too many pixels":                  {"image/png", fixChecksum(wide), ErrTooLarge},
	} {
		_, err := Check(c.contentType, c.data)
		if !errors.Is(err, c.want) || (c.want == nil && err != nil) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}

func TestSE07PartRenderWritesANewFile(t *testing.T) {
	t.Parallel()
	const secret = "GPS 10.7769 106.7009"
	data := append(encodedPNG(t, 40, 20), secret...)
	upload, err := Check("image/png", data)
	if err != nil {
		t.Fatal(err)
	}
	out, err := NewDecoder().Render(t.Context(), upload, upload.Fit(10))
	if err != nil {
		t.Fatal(err)
	}
	config, err := jpeg.DecodeConfig(bytes.NewReader(out))
	if err != nil || config.Width != 10 || config.Height != 5 {
		t.Errorf("rendered %d × %d, %v, want a JPEG of 10 × 5", config.Width, config.Height, err)
	}
	if bytes.Contains(out, []byte(secret)) {
		t.Error("the rendered file contains data of the upload, want only its pixels")
	}
	truncated, err := Check("image/png", data[:60])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewDecoder().Render(t.Context(), truncated, truncated.Fit(10)); !errors.Is(err, ErrFormat) {
		t.Errorf("truncated file: got %v, want ErrFormat", err)
	}
}

func TestScaleFillsTransparentParts(t *testing.T) {
	t.Parallel()
	got := Scale(image.Rect(0, 0, 2, 2), 1, 1, color.White)(image.NewRGBA(image.Rect(5, 5, 7, 7))).At(0, 0)
	if want := (color.RGBA{255, 255, 255, 255}); got != want {
		t.Errorf("pixel = %v, want %v", got, want)
	}
}

func TestJPEGScansTimesPixelsAreLimited(t *testing.T) {
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
		_, err := Check("image/jpeg", header(c.scans, c.side))
		if errors.Is(err, errScannedPixels) != c.refused {
			t.Errorf("%d scans of %d × %d pixels: error = %v, want errScannedPixels: %v", c.scans, c.side, c.side, err, c.refused)
		}
	}
}

func TestRenderTimesOutWaitingForDecoderSlot(t *testing.T) {
	t.Parallel()
	upload, err := Check("image/png", encodedPNG(t, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		d := NewDecoder()
		d.slot <- struct{}{}
		before := time.Now()
		_, err := d.Render(t.Context(), upload, upload.Fit(1))
		if !errors.Is(err, ratelimit.ErrLimited) || time.Since(before) != decodeTimeout {
			t.Errorf("error = %v after %v, want ErrLimited after %v", err, time.Since(before), decodeTimeout)
		}
	})
}
