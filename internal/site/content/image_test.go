package content_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"image"
	"image/png"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/picture"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant/merchanttest"
)

func TestImagesMustBeInCDNFolder(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	s, err := content.New(content.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Images: site.Merchants})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	withImage := banner("own", "m_home")
	withImage.Image = "https://cdn.test/fair/own.webp"
	withTextImage := banner("texts", "m_home")
	withTextImage.Texts["ur"] = content.Text{Title: "x", Image: "https://cdn.test/fair/rtl.webp"}
	for _, a := range []content.Announcement{withImage, withTextImage} {
		if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{a}}); !errors.Is(err, content.ErrMalformed) {
			t.Errorf("announcement %s without system.cdn: %v, want ErrMalformed", a.Code, err)
		}
	}
	if err := site.Merchants.Set(t.Context(), site.ID, "system.cdn", json.RawMessage(`["https://cdn.test/fair/"]`)); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{withImage, withTextImage}}); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"https://other.test/fair/own.webp", "http://cdn.test/fair/own.webp", "https://cdn.test/fair/a b.webp"} {
		withImage.Image = address
		if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{withImage}}); !errors.Is(err, content.ErrMalformed) {
			t.Errorf("image %s: %v, want ErrMalformed", address, err)
		}
	}
}

func TestSE07ContentPicturesPart(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	s, err := content.New(content.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Images: site.Merchants})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	valid := encoded.Bytes()
	manyPixels := bytes.Clone(valid)
	header := manyPixels[12:29] // the IHDR chunk
	binary.BigEndian.PutUint32(header[4:], 60_000)
	binary.BigEndian.PutUint32(header[8:], 60_000)
	binary.BigEndian.PutUint32(manyPixels[29:], crc32.ChecksumIEEE(header))
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"too many bytes":  {append(bytes.Clone(valid), make([]byte, picture.MaxBytes)...), picture.ErrTooLarge},
		"too many pixels": {manyPixels, picture.ErrTooLarge},
		"not a picture":   {[]byte("<svg onload=alert(1)>"), picture.ErrFormat},
	} {
		_, err := s.AddPicture(t.Context(), "image/png", c.data)
		if !errors.Is(err, content.ErrPicture) || !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want ErrPicture because of %v", name, err, c.want)
		}
	}
}
