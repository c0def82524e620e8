package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"fairground/internal/game/conformance"
)

type vendorTestCommand struct {
	URL        string `required:"" help:"Address of the server, for example http://127.0.0.1:8080." placeholder:"URL"`
	Vendor     string `required:"" help:"Code of the vendor."`
	KeyID      string `required:"" help:"Id of the vendor's key."`
	Key        string `env:"FAIRGROUND_VENDOR_KEY" help:"The vendor's key. Other users of the machine can read it in a command line: use --key-file or the environment."`
	KeyFile    string `name:"key-file" env:"FAIRGROUND_VENDOR_KEY_FILE" help:"File with the vendor's key." type:"path" placeholder:"FILE"`
	Ticket     string `help:"Unused launch ticket. Without one, set --username."`
	Username   string `help:"Member who launches the game. The password is read from standard input."`
	Game       string `required:"" help:"Code of the game."`
	Category   string `default:"RNG" help:"Category of the game."`
	Currency   string `help:"Currency of the member. The default is the currency in the response of authenticate."`
	OtherKeyID string `help:"Id of a second valid key, as after a rotation. Both keys are tested." placeholder:"ID"`
	OtherKey   string `help:"The second key." env:"FAIRGROUND_OTHER_VENDOR_KEY" placeholder:"KEY" secret:""`
	Disabled   struct {
		Ticket  string `help:"Unused launch ticket of a member whose account was disabled afterwards. Tests ACCOUNT_DISABLED."`
		Session string `help:"Vendor session of a member whose account was disabled afterwards. Tests ACCOUNT_DISABLED for bets."`
	} `embed:"" prefix:"disabled-"`
	Restrict bool `help:"Also test a member with a limit and on a break. This sets both for --username, who cannot play for a day afterwards."`
}

// Run runs all cases and prints each result.
func (v *vendorTestCommand) Run(c *console) error {
	if err := v.readKey(c); err != nil {
		return err
	}
	password := ""
	if v.Ticket == "" && v.Username != "" {
		raw, err := io.ReadAll(io.LimitReader(c.in, 1024))
		if err != nil {
			return err
		}
		password = strings.TrimSpace(string(raw))
	}
	total, failed := 0, 0
	err := conformance.Run(c.ctx, conformance.Options{
		URL: v.URL, Vendor: v.Vendor, KeyID: v.KeyID, Key: v.Key, Game: v.Game, Category: v.Category, Currency: v.Currency,
		Ticket: v.Ticket, Username: v.Username, Password: password, Restrict: v.Restrict, OtherKeyID: v.OtherKeyID, OtherKey: v.OtherKey,
		DisabledTicket: v.Disabled.Ticket, DisabledSession: v.Disabled.Session, Now: c.now,
	}, func(name string, err error) {
		if total++; err != nil {
			failed++
			fmt.Fprintf(c.out, "FAIL  %s: %v\n", name, err)
			return
		}
		fmt.Fprintf(c.out, "pass  %s\n", name)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%d of %d cases passed.\n", total-failed, total)
	if failed > 0 {
		return errReported
	}
	return nil
}

// readKey reads the key from its file. It warns if the key is in the command line.
func (v *vendorTestCommand) readKey(c *console) error {
	switch {
	case v.Key != "" && v.KeyFile != "":
		return errors.New("--key and --key-file cannot be used together")
	case v.KeyFile != "":
		text, err := os.ReadFile(v.KeyFile)
		if err != nil {
			return fmt.Errorf("--key-file: %w", err)
		}
		v.Key = strings.TrimSpace(string(text))
	case v.Key != os.Getenv("FAIRGROUND_VENDOR_KEY"):
		c.quietLog().Warn("a secret is in the command line, where other users of this machine can read it: use a file or the environment", "instead", "--key-file")
	}
	if v.Key == "" {
		return errors.New("the vendor's key is missing: use --key-file or FAIRGROUND_VENDOR_KEY")
	}
	return nil
}
