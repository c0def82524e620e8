package main

import (
	"testing"

	"fairground/internal/game/catalogue"
	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/server"
)

// Rounds that were set aside are listed and asked for again beside a running server; what happens to them is the House's own test.
func TestHouseStuckCommands(t *testing.T) {
	t.Parallel()
	eachDemo(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		list := append([]string{"house", "stuck"}, args...)
		if code, out, errs := command(t, "", list...); code != 0 || out != "" {
			t.Errorf("nothing is owed: %d %q %s", code, out, errs)
		}
		retry := append([]string{"house", "retry", "7"}, args...)
		wantError(t, "no such round was set aside", retry...)
		s.end()
		wantError(t, "start it", retry...)
	})
}

// Two merchants may have a vendor and a game of the same code: each game has its own merchant's name.
func TestX11AGameIsCalledAsItsMerchantCallsIt(t *testing.T) {
	t.Parallel()
	p := newCallers(t)
	ctx := t.Context()
	second, err := p.services.Merchants.Ensure(ctx, "second", "Second", "VND")
	if err != nil {
		t.Fatal(err)
	}
	game := catalogue.Game{Code: "rng-001", Vendor: "JL", Category: "RNG", LaunchCode: "rng-001", Names: map[string]string{}, Icon: vendorIcon, Enabled: true}
	for _, l := range rest.Languages() {
		game.Names[l] = "Called otherwise"
	}
	made := catalogue.Vendor{Code: "JL", DisplayName: "JL", AccountType: "RNG", Categories: []string{"RNG"}, Enabled: true}
	err = p.services.Catalogue.Add(ctx, second, made, []catalogue.Game{game}, vendor.ErrExists, func(*db.Tx) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	games := server.HouseGames{Store: p.services.Store}
	if name, err := games.GameName(ctx, "second", "JL", "rng-001", "en"); err != nil || name != "Called otherwise" {
		t.Errorf("%q, %v", name, err)
	}
	if name, err := games.GameName(ctx, "fairground", "JL", "rng-001", "en"); err != nil || name == "" || name == "Called otherwise" {
		t.Errorf("%q, %v", name, err)
	}
}
