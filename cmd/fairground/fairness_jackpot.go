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
	Seed       string `required:"" help:"Revealed seed of the series." placeholder:"HEX"`
	Client     string `required:"" help:"Name of the series." placeholder:"TEXT"`
	Nonce      int64  `required:"" help:"Number of the draw in the series." placeholder:"N"`
	Stake      string `required:"" help:"Part of the stake that counts for the jackpot, in the currency's unit." placeholder:"AMOUNT"`
	Currency   string `required:"" help:"Currency of the pool, for example VND."`
	Commitment string `help:"Commitment that was published before the series. It is compared with the seed." placeholder:"HEX"`
}

// Run needs no database: all its inputs are public.
func (v *fairnessJackpotCommand) Run(c *console) error {
	seed, err := fairness.ParseSeed(v.Seed)
	switch {
	case err != nil:
		return errors.New("--seed: want the 64 hexadecimal digits of a revealed seed")
	case !fairness.GoodClientSeed(v.Client):
		return errors.New("--client: want 1 to 64 letters, digits, - or _")
	case v.Nonce < 1:
		return errors.New("--nonce: want 1 or more")
	}
	currency, err := money.Find(v.Currency)
	if err != nil {
		return err
	}
	rules, found := jackpot.RulesOf(currency.Code)
	if !found {
		return fmt.Errorf("there is no jackpot in %s", currency.Code)
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
		fmt.Fprintf(c.out, "DOES NOT MATCH the published commitment %s\n", v.Commitment)
		return errReported
	}
	return nil
}
