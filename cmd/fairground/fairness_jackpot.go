package main

import (
	"errors"
	"fmt"
	"strings"

	"fairground/internal/game/fairness"
	"fairground/internal/game/jackpot"
	"fairground/internal/money"
)

type fairnessJackpotCommand struct {
	Seed       string `required:"" help:"The series' revealed seed." placeholder:"HEX"`
	Client     string `required:"" help:"The series' name." placeholder:"TEXT"`
	Nonce      int64  `required:"" help:"Which draw of the series." placeholder:"N"`
	Stake      string `required:"" help:"What of the stake counts, in the currency's unit." placeholder:"AMOUNT"`
	Currency   string `required:"" help:"Of the pool, for example VND."`
	Commitment string `help:"What was published before the series; compared with the seed." placeholder:"HEX"`
}

// Run needs no database: anybody can verify with what is shown to everybody.
func (v *fairnessJackpotCommand) Run(c *console) error {
	seed, err := fairness.ParseSeed(v.Seed)
	switch {
	case err != nil:
		return errors.New("--seed takes the 64 hexadecimal digits of a revealed seed")
	case !fairness.GoodClientSeed(v.Client):
		return errors.New("--client takes 1 to 64 letters, digits, - and _")
	case v.Nonce < 1:
		return errors.New("--nonce counts from 1")
	}
	currency, err := money.Find(v.Currency)
	if err != nil {
		return err
	}
	rules, known := jackpot.RulesOf(currency.Code)
	if !known {
		return fmt.Errorf("no jackpot is played for in %s", currency.Code)
	}
	stake, err := currency.Parse(v.Stake)
	if err != nil {
		return fmt.Errorf("--stake: %w", err)
	}
	drawn := rules.Draw(seed, v.Client, v.Nonce, stake)
	fmt.Fprintf(c.out, "commitment  %s\n", seed.Commitment())
	fmt.Fprintf(c.out, "message     %s:%d:0\n", v.Client, v.Nonce)
	fmt.Fprintf(c.out, "drawn       %d of %d\n", drawn.Number, rules.Parts)
	verdict := "does not win"
	if drawn.Won() {
		verdict = "wins"
	}
	fmt.Fprintf(c.out, "stake       %d parts: %s\n", drawn.Below, verdict)
	if v.Commitment != "" && !seed.Matches(strings.ToLower(v.Commitment)) {
		fmt.Fprintf(c.out, "IS NOT what was published: %s\n", v.Commitment)
		return errTold
	}
	return nil
}
