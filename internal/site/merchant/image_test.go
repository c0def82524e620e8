package merchant_test

import (
	"encoding/json"
	"slices"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestPicturesComeFromWhereTheOperatorSaid(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	shows := func(address string, want bool) {
		t.Helper()
		if got, err := site.Merchants.Shows(t.Context(), site.ID, address); err != nil || got != want {
			t.Errorf("%s: %v %v", address, got, err)
		}
	}
	origins := func(want ...string) {
		t.Helper()
		if got, err := site.Merchants.PictureOrigins(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v %v", got, err)
		}
	}
	shows("https://cdn.test/fair/a.webp", false)
	origins()
	list := `["https://CDN.test/fair/","https://cdn.test/other/","https://b.test:8443/","/m/"]`
	if err := site.Merchants.Set(t.Context(), site.ID, "system.cdn", json.RawMessage(list)); err != nil {
		t.Fatal(err)
	}
	shows("https://cdn.test/other/a.webp", true)
	shows("https://cdn.test/else/a.webp", false)
	shows("https://cdn.test.evil.test/other/a.webp", false)
	shows("/m/art/a.webp", true)
	origins("https://cdn.test", "https://b.test:8443")
}
