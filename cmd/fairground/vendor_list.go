package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/server"
)

type vendorListCommand struct {
	merchantFlags

	JSON bool `name:"json" help:"Print one JSON object per vendor."`
}

type listedVendor struct {
	Code        string `json:"code"`
	Name        string `json:"name"`
	RunBy       string `json:"runBy"` // house, vendor or none
	LaunchURL   string `json:"launchUrl,omitempty"`
	Mode        string `json:"mode,omitempty"`
	Enabled     bool   `json:"enabled"`
	Maintenance bool   `json:"maintenance"`
	Games       int64  `json:"games"`
	Keys        int64  `json:"keys"`
}

// Run prints the vendors in display order. It prints no keys.
func (v *vendorListCommand) Run(c *console) error {
	var all []listedVendor
	err := readMerchant(c, v.merchantFlags, func(store *db.Store) error {
		rows, err := store.Q().ListVendors(c.ctx, v.Merchant)
		for _, r := range rows {
			one := listedVendor{Code: r.Code, Name: r.DisplayName, RunBy: "none", Enabled: r.Enabled, Maintenance: r.Maintenance, Games: r.Games, Keys: r.Keys}
			switch {
			case r.LaunchUrl != "":
				one.RunBy, one.LaunchURL, one.Mode = "vendor", r.LaunchUrl, r.LaunchMode
			case r.House:
				one.RunBy = "house"
			}
			all = append(all, one)
		}
		return err
	})
	if err != nil {
		return err
	}
	return printRows(c, v.JSON, all, func(r listedVendor) []string {
		return []string{r.Code, "run by " + r.RunBy, "enabled " + onOff(r.Enabled), "maintenance " + onOff(r.Maintenance), strconv.FormatInt(r.Games, 10) + " games", r.Name, r.LaunchURL}
	})
}

type vendorSetCommand struct {
	merchantFlags

	Code      string `arg:"" help:"Code of the vendor."`
	Name      string `help:"Display name."`
	LaunchURL string `help:"Launch address of its games, for a vendor that has one. {ticket} is replaced by the ticket." placeholder:"URL"`
	Mode      string `enum:"frame,window," default:"" help:"frame: games open inside the app; window: in a new window." placeholder:"MODE"`
	House     string `enum:"on,off," default:"" help:"on: the House runs its games; off: it no longer does." placeholder:"on|off"`
	JSON      bool   `name:"json" help:"Print one JSON object."`
}

// Validate checks the flags. The command-line parser calls it.
func (v *vendorSetCommand) Validate() error {
	if v.Name == "" && v.LaunchURL == "" && v.Mode == "" && v.House == "" {
		return errors.New("nothing to change: set --name, --launch-url, --mode or --house")
	}
	return v.Storage.Validate()
}

type vendorChange struct {
	Merchant, Code string
	To             vendor.Changes
}

var changeVendor = operation[vendorChange, struct{}]{"vendor.set", func(ctx context.Context, p *server.Server, in vendorChange) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	defer p.Catalogue.NotifyChanged()
	return struct{}{}, p.Vendors.Change(ctx, m.ID, in.Code, in.To)
}}

// Run changes the vendor.
func (v *vendorSetCommand) Run(c *console) error {
	to := vendor.Changes{Name: v.Name, Launch: vendor.Launch{URL: v.LaunchURL, Mode: v.Mode}, House: optionalBool(v.House)}
	if _, err := perform(c, v.Storage, changeVendor, vendorChange{v.Merchant, v.Code, to}); err != nil {
		return err
	}
	if v.JSON {
		return printRows(c, true, []map[string]string{{"code": v.Code}}, nil)
	}
	_, err := fmt.Fprintf(c.out, "Vendor %s changed.\n", v.Code)
	return err
}
