package main

import (
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"fairground/internal/game/fairness"
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
	Verify  fairnessVerifyCommand  `cmd:"" help:"Work a round of the House out again from its seed; exit 1 where it is not what was said."`
	Jackpot fairnessJackpotCommand `cmd:"" help:"Do a draw of a jackpot again from its series' revealed seed."`
}

type fairnessVerifyCommand struct {
	config.Storage

	Seed       string `help:"The round's revealed seed." placeholder:"HEX"`
	Client     string `help:"The player's own seed." placeholder:"TEXT"`
	Nonce      int64  `help:"The round's number among the player's." placeholder:"N"`
	Engine     string `help:"What the game is played with." default:"slot" enum:"slot,ways,cascade,baccarat,sicbo,dragontiger,roulette"`
	Version    int64  `help:"Which version of the engine; the newest where none is named." placeholder:"N"`
	Commitment string `help:"What was published before the round; compared with the seed." placeholder:"HEX"`
	Round      int64  `help:"Take all of it from this round in the database, and compare its outcome too." placeholder:"ID"`
}

// Run needs no database unless a round is named: anybody can verify with what was shown to the player.
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
		return errors.New("--seed takes the 64 hexadecimal digits of a revealed seed")
	case !fairness.GoodClientSeed(v.Client):
		return errors.New("--client takes 1 to 64 letters, digits, - and _")
	case v.Nonce < 1:
		return errors.New("--nonce counts from 1")
	}
	if table.Deals(v.Engine) {
		return v.verifyTable(c, seed, stored)
	}
	machine, found := round.FindMachine(v.Engine, v.Version)
	if !found {
		return fmt.Errorf("this program has no version %d of %s", v.Version, v.Engine)
	}
	stake := money.Minor(reels.Parts)
	if stored != nil {
		stake = money.Minor(stored.Stake)
	}
	outcome, err := machine.Play(fairness.NewStream(seed, v.Client, v.Nonce), stake)
	if err != nil {
		return err
	}
	good := v.tell(c, seed, outcome)
	if stored != nil {
		good = v.compare(c, *stored, outcome) && good
	}
	if !good {
		return errTold
	}
	return nil
}

// read finds the stored round. Its seed is told only once it is settled, here as anywhere.
func (v *fairnessVerifyCommand) read(c *console) (row query.HouseRound, err error) {
	if v.DB == "" {
		if err := findDatabase(v.Data, "name its folder with --data"); err != nil {
			return row, err
		}
	}
	store, err := db.Open(c.ctx, v.Open(true))
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
		return row, fmt.Errorf("no round %d here", v.Round)
	case err == nil && row.Status != "settled":
		return row, fmt.Errorf("round %d is %s: it has nothing to verify", v.Round, row.Status)
	}
	return row, err
}

// tell prints every step, so that each can be done again with other tools.
func (v *fairnessVerifyCommand) tell(c *console, seed fairness.Seed, o reels.Outcome) (good bool) {
	good = v.tellStream(c, seed)
	for i, spin := range o.Spins {
		if spin.Free {
			fmt.Fprintf(c.out, "free round  %d of %d\n", i, o.FreeRounds)
		}
		tellSpin(c, spin)
	}
	tellPay(c, o)
	return good
}

// tellStream prints what every game's numbers come from.
func (v *fairnessVerifyCommand) tellStream(c *console, seed fairness.Seed) (good bool) {
	good = true
	said := ""
	if v.Commitment != "" {
		good = seed.Matches(strings.ToLower(v.Commitment))
		said = "  is what was published"
		if !good {
			said = "  IS NOT what was published: " + v.Commitment
		}
	}
	fmt.Fprintf(c.out, "seed        %s\n", seed.Hex())
	fmt.Fprintf(c.out, "commitment  %s%s\n", seed.Commitment(), said)
	fmt.Fprintf(c.out, "message     %s:%d:0\n", v.Client, v.Nonce)
	words := fairness.NewStream(seed, v.Client, v.Nonce)
	fmt.Fprint(c.out, "block 0     ")
	for range 8 {
		fmt.Fprintf(c.out, "%08x", words.Word())
	}
	fmt.Fprintln(c.out)
	return good
}

// scatter is what all machines call theirs.
const scatter = "scatter"

func tellSpin(c *console, spin reels.Spin) {
	fmt.Fprintf(c.out, "stops       %s\n", strings.Trim(fmt.Sprint(spin.Stops), "[]"))
	for i, step := range spin.Steps {
		label := "grid"
		if i > 0 {
			label = fmt.Sprintf("fall %d", i)
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
			tellWin(c, w, step.Multiplier)
		}
	}
	if spin.Awarded > 0 {
		fmt.Fprintf(c.out, "brings      %d free rounds\n", spin.Awarded)
	}
}

func tellWin(c *console, w reels.Win, multiplier int64) {
	label, of := "symbols", "a part of the stake"
	switch {
	case w.Line > 0:
		label, of = fmt.Sprintf("line %d", w.Line), "the stake of a line"
	case w.Ways > 0:
		label, of = fmt.Sprintf("%d ways", w.Ways), "a part of the stake for each way"
	case w.Symbol == scatter:
		label, of = "scatters", "the whole stake"
	}
	what := fmt.Sprintf("%d × %s", w.Count, w.Symbol)
	if label == "scatters" {
		what = fmt.Sprintf("%d anywhere", w.Count)
	}
	more := ""
	if multiplier > 1 {
		more = fmt.Sprintf(", %d times", multiplier)
	}
	fmt.Fprintf(c.out, "%-12s%s: %d × %s%s\n", label, what, w.Times, of, more)
}

// tellPay writes what came of it, times the stake and exact, whatever was staked.
func tellPay(c *console, o reels.Outcome) {
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
	fmt.Fprintf(c.out, "pays        %d.%02d × the stake\n", total/reels.Parts, total%reels.Parts*100/reels.Parts)
}

// compare holds what was stored against what was worked out.
func (v *fairnessVerifyCommand) compare(c *console, row query.HouseRound, o reels.Outcome) bool {
	stored, err := reels.ReadOutcome(row.Outcome)
	same := err == nil && row.Win == int64(o.Win) && reflect.DeepEqual(stored, o)
	if same {
		fmt.Fprintf(c.out, "round       %d is what was worked out\n", row.ID)
	} else {
		fmt.Fprintf(c.out, "round       %d IS NOT what was worked out\n", row.ID)
	}
	return same
}
