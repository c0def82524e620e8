package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"fairground/internal/game/catalogue"
	"fairground/internal/server"
)

type catalogueGroup struct {
	Vendor catalogueVendorCommand `cmd:"" help:"Switch a vendor or its maintenance mode on or off. A running server applies it immediately."`
	Game   catalogueGameCommand   `cmd:"" help:"Show or hide a game. A running server applies it immediately."`
	Import catalogueImportCommand `cmd:"" help:"Import vendors and games from a file. A running server applies it immediately."`
}

type catalogueVendorCommand struct {
	merchantFlags

	Code        string `arg:"" help:"Code of the vendor."`
	Maintenance string `enum:"on,off," default:"" help:"on: its games are shown but cannot be played." placeholder:"on|off"`
	Enabled     string `enum:"on,off," default:"" help:"off: its games are not shown." placeholder:"on|off"`
}

// Validate checks the flags. The command-line parser calls it.
func (v *catalogueVendorCommand) Validate() error {
	if v.Maintenance == "" && v.Enabled == "" {
		return errors.New("nothing to change: set --maintenance, --enabled or both")
	}
	return v.Storage.Validate()
}

type vendorSwitches struct {
	Merchant, Code string
	To             catalogue.Switches
}

var switchVendor = operation[vendorSwitches, catalogue.Vendor]{"catalogue.vendor", func(ctx context.Context, p *server.Server, in vendorSwitches) (catalogue.Vendor, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return catalogue.Vendor{}, err
	}
	return p.Catalogue.SwitchVendor(ctx, m.ID, in.Code, in.To)
}}

// Run sets the switches and prints their new state.
func (v *catalogueVendorCommand) Run(c *console) error {
	in := vendorSwitches{v.Merchant, v.Code, catalogue.Switches{Enabled: optionalBool(v.Enabled), Maintenance: optionalBool(v.Maintenance)}}
	vendor, err := perform(c, v.Storage, switchVendor, in)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%s (%s): enabled %s, maintenance %s.\n", vendor.Code, vendor.DisplayName, onOff(vendor.Enabled), onOff(vendor.Maintenance))
	return err
}

type catalogueGameCommand struct {
	merchantFlags

	Code    string `arg:"" help:"Code of the game: its gameId in the catalogue file."`
	Enabled string `enum:"on,off" required:"" help:"off: the game is not shown." placeholder:"on|off"`
	JSON    bool   `name:"json" help:"Print one JSON object."`
}

type gameSwitch struct {
	Merchant, Code string
	Enabled        bool
}

var switchGame = operation[gameSwitch, struct{}]{"catalogue.game", func(ctx context.Context, p *server.Server, in gameSwitch) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Catalogue.SwitchGame(ctx, m.ID, in.Code, in.Enabled)
}}

// Run sets the switch and prints it.
func (g *catalogueGameCommand) Run(c *console) error {
	if _, err := perform(c, g.Storage, switchGame, gameSwitch{g.Merchant, g.Code, g.Enabled == "on"}); err != nil {
		return err
	}
	if g.JSON {
		return printRows(c, true, []any{struct {
			Code    string `json:"code"`
			Enabled bool   `json:"enabled"`
		}{g.Code, g.Enabled == "on"}}, nil)
	}
	_, err := fmt.Fprintf(c.out, "%s: enabled %s.\n", g.Code, g.Enabled)
	return err
}

// optionalBool returns nil for an empty state.
func optionalBool(state string) *bool {
	if state == "" {
		return nil
	}
	on := state == "on"
	return &on
}

type catalogueImportCommand struct {
	merchantFlags

	File string `arg:"" help:"JSON file: {\"vendors\": […], \"games\": […]}. Entries that it does not contain stay unchanged."`
}

type catalogueBatch struct {
	Merchant string
	File     catalogue.File
}

var importCatalogue = operation[catalogueBatch, struct{}]{"catalogue.import", func(ctx context.Context, p *server.Server, in catalogueBatch) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Catalogue.Import(ctx, m.ID, in.File)
}}

// Batch sizes. The control socket accepts one megabyte per request, and a game has at most five kilobytes.
const (
	gameBatch   = 100
	vendorBatch = 250
)

// Run checks the complete file, then stores it in batches. It can be run again.
func (i *catalogueImportCommand) Run(c *console) error {
	file, err := os.Open(i.File)
	if err != nil {
		return err
	}
	defer file.Close()
	all, err := catalogue.ReadFile(file)
	if err != nil {
		return err
	}
	// Send vendors that do not fit into the first batch of games.
	vendors := all.Vendors
	for len(vendors) > vendorBatch {
		if _, err := perform(c, i.Storage, importCatalogue, catalogueBatch{i.Merchant, catalogue.File{Vendors: vendors[:vendorBatch]}}); err != nil {
			return err
		}
		vendors = vendors[vendorBatch:]
	}
	batches := slices.Collect(slices.Chunk(all.Games, gameBatch))
	if len(batches) == 0 {
		batches = append(batches, nil)
	}
	stored := 0
	for n, games := range batches {
		batch := catalogue.File{Games: games}
		if n == 0 {
			batch.Vendors = vendors
		}
		if _, err := perform(c, i.Storage, importCatalogue, catalogueBatch{i.Merchant, batch}); err != nil {
			if stored > 0 {
				fmt.Fprintf(c.stderr, "%d of %d games were stored before this error: fix the file and run the import again\n", stored, len(all.Games))
			}
			return err
		}
		stored += len(games)
	}
	_, err = fmt.Fprintf(c.out, "%d vendors and %d games stored.\n", len(all.Vendors), len(all.Games))
	return err
}
