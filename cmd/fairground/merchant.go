package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fairground/internal/platform/config"
	"fairground/internal/server"
	"fairground/internal/site/merchant"
)

type merchantGroup struct {
	Show   merchantShowCommand   `cmd:"" help:"Show all settings and switches with their values."`
	Set    merchantSetCommand    `cmd:"" help:"Change a setting. A running server applies it immediately."`
	Switch merchantSwitchCommand `cmd:"" help:"Switch a flag, module or promotion on or off. A running server applies it immediately."`
}

type merchantFlags struct {
	config.Storage

	Merchant string `help:"Code of the merchant." default:"fairground" env:"FAIRGROUND_MERCHANT" placeholder:"CODE"`
}

type merchantShowCommand struct {
	merchantFlags
}

type merchantRef struct{ Merchant string }

type merchantState struct {
	Settings map[merchant.Setting]json.RawMessage
	Switches merchant.Switches
}

var showMerchant = operation[merchantRef, merchantState]{"merchant.show", func(ctx context.Context, p *server.Server, in merchantRef) (merchantState, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return merchantState{}, err
	}
	settings, switches, err := p.Merchants.Settings(ctx, m.ID)
	return merchantState{settings, switches}, err
}}

// Run prints the settings and switches in the form of the commands that set them.
func (s *merchantShowCommand) Run(c *console) error {
	state, err := perform(c, s.Storage, showMerchant, merchantRef{s.Merchant})
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(state.Settings)) {
		fmt.Fprintf(c.out, "set    %s %s\n", name, quoted(string(state.Settings[name])))
	}
	printSwitches(c, merchant.Flag, state.Switches.Flags)
	printSwitches(c, merchant.Module, state.Switches.Modules)
	printSwitches(c, merchant.Promotion, state.Switches.Promotions)
	return nil
}

func printSwitches[C ~string](c *console, kind merchant.Kind, states map[C]bool) {
	for _, code := range slices.Sorted(maps.Keys(states)) {
		fmt.Fprintf(c.out, "switch %s %s %s\n", kind, code, onOff(states[code]))
	}
}

// quoted quotes a value for a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

type merchantSetCommand struct {
	merchantFlags

	Name  string `arg:"" help:"Name of the setting, from merchant show."`
	Value string `arg:"" help:"Value as JSON: 21, true, '\"45m\"', '[\"VI\",\"EN\"]'."`
}

// Validate checks the arguments. The command-line parser calls it.
func (s *merchantSetCommand) Validate() error {
	if !json.Valid([]byte(s.Value)) {
		return errors.New(`VALUE: want JSON: a number, true, false, a string in double quotes ('"45m"'), a list or an object`)
	}
	return s.Storage.Validate()
}

type merchantSetting struct {
	Merchant string
	Name     merchant.Setting
	Value    json.RawMessage
}

var setMerchant = operation[merchantSetting, struct{}]{"merchant.set", func(ctx context.Context, p *server.Server, in merchantSetting) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Merchants.Set(ctx, m.ID, in.Name, in.Value)
}}

// Run changes the setting.
func (s *merchantSetCommand) Run(c *console) error {
	if _, err := perform(c, s.Storage, setMerchant, merchantSetting{s.Merchant, merchant.Setting(s.Name), json.RawMessage(s.Value)}); err != nil {
		return err
	}
	note := ""
	if merchant.Setting(s.Name) == merchant.SystemBlockedCountries {
		note = "This setting has no effect on servers that run without --geoip.\n"
	}
	_, err := fmt.Fprintf(c.out, "%s is now %s.\n%s", s.Name, s.Value, note)
	return err
}

type merchantSwitchCommand struct {
	merchantFlags

	Kind  string `arg:"" enum:"flag,module,promotion" help:"Kind of switch: flag, module or promotion."`
	Code  string `arg:"" help:"Code of the switch, from merchant show."`
	State string `arg:"" enum:"on,off" help:"New state: on or off."`
}

type merchantSwitch struct {
	Merchant string
	Switch   merchant.Switch
}

var switchMerchant = operation[merchantSwitch, struct{}]{"merchant.switch", func(ctx context.Context, p *server.Server, in merchantSwitch) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Merchants.SetSwitch(ctx, m.ID, in.Switch)
}}

// Run sets the switch.
func (f *merchantSwitchCommand) Run(c *console) error {
	change := merchantSwitch{f.Merchant, merchant.Switch{Kind: merchant.Kind(f.Kind), Code: f.Code, On: f.State == "on"}}
	if _, err := perform(c, f.Storage, switchMerchant, change); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.out, "%s %s is %s.\n", f.Kind, f.Code, f.State)
	return err
}
