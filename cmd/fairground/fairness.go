package main

import (
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/chain"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/round"
	"fairground/internal/game/house/table"
	"fairground/internal/money"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/server"
)

type fairnessGroup struct {
	Verify  fairnessVerifyCommand  `cmd:"" help:"Recompute a round of the House from its seed. Exits with 1 if the result differs."`
	Jackpot fairnessJackpotCommand `cmd:"" help:"Recompute a jackpot draw from the revealed seed of its series."`
	Series  fairnessSeriesCommand  `cmd:"" help:"List the published series of seeds, and verify their salts and the signatures of their beacon. Exits with 1 if one is wrong."`
	Lottery fairnessLotteryCommand `cmd:"" help:"Recompute a fast lottery draw from its revealed seed."`
}

type fairnessVerifyCommand struct {
	config.Storage

	Seed       string `help:"Revealed seed of the round." placeholder:"HEX"`
	Client     string `help:"Client seed of the player." placeholder:"TEXT"`
	Nonce      int64  `help:"Number of the round, per player." placeholder:"N"`
	Engine     string `help:"Engine of the game." default:"slot"`
	Version    int64  `help:"Version of the engine. The default is the newest." placeholder:"N"`
	Commitment string `help:"Commitment that was published before the round. It is compared with the seed." placeholder:"HEX"`
	ChainEnd   string `help:"Published end of the series, to verify that the seed is a link of it." placeholder:"HEX"`
	Link       int    `help:"Number of the seed's link, with --chain-end." placeholder:"N"`
	Round      int64  `help:"Read all values from this round in the database, and compare its outcome." placeholder:"ID"`
}

// Run uses the database only with --round. Otherwise it needs only the values that were shown to the player.
func (v *fairnessVerifyCommand) Run(c *console) error {
	var stored *query.HouseRound
	if v.Round != 0 {
		row, err := v.read(c)
		if err != nil {
			return err
		}
		stored = &row
		if v.Commitment == "" {
			v.Commitment = row.Commitment
		}
		v.Seed, v.Client, v.Nonce, v.Engine, v.Version = hex.EncodeToString(row.Seed), row.ClientSeed, row.Nonce, row.Engine, row.Version
	}
	seed, err := fairness.ParseSeed(v.Seed)
	switch {
	case err != nil:
		return errors.New("--seed: want the 64 hexadecimal digits of a revealed seed")
	case !fairness.GoodClientSeed(v.Client):
		return errors.New("--client: want 1 to 64 letters, digits, - or _")
	case v.Nonce < 1:
		return errors.New("--nonce: want 1 or more")
	}
	if table.Deals(v.Engine) {
		return v.verifyTable(c, seed, stored)
	}
	if _, known := round.FindMachine(v.Engine, 0); !known && stored == nil {
		return fmt.Errorf("--engine: want one of %s; for a lottery draw use fairness lottery", strings.Join(append(round.Engines(), table.Engines()...), ", "))
	}
	machine, found := round.FindMachine(v.Engine, v.Version)
	if !found {
		return fmt.Errorf("this program does not have version %d of %s: use the release that played the round", v.Version, v.Engine)
	}
	stake := money.Minor(reels.Parts)
	if stored != nil {
		stake = money.Minor(stored.Stake)
	}
	outcome, err := machine.Play(fairness.NewStream(seed, v.Client, v.Nonce), stake)
	if err != nil {
		return err
	}
	valid := v.printRound(c, seed, outcome)
	if stored != nil {
		valid = v.compare(c, *stored, outcome) && valid
	}
	if !valid {
		return errReported
	}
	return nil
}

// read returns the stored round. It rejects unsettled rounds, whose seeds are secret.
func (v *fairnessVerifyCommand) read(c *console) (row query.HouseRound, err error) {
	if v.DB == "" {
		if err := findDatabase(v.Data, "set the data folder with --data"); err != nil {
			return row, err
		}
	}
	store, err := db.Open(c.ctx, v.DBOptions(true))
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := server.RequireCurrent(c.ctx, store); err != nil {
		return row, err
	}
	row, err = store.Q().HouseRound(c.ctx, v.Round)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return row, fmt.Errorf("unknown round %d", v.Round)
	case err == nil && row.Status != "settled":
		return row, fmt.Errorf("round %d is %s: only settled rounds can be verified", v.Round, row.Status)
	}
	return row, err
}

// printRound prints every step, so that other tools can reproduce it.
func (v *fairnessVerifyCommand) printRound(c *console, seed fairness.Seed, o reels.Outcome) (valid bool) {
	valid = v.printStream(c, seed)
	for i, spin := range o.Spins {
		if spin.Free {
			fmt.Fprintf(c.out, "free round  %d of %d\n", i, o.FreeRounds)
		}
		printSpin(c, spin)
	}
	printPay(c, o)
	return valid
}

// printStream prints the source of the random numbers and reports whether the seed matches the commitment.
func (v *fairnessVerifyCommand) printStream(c *console, seed fairness.Seed) (valid bool) {
	valid = true
	result := ""
	if v.Commitment != "" {
		valid = seed.Matches(strings.ToLower(v.Commitment))
		result = "  matches the published commitment"
		if !valid {
			result = "  DOES NOT MATCH the published commitment " + v.Commitment
		}
	}
	fmt.Fprintf(c.out, "seed        %s\n", seed.Hex())
	fmt.Fprintf(c.out, "commitment  %s%s\n", seed.Commitment(), result)
	if v.ChainEnd != "" {
		end, err := fairness.ParseSeed(strings.ToLower(v.ChainEnd))
		linked := err == nil && chain.Verify(end, seed, v.Link)
		verdict := "is"
		if !linked {
			verdict = "IS NOT"
		}
		fmt.Fprintf(c.out, "chain       the seed %s link %d of the series\n", verdict, v.Link)
		valid = valid && linked
	}
	fmt.Fprintf(c.out, "message     %s:%d:0\n", v.Client, v.Nonce)
	words := fairness.NewStream(seed, v.Client, v.Nonce)
	fmt.Fprint(c.out, "block 0     ")
	for range 8 {
		fmt.Fprintf(c.out, "%08x", words.Word())
	}
	fmt.Fprintln(c.out)
	return valid
}

// scatter is the scatter symbol of all machines.
const scatter = "scatter"

func printSpin(c *console, spin reels.Spin) {
	fmt.Fprintf(c.out, "stops       %s\n", strings.Trim(fmt.Sprint(spin.Stops), "[]"))
	for i, step := range spin.Steps {
		label := "grid"
		if i > 0 {
			label = fmt.Sprintf("cascade %d", i)
		}
		for row := range step.Grid[0] {
			cells := make([]string, len(step.Grid))
			for reel := range cells {
				cells[reel] = fmt.Sprintf("%-9s", step.Grid[reel][row])
			}
			fmt.Fprintf(c.out, "%-12s%s\n", label, strings.TrimSpace(strings.Join(cells, "")))
			label = ""
		}
		for _, w := range step.Wins {
			printWin(c, w, step.Multiplier)
		}
	}
	if spin.Awarded > 0 {
		fmt.Fprintf(c.out, "awards      %d free rounds\n", spin.Awarded)
	}
}

func printWin(c *console, w reels.Win, multiplier int64) {
	label, unit := "symbols", "stake unit"
	switch {
	case w.Line > 0:
		label, unit = fmt.Sprintf("line %d", w.Line), "line stake"
	case w.Ways > 0:
		label, unit = fmt.Sprintf("%d ways", w.Ways), "stake unit per way"
	case w.Symbol == scatter:
		label, unit = "scatters", "total stake"
	}
	symbols := fmt.Sprintf("%d × %s", w.Count, w.Symbol)
	if label == "scatters" {
		symbols = fmt.Sprintf("%d anywhere", w.Count)
	}
	factor := ""
	if multiplier > 1 {
		factor = fmt.Sprintf(", multiplier %d", multiplier)
	}
	fmt.Fprintf(c.out, "%-12s%s: %d × %s%s\n", label, symbols, w.Times, unit, factor)
}

// printPay prints the exact payout as a multiple of the stake.
func printPay(c *console, o reels.Outcome) {
	total := int64(0)
	for _, spin := range o.Spins {
		for _, step := range spin.Steps {
			for _, w := range step.Wins {
				pays := w.Times * max(1, w.Ways) * step.Multiplier
				if w.Symbol == scatter {
					pays *= reels.Parts
				}
				total += pays
			}
		}
	}
	fmt.Fprintf(c.out, "pays        %d.%02d × total stake\n", total/reels.Parts, total%reels.Parts*100/reels.Parts)
}

// compare prints and returns whether the stored round equals the recomputed outcome.
func (v *fairnessVerifyCommand) compare(c *console, row query.HouseRound, o reels.Outcome) bool {
	stored, err := reels.ReadOutcome(row.Outcome)
	same := err == nil && row.Win == int64(o.Win) && reflect.DeepEqual(stored, o)
	if same {
		fmt.Fprintf(c.out, "round       %d matches the stored outcome\n", row.ID)
	} else {
		fmt.Fprintf(c.out, "round       %d DOES NOT MATCH the stored outcome\n", row.ID)
	}
	return same
}
