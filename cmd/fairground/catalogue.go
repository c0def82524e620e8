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
	Vendor catalogueVendorCommand `cmd:"" help:"Switch a vendor on or off, or into maintenance; a running server follows at once."`
	Import catalogueImportCommand `cmd:"" help:"Take vendors and games in from a file; a running server follows at once."`
}

type catalogueVendorCommand struct {
	ofMerchant

	Code        string `arg:"" help:"The vendor's code."`
	Maintenance string `enum:"on,off," default:"" help:"on: its games are shown, and not played." placeholder:"on|off"`
	Enabled     string `enum:"on,off," default:"" help:"off: its games are not shown." placeholder:"on|off"`
}

// Validate is called by the parser.
func (v *catalogueVendorCommand) Validate() error {
	if v.Maintenance == "" && v.Enabled == "" {
		return errors.New("nothing to change: give --maintenance, --enabled or both")
	}
	return v.Storage.Validate()
}

type vendorSwitches struct {
	Merchant, Code string
	To             catalogue.Switches
}

var switchVendor = change[vendorSwitches, catalogue.Vendor]{"catalogue.vendor", func(ctx context.Context, p *server.Server, in vendorSwitches) (catalogue.Vendor, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return catalogue.Vendor{}, err
	}
	return p.Catalogue.SwitchVendor(ctx, m.ID, in.Code, in.To)
}}

// Run flips the switches and says how they stand.
func (v *catalogueVendorCommand) Run(c *console) error {
	in := vendorSwitches{v.Merchant, v.Code, catalogue.Switches{Enabled: given(v.Enabled), Maintenance: given(v.Maintenance)}}
	now, err := perform(c, v.Storage, switchVendor, in)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%s (%s): enabled %s, maintenance %s.\n", now.Code, now.DisplayName, onOff(now.Enabled), onOff(now.Maintenance))
	return err
}

// given is nil for a switch that was left out.
func given(state string) *bool {
	if state == "" {
		return nil
	}
	on := state == "on"
	return &on
}

type catalogueImportCommand struct {
	ofMerchant

	File string `arg:"" help:"A JSON file: {\"vendors\": […], \"games\": […]}. What it does not name stays as it is."`
}

type catalogueBatch struct {
	Merchant string
	File     catalogue.File
}

var importCatalogue = change[catalogueBatch, struct{}]{"catalogue.import", func(ctx context.Context, p *server.Server, in catalogueBatch) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Catalogue.Import(ctx, m.ID, in.File)
}}

// How many go over the socket at a time. It takes a megabyte at once, and the longest game is five kilobytes of it.
const (
	batch       = 100
	vendorBatch = 250
)

// Run reads and checks the whole file, then hands it on in parts. It can be run again at any time.
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
	// More vendors than fit go ahead of the rest.
	vendors := all.Vendors
	for len(vendors) > vendorBatch {
		if _, err := perform(c, i.Storage, importCatalogue, catalogueBatch{i.Merchant, catalogue.File{Vendors: vendors[:vendorBatch]}}); err != nil {
			return err
		}
		vendors = vendors[vendorBatch:]
	}
	// The first part has the vendors: a game of one that nobody knows is then told before any game is stored.
	parts := slices.Collect(slices.Chunk(all.Games, batch))
	if len(parts) == 0 {
		parts = append(parts, nil)
	}
	stored := 0
	for n, games := range parts {
		part := catalogue.File{Games: games}
		if n == 0 {
			part.Vendors = vendors
		}
		if _, err := perform(c, i.Storage, importCatalogue, catalogueBatch{i.Merchant, part}); err != nil {
			if stored > 0 {
				fmt.Fprintf(c.errors, "%d of %d games were stored before this: run it again when it is mended\n", stored, len(all.Games))
			}
			return err
		}
		stored += len(games)
	}
	_, err = fmt.Fprintf(c.out, "%d vendors and %d games stored.\n", len(all.Vendors), len(all.Games))
	return err
}
