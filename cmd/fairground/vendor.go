package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"fairground/internal/game/vendor"
	"fairground/internal/server"
)

type vendorGroup struct {
	Create     vendorCreateCommand     `cmd:"" help:"Create a vendor, or connect an imported one, with its first key. The key is shown once."`
	Rotate     vendorRotateCommand     `cmd:"" help:"Create a new key for a vendor. The key is shown once. The previous key stays valid until the next rotation or --retire."`
	List       vendorListCommand       `cmd:"" help:"List vendors with their state and number of games."`
	Set        vendorSetCommand        `cmd:"" help:"Change a vendor's name or launch address, or whether the House runs its games."`
	OpenRounds vendorOpenRoundsCommand `cmd:"" help:"List rounds that vendors have not ended."`
	Refund     vendorRefundCommand     `cmd:"" help:"Refund the stake of an open round to its player."`
	Test       vendorTestCommand       `cmd:"" help:"Test a server's vendor protocol by calling it as a vendor."`
}

type vendorCreateCommand struct {
	merchantFlags

	Code      string   `required:"" help:"Code of the vendor: 1 to 32 letters, digits, dashes or underscores."`
	Name      string   `required:"" help:"Display name of the vendor."`
	LaunchURL string   `required:"" help:"Launch address of its games. {ticket} is replaced by the ticket." placeholder:"URL"`
	Mode      string   `enum:"frame,window" default:"frame" help:"frame: games open inside the app; window: in a new window."`
	Game      []string `sep:"none" help:"Game as CODE:CATEGORY, for example G1:RNG. Can be repeated. Required unless the vendor was imported with its games." placeholder:"CODE:CATEGORY"`
}

type vendorParams struct {
	Merchant, Code, Name string
	Launch               vendor.Launch
	Games                []vendorGame
}

type vendorGame struct{ Code, Category string }

var createVendor = operation[vendorParams, vendor.Key]{"vendor.create", func(ctx context.Context, p *server.Server, in vendorParams) (vendor.Key, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return vendor.Key{}, err
	}
	draft := vendor.Draft{Code: in.Code, Name: in.Name, Launch: in.Launch}
	for _, g := range in.Games {
		draft.Games = append(draft.Games, vendor.DraftGame(g))
	}
	return p.CreateVendor(ctx, m.ID, draft)
}}

// Run creates the vendor and prints its key as one JSON object.
func (v *vendorCreateCommand) Run(c *console) error {
	in := vendorParams{Merchant: v.Merchant, Code: v.Code, Name: v.Name, Launch: vendor.Launch{URL: v.LaunchURL, Mode: v.Mode}}
	for _, g := range v.Game {
		code, category, ok := strings.Cut(g, ":")
		if !ok || code == "" || category == "" {
			return fmt.Errorf("--game %s: want CODE:CATEGORY", g)
		}
		in.Games = append(in.Games, vendorGame{code, category})
	}
	key, err := perform(c, v.Storage, createVendor, in)
	if err != nil {
		return err
	}
	return printKey(c, key)
}

func printKey(c *console, key vendor.Key) error {
	return json.NewEncoder(c.out).Encode(struct {
		Code  string `json:"code"`
		KeyID string `json:"keyId"`
		Key   string `json:"key"`
	}{key.Code, key.KeyID, key.Key})
}

type vendorRotateCommand struct {
	merchantFlags

	Code   string `required:"" help:"Code of the vendor."`
	Retire string `help:"Revoke the key with this id instead of creating one." placeholder:"KEYID"`
}

type vendorKeyRef struct{ Merchant, Code, KeyID string }

var rotateVendor = operation[vendorKeyRef, vendor.Key]{"vendor.rotate", func(ctx context.Context, p *server.Server, in vendorKeyRef) (vendor.Key, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return vendor.Key{}, err
	}
	if in.KeyID != "" {
		return vendor.Key{}, p.Vendors.Retire(ctx, m.ID, in.Code, in.KeyID)
	}
	return p.Vendors.Rotate(ctx, m.ID, in.Code)
}}

// Run creates a new key, or revokes one.
func (v *vendorRotateCommand) Run(c *console) error {
	key, err := perform(c, v.Storage, rotateVendor, vendorKeyRef{v.Merchant, v.Code, v.Retire})
	if err != nil {
		return err
	}
	if v.Retire != "" {
		_, err = fmt.Fprintf(c.out, "Key %s of %s is revoked.\n", v.Retire, v.Code)
		return err
	}
	return printKey(c, key)
}
