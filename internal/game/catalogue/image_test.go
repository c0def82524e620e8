package catalogue_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"fairground/internal/game/catalogue"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestIconsMustBeBelowTheCDN(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	s, err := catalogue.New(catalogue.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Images: site.Merchants})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	const tile, logo = "https://cdn.test/fair/new-1.webp", "https://cdn.test/fair/new.webp"
	read := func(text string) catalogue.File {
		t.Helper()
		f, err := catalogue.ReadFile(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	withTile := read(strings.Replace(goodFile, "/m/art/tiles/new-1.webp", tile, 1))
	withLogo := read(strings.Replace(goodFile, `"code": "NEW"`, `"code": "NEW", "icon": "`+logo+`"`, 1))
	for owner, f := range map[string]catalogue.File{"game new-1": withTile, "vendor NEW": withLogo} {
		if err := s.Import(t.Context(), site.ID, f); !errors.Is(err, catalogue.ErrMalformed) || !strings.Contains(err.Error(), owner+": icon") {
			t.Errorf("import of %s without system.cdn: %v, want ErrMalformed about its icon", owner, err)
		}
	}
	if err := site.Merchants.Set(t.Context(), site.ID, "system.cdn", json.RawMessage(`["/m/","https://cdn.test/fair/"]`)); err != nil {
		t.Fatal(err)
	}
	withTile.Vendors[0].Icon = logo
	if err := s.Import(t.Context(), site.ID, withTile); err != nil {
		t.Fatal(err)
	}
	site.Serve(t, nil, func(a *rest.API) { catalogue.Routes(a, s) })
	for path, want := range map[string]string{"/wps/relay/GCSGAME_newGameVendor": `"iconUrl":"` + logo + `"`, "/wps/relay/GCSGAME_gameList": `"iconUrl":"` + tile + `"`} {
		if got := site.Call(t, "GET", path, nil); !strings.Contains(string(got.Body), want) {
			t.Errorf("%s = %s, want %s", path, got.Body, want)
		}
	}
}
