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
		t.Fatalf("ReadFile = %+v, %v; want one vendor and one game", f, err)
	}
	if g := f.Games[0].Game(); g.LaunchCode != "new-1" || !g.Enabled || g.Names["vi"] != "Mới Một" {
		t.Errorf("game = %+v, want new-1, enabled, with the Vietnamese name", g)
	}
	for name, tt := range map[string]struct {
		from, to string
		want     error
		contains string
	}{
		"not JSON":            {goodFile, "vendors: none", catalogue.ErrMalformed, "after 0 bytes"},
		"unknown field":       {`"sorting": 5`, `"weight": 5`, catalogue.ErrMalformed, "weight"},
		"data after the end":  {goodFile, goodFile + "{}", catalogue.ErrMalformed, "unexpected data follows"},
		"wrong type":          {`"minBet": 100`, `"minBet": "100"`, catalogue.ErrMalformed, "minBet"},
		"fraction":            {`"minBet": 100`, `"minBet": 0.5`, catalogue.ErrMalformed, "minBet"},
		"vendor of a view":    {`"categories": ["RNG"]`, `"categories": ["HOT"]`, catalogue.ErrUnknownCategory, "vendor NEW: HOT"},
		"game of a view":      {`"category": "RNG"`, `"category": "ALL"`, catalogue.ErrUnknownCategory, "game new-1: ALL"},
		"missing name":        {`"ur": "نیا ایک", `, ``, catalogue.ErrNameMissing, "game new-1: ur"},
		"unknown language":    {`"ur": "نیا ایک"`, `"ur": "نیا ایک", "fr": "Un"`, catalogue.ErrMalformed, "no language fr"},
		"invisible character": {`New One`, "New\u202eOne", catalogue.ErrMalformed, "name in en"},
		"long name":           {`New One`, strings.Repeat("n", 65), catalogue.ErrMalformed, "name in en"},
		"blank name":          {`New One`, `  `, catalogue.ErrMalformed, "name in en"},
		"code with space":     {`"gameId": "new-1"`, `"gameId": "new 1"`, catalogue.ErrMalformed, "gameId"},
		"empty vendor code":   {`"code": "NEW"`, `"code": ""`, catalogue.ErrMalformed, "code"},
		"empty vendor name":   {`"displayName": "New Hand"`, `"displayName": ""`, catalogue.ErrMalformed, "displayName"},
		"empty account type":  {`"accountTypeName": "RNG"`, `"accountTypeName": ""`, catalogue.ErrMalformed, "accountTypeName"},
		"icon script":         {`/m/art/tiles/new-1.webp`, `javascript:alert(1)`, catalogue.ErrMalformed, "icon"},
		"icon over http":      {`/m/art/tiles/new-1.webp`, `http://x/y.png`, catalogue.ErrMalformed, "icon"},
		"icon without host":   {`/m/art/tiles/new-1.webp`, `https:///y.png`, catalogue.ErrMalformed, "icon"},
		"vendor icon script":  {`"displayName": "New Hand"`, `"displayName": "New Hand", "icon": "javascript:alert(1)"`, catalogue.ErrMalformed, "icon"},
		"icon without scheme": {`/m/art/tiles/new-1.webp`, `//x/y.png`, catalogue.ErrMalformed, "icon"},
		"malformed class":     {`["new"]`, `["a,b"]`, catalogue.ErrMalformed, "class"},
		"negative bet":        {`"minBet": 100`, `"minBet": -1`, catalogue.ErrMalformed, "negative"},
		"malformed game code": {`"minBet": 100`, `"minBet": 100, "gameCode": "a/b"`, catalogue.ErrMalformed, "gameCode"},
		"long group":          {`"minBet": 100`, `"minBet": 100, "gameGroupId": "` + strings.Repeat("x", 65) + `"`, catalogue.ErrMalformed, "gameGroupId"},
		"null":                {goodFile, " null\n", catalogue.ErrMalformed, "no catalogue"},
		"repeated field":      {`"minBet": 100`, `"minBet": 100, "minBet": 1`, catalogue.ErrMalformed, "games.minBet: "},
		"lone surrogate":      {`New One`, `New \ud83c`, catalogue.ErrMalformed, "games.names.en: "},
		"invalid UTF-8":       {`New One`, "New \xff", catalogue.ErrMalformed, "games.names.en: "},
		"unknown lotto mode":  {`"minBet": 100`, `"minBet": 100, "lottoMode": "Solo"`, catalogue.ErrMalformed, "lottoMode must be empty, Tradition, Entertainment"},
		"U+0000":              {`"minBet": 100`, `"minBet": 100, "lottoMode": "a\u0000"`, catalogue.ErrMalformed, "games.lottoMode: "},
		"name without letter": {`New One`, `★ !`, catalogue.ErrMalformed, "name in en has no letter"},
		"many classes":        {`["new"]`, `["new"` + strings.Repeat(`, "c"`, 32) + `]`, catalogue.ErrMalformed, "32 classes"},
		"repeated category":   {`"categories": ["RNG"]`, `"categories": ["RNG", "RNG"]`, catalogue.ErrMalformed, "category RNG occurs twice"},
		"repeated vendor":     {`"vendors": [`, `"vendors": [{"code": "NEW", "displayName": "New", "accountTypeName": "RNG"}, `, catalogue.ErrMalformed, "vendor NEW occurs twice"},
	} {
		text := strings.Replace(goodFile, tt.from, tt.to, 1)
		if _, err := catalogue.ReadFile(strings.NewReader(text)); !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.contains) {
			t.Errorf("%s: %v, want %v containing %q", name, err, tt.want, tt.contains)
		}
	}
	f.Games = append(f.Games, f.Games[0])
	raw, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := catalogue.ReadFile(strings.NewReader(string(raw))); err == nil || !strings.Contains(err.Error(), "game new-1 occurs twice") {
		t.Errorf("repeated game: %v, want an error with \"game new-1 occurs twice\"", err)
	}
}

type endlessReader struct{ read int }

func (e *endlessReader) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = ' '
	}
	e.read += len(into)
	return len(into), nil
}

func TestReadFileIsBounded(t *testing.T) {
	t.Parallel()
	rejects := func(t *testing.T, from io.Reader, contains string) {
		t.Helper()
		if _, err := catalogue.ReadFile(from); !errors.Is(err, catalogue.ErrMalformed) || !strings.Contains(err.Error(), contains) {
			t.Errorf("ReadFile: %v, want ErrMalformed containing %q", err, contains)
		}
	}
	t.Run("a file above the size limit is not read at all", func(t *testing.T) {
		t.Parallel()
		file, err := os.Create(filepath.Join(t.TempDir(), "long.json"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := file.Truncate(1 << 40); err != nil {
			t.Fatal(err)
		}
		rejects(t, file, "larger than 64 MB")
		if at, err := file.Seek(0, io.SeekCurrent); at != 0 || err != nil {
			t.Errorf("read up to %d, %v; want nothing read", at, err)
		}
	})
	t.Run("a reader without a length is read up to the limit", func(t *testing.T) {
		t.Parallel()
		from := &endlessReader{}
		rejects(t, from, "larger than 64 MB")
		if from.read > 80<<20 {
			t.Errorf("read %d bytes, want about 64 MB", from.read)
		}
	})
	rows := func(n int) string { return strings.Repeat("{},", n-1) + "{}" }
	rejects(t, strings.NewReader(`{"games": [`+rows(50_001)+`]}`), "more than 50000 vendors and games")
	rejects(t, strings.NewReader(`{"vendors": [`+rows(20_000)+`], "GAMES": [`+rows(30_001)+`]}`), "more than 50000 vendors and games")
	rejects(t, strings.NewReader(`{"games": [`+strings.Repeat("0,", 50_000)+`0]}`), "more than 50000 vendors and games")
	if _, err := catalogue.ReadFile(strings.NewReader(`{"games": [` + rows(50_000) + `]}`)); !errors.Is(err, catalogue.ErrUnknownCategory) {
		t.Errorf("50000 rows: %v, want ErrUnknownCategory of the first", err)
	}
	rejects(t, strings.NewReader(strings.Replace(goodFile, `["new"]`, `["new"`+strings.Repeat(`,""`, 30_000)+`]`, 1)), "longer than 64 KB")
	rejects(t, strings.NewReader(strings.Replace(goodFile, `["new"]`, `["new"`+strings.Repeat(`,""`, 2_000)+`]`, 1)), "32 classes")
	rejects(t, strings.NewReader(`{"games": [`+rows(60_000)), "more than 50000") // truncated
	rejects(t, strings.NewReader(`{"games": [`+rows(40_000)), "unexpected EOF")
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
			if got := listGames(t, site, "gameName", "moi", "vassalage", "NEW"); got.ids() != "new-1" {
				t.Errorf("search = %+v, want new-1", got)
			}
		}
		node := nodeIDs(t, store)["new-1"]
		f.Games[0].Names["vi"] = "Khác Hẳn"
		f.Games = append(f.Games, f.Games[0])
		f.Games[1].GameID, f.Games[1].Vendor = "new-2", "NOBODY"
		if err := s.Import(t.Context(), site.ID, f); !errors.Is(err, catalogue.ErrMalformed) || !strings.Contains(err.Error(), "game new-2: there is no vendor NOBODY") {
			t.Errorf("unknown vendor: %v, want ErrMalformed and \"game new-2: there is no vendor NOBODY\"", err)
		}
		if got := listGames(t, site, "gameName", "khac han"); got.Total != 0 {
			t.Error("part of a rejected file was stored")
		}
		f.Games[1].Vendor, f.Games[1].Disabled, f.Vendors = "PG", new(true), nil
		if err := s.Import(t.Context(), site.ID, f); err != nil {
			t.Fatal(err)
		}
		if got := listGames(t, site, "gameName", "khac han"); got.ids() != "new-1" || nodeIDs(t, store)["new-1"] != node {
			t.Errorf("search by the new name = %+v, want new-1 with its node id", got)
		}
		if got := listGames(t, site, "gameName", "moi"); got.Total != 0 {
			t.Errorf("search by the old name = %+v, want nothing", got)
		}
	})
}

// Scripts import the same file repeatedly. They must not undo an operator's changes to switches.
func TestImportKeepsSwitches(t *testing.T) {
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
		importFile := func(f catalogue.File) {
			t.Helper()
			if err := s.Import(t.Context(), site.ID, f); err != nil {
				t.Fatal(err)
			}
		}
		wantSwitches := func(want catalogue.Switches) {
			t.Helper()
			v, err := s.SwitchVendor(t.Context(), site.ID, "NEW", catalogue.Switches{})
			if err != nil || v.Enabled != *want.Enabled || v.Maintenance != *want.Maintenance {
				t.Errorf("enabled %t, maintenance %t, %v, want %t and %t", v.Enabled, v.Maintenance, err, *want.Enabled, *want.Maintenance)
			}
		}
		wantGames := func(want int64) {
			t.Helper()
			if got := listGames(t, site, "vassalage", "NEW"); got.Total != want {
				t.Errorf("%d games, want %d", got.Total, want)
			}
		}
		const vendor, game = `"sorting": 5`, `"minBet": 100`

		importFile(read())
		wantSwitches(catalogue.Switches{Enabled: new(true), Maintenance: new(false)})
		if _, err := s.SwitchVendor(t.Context(), site.ID, "NEW", catalogue.Switches{Maintenance: new(true)}); err != nil {
			t.Fatal(err)
		}
		importFile(read())
		wantSwitches(catalogue.Switches{Enabled: new(true), Maintenance: new(true)})
		importFile(read(vendor, `"sorting": 5, "maintenance": false`))
		wantSwitches(catalogue.Switches{Enabled: new(true), Maintenance: new(false)})

		if _, err := s.SwitchVendor(t.Context(), site.ID, "NEW", catalogue.Switches{Enabled: new(false)}); err != nil {
			t.Fatal(err)
		}
		importFile(read())
		wantSwitches(catalogue.Switches{Enabled: new(false), Maintenance: new(false)})
		importFile(read(vendor, `"sorting": 5, "disabled": false`))
		wantSwitches(catalogue.Switches{Enabled: new(true), Maintenance: new(false)})

		wantGames(1)
		importFile(read(game, `"minBet": 100, "disabled": true`))
		wantGames(0)
		importFile(read())
		wantGames(0)
		importFile(read(game, `"minBet": 100, "disabled": false`))
		wantGames(1)
	})
}
