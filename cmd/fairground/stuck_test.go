package main

import (
	"testing"

	"fairground/internal/game/catalogue"
	"fairground/internal/game/house/frame"
	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// internal/game/house tests the rounds themselves.
func TestHouseStuckCommands(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		list := append([]string{"house", "stuck"}, args...)
		if code, out, stderr := command(t, "", list...); code != 0 || out != "" {
			t.Errorf("without stuck rounds: %d %q %s, want exit code 0 and no output", code, out, stderr)
		}
		retry := append([]string{"house", "retry", "7"}, args...)
		wantError(t, "the round is not stuck", retry...)
		s.end()
		wantError(t, "start it", retry...)
	})
}

// Two merchants may have a vendor and a game with the same codes but different names.
func TestX11GameNameIsPerMerchant(t *testing.T) {
	t.Parallel()
	p := newServerWithActors(t)
	ctx := t.Context()
	second, err := p.services.Merchants.Ensure(ctx, "second", "Second", "VND")
	if err != nil {
		t.Fatal(err)
	}
	game := catalogue.Game{Code: "rng-001", Vendor: "JL", Category: "RNG", LaunchCode: "rng-001", Names: map[string]string{}, Icon: "/m/icons/icon-512.png", Enabled: true}
	for _, l := range rest.Languages() {
		game.Names[l] = "Other name"
	}
	jl := catalogue.Vendor{Code: "JL", DisplayName: "JL", AccountType: "RNG", Categories: []string{"RNG"}, Enabled: true, House: true}
	err = p.services.Catalogue.Add(ctx, second, jl, []catalogue.Game{game}, vendor.ErrExists, func(*db.Tx) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	games := frame.Directory{Store: p.services.Store}
	if name, err := games.GameName(ctx, "second", "JL", "rng-001", "en"); err != nil || name != "Other name" {
		t.Errorf("name = %q, want Other name: %v", name, err)
	}
	if name, err := games.GameName(ctx, "fairground", "JL", "rng-001", "en"); err != nil || name == "" || name == "Other name" {
		t.Errorf("name = %q, want the name of fairground: %v", name, err)
	}
}
