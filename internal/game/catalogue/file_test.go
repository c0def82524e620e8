package catalogue_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairground/internal/game/catalogue"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

const goodFile = `{
  "vendors": [{"code": "NEW", "displayName": "New Hand", "accountTypeName": "RNG", "categories": ["RNG"], "sorting": 5}],
  "games": [{
    "gameId": "new-1", "vendor": "NEW", "category": "RNG", "icon": "/m/art/tiles/new-1.webp", "minBet": 100, "minLines": 5, "sorting": 1,
    "names": {"vi": "Mới Một", "en": "New One", "ur": "نیا ایک", "pt": "Novo Um"}, "classify": ["new"], "supportPlay": true, "freeplay": true
  }]
}`

func TestReadFile(t *testing.T) {
	t.Parallel()
	f, err := catalogue.ReadFile(strings.NewReader(goodFile))
	if err != nil || len(f.Vendors) != 1 || len(f.Games) != 1 {
		t.Fatalf("%+v %v", f, err)
	}
	if g := f.Games[0].Game(); g.LaunchCode != "new-1" || !g.Enabled || g.Names["vi"] != "Mới Một" {
		t.Errorf("%+v", g)
	}
	for what, tt := range map[string]struct {
		from, to string
		want     error
		says     string
	}{
		"no JSON":            {goodFile, "vendors: none", catalogue.ErrMalformed, "after 0 bytes"},
		"an unknown field":   {`"sorting": 5`, `"weight": 5`, catalogue.ErrMalformed, "weight"},
		"more after it":      {goodFile, goodFile + "{}", catalogue.ErrMalformed, "something follows"},
		"a wrong type":       {`"minBet": 100`, `"minBet": "100"`, catalogue.ErrMalformed, "minBet"},
		"half a unit":        {`"minBet": 100`, `"minBet": 0.5`, catalogue.ErrMalformed, "minBet"},
		"no category":        {`"categories": ["RNG"]`, `"categories": ["HOT"]`, catalogue.ErrUnknownCategory, "vendor NEW: HOT"},
		"a view":             {`"category": "RNG"`, `"category": "ALL"`, catalogue.ErrUnknownCategory, "game new-1: ALL"},
		"a name missing":     {`"ur": "نیا ایک", `, ``, catalogue.ErrNameMissing, "game new-1: ur"},
		"a tongue too many":  {`"ur": "نیا ایک"`, `"ur": "نیا ایک", "fr": "Un"`, catalogue.ErrMalformed, "no language fr"},
		"an unseen sign":     {`New One`, "New\u202eOne", catalogue.ErrMalformed, "name in en"},
		"a long name":        {`New One`, strings.Repeat("n", 65), catalogue.ErrMalformed, "name in en"},
		"a blank name":       {`New One`, `  `, catalogue.ErrMalformed, "name in en"},
		"a code with spaces": {`"gameId": "new-1"`, `"gameId": "new 1"`, catalogue.ErrMalformed, "gameId"},
		"a vendor's code":    {`"code": "NEW"`, `"code": ""`, catalogue.ErrMalformed, "code"},
		"its name":           {`"displayName": "New Hand"`, `"displayName": ""`, catalogue.ErrMalformed, "displayName"},
		"its account type":   {`"accountTypeName": "RNG"`, `"accountTypeName": ""`, catalogue.ErrMalformed, "accountTypeName"},
		"a script":           {`/m/art/tiles/new-1.webp`, `javascript:alert(1)`, catalogue.ErrMalformed, "icon"},
		"another protocol":   {`/m/art/tiles/new-1.webp`, `http://x/y.png`, catalogue.ErrMalformed, "icon"},
		"no address":         {`/m/art/tiles/new-1.webp`, `https:///y.png`, catalogue.ErrMalformed, "icon"},
		"a vendor's script":  {`"displayName": "New Hand"`, `"displayName": "New Hand", "icon": "javascript:alert(1)"`, catalogue.ErrMalformed, "icon"},
		"whose host":         {`/m/art/tiles/new-1.webp`, `//x/y.png`, catalogue.ErrMalformed, "icon"},
		"a class":            {`["new"]`, `["a,b"]`, catalogue.ErrMalformed, "class"},
		"below zero":         {`"minBet": 100`, `"minBet": -1`, catalogue.ErrMalformed, "below zero"},
		"a game code":        {`"minBet": 100`, `"minBet": 100, "gameCode": "a/b"`, catalogue.ErrMalformed, "gameCode"},
		"a long group":       {`"minBet": 100`, `"minBet": 100, "gameGroupId": "` + strings.Repeat("x", 65) + `"`, catalogue.ErrMalformed, "gameGroupId"},
		"nothing":            {goodFile, " null\n", catalogue.ErrMalformed, "no catalogue"},
		"a field twice":      {`"minBet": 100`, `"minBet": 100, "minBet": 1`, catalogue.ErrMalformed, "games.minBet: a name stands twice"},
		"half a pair":        {`New One`, `New \ud83c`, catalogue.ErrMalformed, "games.names.en: a text holds"},
		"no UTF-8":           {`New One`, "New \xff", catalogue.ErrMalformed, "games.names.en: a text holds"},
		"way of playing":     {`"minBet": 100`, `"minBet": 100, "lottoMode": "Solo"`, catalogue.ErrMalformed, "lottoMode is empty, or Tradition and Entertainment"},
		"U+0000":             {`"minBet": 100`, `"minBet": 100, "lottoMode": "a\u0000"`, catalogue.ErrMalformed, "games.lottoMode: a text holds"},
		"no letter":          {`New One`, `★ !`, catalogue.ErrMalformed, "name in en has no letter"},
		"many classes":       {`["new"]`, `["new"` + strings.Repeat(`, "c"`, 32) + `]`, catalogue.ErrMalformed, "32 classes"},
		"a category twice":   {`"categories": ["RNG"]`, `"categories": ["RNG", "RNG"]`, catalogue.ErrMalformed, "category RNG stands twice"},
		"one vendor twice":   {`"vendors": [`, `"vendors": [{"code": "NEW", "displayName": "New", "accountTypeName": "RNG"}, `, catalogue.ErrMalformed, "vendor NEW stands twice"},
	} {
		text := strings.Replace(goodFile, tt.from, tt.to, 1)
		if _, err := catalogue.ReadFile(strings.NewReader(text)); !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %v with %q", what, err, tt.want, tt.says)
		}
	}
	f.Games = append(f.Games, f.Games[0])
	raw, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := catalogue.ReadFile(strings.NewReader(string(raw))); err == nil || !strings.Contains(err.Error(), "game new-1 stands twice") {
		t.Errorf("%v", err)
	}
}

// endless never stops: nobody may read all of it.
type endless struct{ read int }

func (e *endless) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = ' '
	}
	e.read += len(into)
	return len(into), nil
}

func TestReadFileIsBounded(t *testing.T) {
	t.Parallel()
	refused := func(t *testing.T, from io.Reader, says string) {
		t.Helper()
		if _, err := catalogue.ReadFile(from); !errors.Is(err, catalogue.ErrMalformed) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	t.Run("a file that is too long is not read at all", func(t *testing.T) {
		t.Parallel()
		file, err := os.Create(filepath.Join(t.TempDir(), "long.json"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := file.Truncate(1 << 40); err != nil {
			t.Fatal(err)
		}
		refused(t, file, "longer than 64 MB")
		if at, err := file.Seek(0, io.SeekCurrent); at != 0 || err != nil {
			t.Errorf("read to %d, %v", at, err)
		}
	})
	t.Run("one without a length is read no further than it may go", func(t *testing.T) {
		t.Parallel()
		from := &endless{}
		refused(t, from, "longer than 64 MB")
		if from.read > 80<<20 {
			t.Errorf("%d bytes were read", from.read)
		}
	})
	rows := func(n int) string { return strings.Repeat("{},", n-1) + "{}" }
	refused(t, strings.NewReader(`{"games": [`+rows(50_001)+`]}`), "more than 50000 vendors and games")
	refused(t, strings.NewReader(`{"vendors": [`+rows(20_000)+`], "GAMES": [`+rows(30_001)+`]}`), "more than 50000 vendors and games")
	refused(t, strings.NewReader(`{"games": [`+strings.Repeat("0,", 50_000)+`0]}`), "more than 50000 vendors and games")
	if _, err := catalogue.ReadFile(strings.NewReader(`{"games": [` + rows(50_000) + `]}`)); !errors.Is(err, catalogue.ErrUnknownCategory) {
		t.Errorf("so many may come, and are looked at: %v", err)
	}
	refused(t, strings.NewReader(strings.Replace(goodFile, `["new"]`, `["new"`+strings.Repeat(`,""`, 30_000)+`]`, 1)), "longer than 64 KB")
	refused(t, strings.NewReader(strings.Replace(goodFile, `["new"]`, `["new"`+strings.Repeat(`,""`, 2_000)+`]`, 1)), "32 classes")
	refused(t, strings.NewReader(`{"games": [`+rows(60_000)), "more than 50000") // cut off
	refused(t, strings.NewReader(`{"games": [`+rows(40_000)), "unexpected EOF")
}

func TestImport(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		lobby(t, s, site.ID)
		f, err := catalogue.ReadFile(strings.NewReader(goodFile))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := s.Import(t.Context(), site.ID, f); err != nil {
				t.Fatal(err)
			}
			if got := ask(t, site, "gameName", "moi", "vassalage", "NEW"); got.ids() != "new-1" {
				t.Errorf("%+v", got)
			}
		}
		node := nodeIDs(t, store)["new-1"]
		f.Games[0].Names["vi"] = "Khác Hẳn"
		f.Games = append(f.Games, f.Games[0])
		f.Games[1].GameID, f.Games[1].Vendor = "new-2", "NOBODY"
		if err := s.Import(t.Context(), site.ID, f); !errors.Is(err, catalogue.ErrMalformed) || !strings.Contains(err.Error(), "game new-2: there is no vendor NOBODY") {
			t.Errorf("%v", err)
		}
		if got := ask(t, site, "gameName", "khac han"); got.Total != 0 {
			t.Error("a part of a refused file was stored")
		}
		f.Games[1].Vendor, f.Games[1].Disabled, f.Vendors = "PG", new(true), nil
		if err := s.Import(t.Context(), site.ID, f); err != nil {
			t.Fatal(err)
		}
		if got := ask(t, site, "gameName", "khac han"); got.ids() != "new-1" || nodeIDs(t, store)["new-1"] != node {
			t.Errorf("%+v", got)
		}
		if got := ask(t, site, "gameName", "moi"); got.Total != 0 {
			t.Errorf("an old name still finds it: %+v", got)
		}
	})
}

// Catalogues are taken in again and again, by scripts too: what an operator has switched meanwhile is not theirs to undo.
func TestImportLeavesSwitches(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		read := func(change ...string) catalogue.File {
			t.Helper()
			f, err := catalogue.ReadFile(strings.NewReader(strings.NewReplacer(change...).Replace(goodFile)))
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		take := func(f catalogue.File) {
			t.Helper()
			if err := s.Import(t.Context(), site.ID, f); err != nil {
				t.Fatal(err)
			}
		}
		stands := func(want catalogue.Switches) {
			t.Helper()
			v, err := s.SwitchVendor(t.Context(), site.ID, "NEW", catalogue.Switches{})
			if err != nil || v.Enabled != *want.Enabled || v.Maintenance != *want.Maintenance {
				t.Errorf("enabled %t, maintenance %t, %v, want %t and %t", v.Enabled, v.Maintenance, err, *want.Enabled, *want.Maintenance)
			}
		}
		games := func(want int64) {
			t.Helper()
			if got := ask(t, site, "vassalage", "NEW"); got.Total != want {
				t.Errorf("%d games, want %d", got.Total, want)
			}
		}
		const vendor, game = `"sorting": 5`, `"minBet": 100`

		take(read())
		stands(catalogue.Switches{Enabled: new(true), Maintenance: new(false)})
		if _, err := s.SwitchVendor(t.Context(), site.ID, "NEW", catalogue.Switches{Maintenance: new(true)}); err != nil {
			t.Fatal(err)
		}
		take(read())
		stands(catalogue.Switches{Enabled: new(true), Maintenance: new(true)})
		take(read(vendor, `"sorting": 5, "maintenance": false`))
		stands(catalogue.Switches{Enabled: new(true), Maintenance: new(false)})

		if _, err := s.SwitchVendor(t.Context(), site.ID, "NEW", catalogue.Switches{Enabled: new(false)}); err != nil {
			t.Fatal(err)
		}
		take(read())
		stands(catalogue.Switches{Enabled: new(false), Maintenance: new(false)})
		take(read(vendor, `"sorting": 5, "disabled": false`))
		stands(catalogue.Switches{Enabled: new(true), Maintenance: new(false)})

		games(1)
		take(read(game, `"minBet": 100, "disabled": true`))
		games(0)
		take(read())
		games(0)
		take(read(game, `"minBet": 100, "disabled": false`))
		games(1)
	})
}
