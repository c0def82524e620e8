package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fairground/internal/game/catalogue"
	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/server"
)

type vendorGroup struct {
	Create     vendorCreateCommand     `cmd:"" help:"Make a vendor that serves its own games, with its first key, which is shown once."`
	Rotate     vendorRotateCommand     `cmd:"" help:"Give a vendor another key, shown once. The one before stays good until the next rotation or until it is retired."`
	OpenRounds vendorOpenRoundsCommand `cmd:"" help:"List rounds that a vendor has not brought to an end."`
	Refund     vendorRefundCommand     `cmd:"" help:"Return the stake of such a round to its player."`
	Test       vendorTestCommand       `cmd:"" help:"Run the cases of the protocol against a server, as a vendor would call it."`
}

type vendorCreateCommand struct {
	ofMerchant

	Code      string   `required:"" help:"The vendor's code: 1 to 32 letters, digits, dashes or underscores."`
	Name      string   `required:"" help:"Its name as it is shown."`
	LaunchURL string   `required:"" help:"Where its games open. {ticket} stands where the ticket goes." placeholder:"URL"`
	Mode      string   `enum:"frame,window" default:"frame" help:"frame: inside the app; window: beside it."`
	Game      []string `required:"" sep:"none" help:"A game as CODE:CATEGORY, for example G1:RNG. Repeat for more." placeholder:"CODE:CATEGORY"`
}

type vendorDraft struct {
	Merchant, Code, Name string
	Launch               vendor.Launch
	Games                []vendorGame
}

type vendorGame struct{ Code, Category string }

// vendorIcon is the picture of games that have none of their own yet.
const vendorIcon = "/m/icons/icon-512.png"

// vendorSorting puts new vendors and games behind those that somebody has put in order.
const vendorSorting = 100_000

var createVendor = change[vendorDraft, vendor.Key]{"vendor.create", func(ctx context.Context, p *server.Server, in vendorDraft) (vendor.Key, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return vendor.Key{}, err
	}
	if err := in.Launch.Check(); err != nil {
		return vendor.Key{}, err
	}
	made := catalogue.Vendor{Code: in.Code, DisplayName: in.Name, Sorting: vendorSorting, Enabled: true}
	games := make([]catalogue.Game, len(in.Games))
	for i, g := range in.Games {
		made.AccountType = in.Games[0].Category
		if !slices.Contains(made.Categories, g.Category) {
			made.Categories = append(made.Categories, g.Category)
		}
		games[i] = catalogue.Game{
			Code: g.Code, Vendor: in.Code, Category: g.Category, LaunchCode: g.Code, Names: map[string]string{}, Icon: vendorIcon,
			FreePlay: true, SupportPlay: true, Sorting: vendorSorting + int64(i), Enabled: true,
		}
		for _, l := range rest.Languages() {
			games[i].Names[l] = in.Name + " " + g.Code
		}
	}
	var key vendor.Key
	err = p.Catalogue.Add(ctx, m.ID, made, games, vendor.ErrExists, func(tx *db.Tx) (err error) {
		key, err = p.Vendors.CreateIn(ctx, tx, m.ID, in.Code, in.Launch)
		return err
	})
	p.Vendors.NotifyChanged()
	return key, err
}}

// Run makes the vendor and prints its key: one JSON object and nothing else.
func (v *vendorCreateCommand) Run(c *console) error {
	in := vendorDraft{Merchant: v.Merchant, Code: v.Code, Name: v.Name, Launch: vendor.Launch{URL: v.LaunchURL, Mode: v.Mode}}
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
	return showKey(c, key)
}

func showKey(c *console, key vendor.Key) error {
	return json.NewEncoder(c.out).Encode(struct {
		Code  string `json:"code"`
		KeyID string `json:"keyId"`
		Key   string `json:"key"`
	}{key.Code, key.KeyID, key.Key})
}

type vendorRotateCommand struct {
	ofMerchant

	Code   string `required:"" help:"The vendor's code."`
	Retire string `help:"End this key now, and give no new one." placeholder:"KEYID"`
}

type vendorKeyNamed struct{ Merchant, Code, KeyID string }

var rotateVendor = change[vendorKeyNamed, vendor.Key]{"vendor.rotate", func(ctx context.Context, p *server.Server, in vendorKeyNamed) (vendor.Key, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return vendor.Key{}, err
	}
	if in.KeyID != "" {
		return vendor.Key{}, p.Vendors.Retire(ctx, m.ID, in.Code, in.KeyID)
	}
	return p.Vendors.Rotate(ctx, m.ID, in.Code)
}}

// Run gives the vendor another key, or ends one.
func (v *vendorRotateCommand) Run(c *console) error {
	key, err := perform(c, v.Storage, rotateVendor, vendorKeyNamed{v.Merchant, v.Code, v.Retire})
	if err != nil {
		return err
	}
	if v.Retire != "" {
		_, err = fmt.Fprintf(c.out, "Key %s of %s is no longer good.\n", v.Retire, v.Code)
		return err
	}
	return showKey(c, key)
}
