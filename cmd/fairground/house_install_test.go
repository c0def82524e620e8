package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// On a real site only the House's own vendor opens House games. An imported vendor waits for vendor create.
func TestHouseInstall(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	args := []string{"--data", data}
	s := start(t, append(args, "--currency", "VND")...)
	runCommand(t, "Secret-pass7\n", args, "member", "create", "minhanh", "--of-age", "--password-stdin")
	file := filepath.Join(t.TempDir(), "games.json")
	err := os.WriteFile(file, []byte(`{
		"vendors": [{"code": "PG", "displayName": "Paper Garden", "accountTypeName": "RNG", "categories": ["RNG"], "sorting": 1}],
		"games": [{"gameId": "pg-1", "vendor": "PG", "category": "RNG", "icon": "/m/art/a.webp", "minBet": 1000, "minLines": 20, "sorting": 1, "supportPlay": true, "freeplay": true,
			"names": {"vi": "Một", "en": "One", "ur": "ایک", "pt": "Um"}}]}`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	runCommand(t, "", args, "catalogue", "import", file)
	token := s.login("minhanh", "Secret-pass7")
	launch := func(vendor, game string) (response, string) {
		t.Helper()
		a := s.call(http.MethodPost, "/wps/game/launchGame", token, body(map[string]any{"gameCategory": "RNG", "vendor": vendor, "gameId": game, "supportPlay": true}))
		return a, string(a.Value)
	}
	if a, _ := launch("PG", "pg-1"); a.ErrorCode != "vendor.not_open" {
		t.Errorf("game of an imported vendor: %d %s, want vendor.not_open", a.status, a.ErrorCode)
	}
	if list := value[struct{ Games []struct{ NotOpen bool } }](s, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameType=RNG", "", ""); len(list.Games) != 1 || !list.Games[0].NotOpen {
		t.Errorf("tile of an imported vendor's game: %+v, want not open", list)
	}
	install := func(want string) {
		t.Helper()
		if code, out, stderr := command(t, "", append([]string{"house", "install"}, args...)...); code != 0 || !strings.HasPrefix(out, "The House is installed: ") || strings.Contains(out, " 0 games") != (want == "0") {
			t.Errorf("house install: %d %s%s, want exit code 0 and %s games", code, out, stderr, want)
		}
	}
	install("some")
	install("0")
	if a, value := launch("HOUSE", "rng-001"); a.status != 200 || !strings.Contains(value, "/m/house/") {
		t.Errorf("House game: %d %s %s, want an address of the House", a.status, a.ErrorCode, value)
	}
	if a, _ := launch("PG", "pg-1"); a.ErrorCode != "vendor.not_open" {
		t.Errorf("after house install, game of an imported vendor: %d %s, want vendor.not_open", a.status, a.ErrorCode)
	}
	wantError(t, "vendor.exists", append([]string{"vendor", "create", "--code", "HOUSE", "--name", "House", "--launch-url", "https://play.example/g?t={ticket}"}, args...)...)
	runCommand(t, "", args, "vendor", "create", "--code", "PG", "--name", "Paper Garden", "--launch-url", "https://play.example/g?t={ticket}")
	if a, value := launch("PG", "pg-1"); a.status != 200 || !strings.Contains(value, "https://play.example/g?t=") {
		t.Errorf("adopted vendor: %d %s %s, want its address", a.status, a.ErrorCode, value)
	}
}
