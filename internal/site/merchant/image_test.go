package merchant_test

import (
	"encoding/json"
	"slices"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestImagesMustBeInCDNFolder(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	wantAllowed := func(imageURL string, want bool) {
		t.Helper()
		if got, err := site.Merchants.AllowsImage(t.Context(), site.ID, imageURL); err != nil || got != want {
			t.Errorf("AllowsImage(%s) = %v, %v; want %v", imageURL, got, err, want)
		}
	}
	wantOrigins := func(want ...string) {
		t.Helper()
		if got, err := site.Merchants.ImageOrigins(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("ImageOrigins = %v, %v; want %v", got, err, want)
		}
	}
	wantAllowed("https://cdn.test/fair/a.webp", false)
	wantOrigins()
	list := `["https://CDN.test/fair/","https://cdn.test/other/","https://b.test:8443/","/m/"]`
	if err := site.Merchants.Set(t.Context(), site.ID, "system.cdn", json.RawMessage(list)); err != nil {
		t.Fatal(err)
	}
	wantAllowed("https://cdn.test/other/a.webp", true)
	wantAllowed("https://cdn.test/else/a.webp", false)
	wantAllowed("https://cdn.test.evil.test/other/a.webp", false)
	wantAllowed("/m/art/a.webp", true)
	wantOrigins("https://cdn.test", "https://b.test:8443")
}
