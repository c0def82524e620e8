package main

import (
	"fmt"
	"io"
	"strings"

	"fairground/internal/game/conformance"
)

type vendorTestCommand struct {
	URL        string `required:"" help:"The server, for example http://127.0.0.1:8080." placeholder:"URL"`
	Vendor     string `required:"" help:"The vendor's code."`
	KeyID      string `required:"" help:"The id of its key."`
	Key        string `required:"" env:"FAIRGROUND_VENDOR_KEY" help:"The key."`
	Ticket     string `help:"A launch ticket, not yet used. Without one, give --username."`
	Username   string `help:"A member who launches the game; the password is read from standard input."`
	Game       string `required:"" help:"The game's code."`
	Category   string `default:"RNG" help:"The game's category."`
	Currency   string `help:"What the member plays in; what authenticate says, unless given."`
	OtherKeyID string `help:"A second key's id, as after a rotation: both are tried." placeholder:"ID"`
	OtherKey   string `help:"That key." env:"FAIRGROUND_OTHER_VENDOR_KEY" placeholder:"KEY"`
	Disabled   struct {
		Ticket  string `help:"A launch ticket, not yet used, of a member whose account was closed since: for ACCOUNT_DISABLED."`
		Session string `help:"A session that such a member's ticket gave before, for the same of bets."`
	} `embed:"" prefix:"disabled-"`
	Restrict bool `help:"Also the cases of a member with a limit and on a break: --username sets both, and cannot play for a day afterwards."`
}

// Run runs every case and says how each went.
func (v *vendorTestCommand) Run(c *console) error {
	password := ""
	if v.Ticket == "" && v.Username != "" {
		raw, err := io.ReadAll(io.LimitReader(c.in, 1024))
		if err != nil {
			return err
		}
		password = strings.TrimSpace(string(raw))
	}
	all, failed := 0, 0
	err := conformance.Run(c.ctx, conformance.Options{
		URL: v.URL, Vendor: v.Vendor, KeyID: v.KeyID, Key: v.Key, Game: v.Game, Category: v.Category, Currency: v.Currency,
		Ticket: v.Ticket, Username: v.Username, Password: password, Restrict: v.Restrict, OtherKeyID: v.OtherKeyID, OtherKey: v.OtherKey,
		DisabledTicket: v.Disabled.Ticket, DisabledSession: v.Disabled.Session, Now: c.now,
	}, func(name string, err error) {
		if all++; err != nil {
			failed++
			fmt.Fprintf(c.out, "FAIL  %s: %v\n", name, err)
			return
		}
		fmt.Fprintf(c.out, "pass  %s\n", name)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%d of %d cases passed.\n", all-failed, all)
	if failed > 0 {
		return errTold
	}
	return nil
}
