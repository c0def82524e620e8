package content_test

import (
	"encoding/json"
	"errors"
	"testing"

	"fairground/internal/platform/db/dbtest"
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
	for _, image := range []string{"https://other.test/fair/own.webp", "http://cdn.test/fair/own.webp", "https://cdn.test/fair/a b.webp"} {
		withImage.Image = image
		if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{withImage}}); !errors.Is(err, content.ErrMalformed) {
			t.Errorf("image %s: %v, want ErrMalformed", image, err)
		}
	}
}
