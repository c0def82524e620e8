// Package picturetest provides pictures and bad files for tests of uploads.
package picturetest

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"testing"
)

// A File is an uploaded file.
type File struct {
	ContentType string
	Data        []byte
}

// PNG returns a square picture.
func PNG(t testing.TB, side int) File {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range img.Pix {
		img.Pix[i] = byte(i * 7)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return File{"image/png", out.Bytes()}
}

// LocationWidth and LocationHeight are the size of the picture that WithLocation returns.
const LocationWidth, LocationHeight = 30, 20

// WithLocation returns a JPEG whose EXIF segment contains a location.
func WithLocation(t testing.TB) File {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, image.NewRGBA(image.Rect(0, 0, LocationWidth, LocationHeight)), nil); err != nil {
		t.Fatal(err)
	}
	exif := "Exif\x00\x00MM\x00*GPS 10.7769N 106.7009E"
	segment := append([]byte{0xff, 0xe1, 0, byte(len(exif) + 2)}, exif...)
	return File{"image/jpeg", append(append([]byte{0xff, 0xd8}, segment...), out.Bytes()[2:]...)}
}

// WantWithoutLocation checks that a stored picture is the JPEG of WithLocation without its location.
func WantWithoutLocation(t testing.TB, who string, data []byte) {
	t.Helper()
	if c, err := jpeg.DecodeConfig(bytes.NewReader(data)); err != nil || c.Width != LocationWidth || c.Height != LocationHeight {
		t.Errorf("picture for %s: %d × %d, %v, want a JPEG of %d × %d", who, c.Width, c.Height, err, LocationWidth, LocationHeight)
	}
	if bytes.Contains(data, []byte("GPS")) || bytes.Contains(data, []byte("Exif")) {
		t.Errorf("picture for %s has the place where it was taken, want none", who)
	}
}

// A BadFile is a file that every upload of a picture must refuse.
type BadFile struct {
	File

	TooLarge bool // it has too many bytes or pixels
}

// BadFiles returns files that every upload of a picture must refuse, by what is wrong.
func BadFiles(t testing.TB) map[string]BadFile {
	t.Helper()
	valid := PNG(t, 8).Data
	bomb := bytes.Clone(valid)
	copy(bomb[16:], "\x00\x00\xff\xff\x00\x00\xff\xff") // 65535 × 65535 in the header
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	refused := func(contentType string, data []byte) BadFile { return BadFile{File: File{contentType, data}} }
	tooLarge := func(data []byte) BadFile { return BadFile{File{"image/png", data}, true} }
	return map[string]BadFile{
		"6 MB":               tooLarge(append(bytes.Clone(valid), make([]byte, 6<<20)...)),
		"decompression bomb": tooLarge(bomb),
		"empty":              refused("image/png", nil),
		"renamed executable": refused("image/png", append([]byte("MZ\x90\x00"), make([]byte, 4000)...)),
		"SVG with script":    refused("image/svg+xml", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)),
		"SVG named as PNG":   refused("image/png", []byte(`<svg onload="alert(1)"/>`)),
		"PNG named as JPEG":  refused("image/jpeg", valid),
		"WebP":               refused("image/webp", []byte("RIFF0000WEBPVP8 ")),
		"cut short":          refused("image/png", valid[:len(valid)-20]),
		"half":               refused("image/png", valid[:len(valid)/2]),
		"start of a JPEG":    refused("image/jpeg", []byte("\xff\xd8\xff")),
	}
}
