package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/chain"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/money"
)

type lotteryGroup struct {
	Pay lotteryPayCommand `cmd:"" help:"Compute what a bet pays for a result. It needs no database."`
}

// A scheduleFlag names the file with the schedule of the regional lotteries, as for the server.
type scheduleFlag struct {
	LotterySchedule string `name:"lottery-schedule" help:"File with the weekly schedule of the regional lotteries, as for fairground serve." env:"FAIRGROUND_LOTTERY_SCHEDULE" type:"path" placeholder:"FILE"`
}

func (f scheduleFlag) findGame(code string) (play.Game, error) {
	week, err := readWeek(f.LotterySchedule)
	if err != nil {
		return play.Game{}, err
	}
	return play.FindGame(play.Games(week), code)
}

// readWeek reads the schedule of the regional lotteries. Without a file, it returns the standard schedule.
func readWeek(file string) (schedule.Week, error) {
	if file == "" {
		return schedule.StandardWeek(), nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return schedule.Week{}, fmt.Errorf("--lottery-schedule: %w", err)
	}
	week, err := schedule.ParseWeek(text)
	if err != nil {
		return schedule.Week{}, fmt.Errorf("--lottery-schedule %s: %w", file, err)
	}
	ids, codes := map[int]bool{}, map[string]bool{}
	for _, g := range play.Games(week) {
		if ids[g.ID] || codes[g.Code] {
			return schedule.Week{}, fmt.Errorf("--lottery-schedule %s: a province has the id or the code of the fast game %s: choose another one", file, g.Code)
		}
		ids[g.ID], codes[g.Code] = true, true
	}
	return week, nil
}

type lotteryPayCommand struct {
	scheduleFlag

	Game      string `required:"" help:"Code of the game, for example k3-1 or vn-ha-noi." placeholder:"CODE"`
	Play      string `required:"" help:"Code of the play, for example lo2." placeholder:"PLAY"`
	PrizeMode string `help:"Prize mode: Lott or ZY for regional games, Elott or ZY for fast ones. The default is the first of them." placeholder:"MODE"`
	Selection string `required:"" help:"Entries of the selection, separated by commas." placeholder:"TEXT"`
	Result    string `required:"" help:"Numbers of the draw. A regional result is DB=…;G1=…;G2=…,… or the prizes as JSON; the special prize alone is enough for plays on it." placeholder:"TEXT"`
	Stake     string `help:"Stake per line. The default is the smallest." placeholder:"AMOUNT"`
	Multiple  int    `help:"Multiple of the stake." default:"1" placeholder:"N"`
	Currency  string `help:"Currency of the stake." default:"VND" placeholder:"CODE"`
}

// Run needs no database: a payout depends only on the published rules.
func (v *lotteryPayCommand) Run(c *console) error {
	game, err := v.findGame(v.Game)
	if err != nil {
		return err
	}
	p, err := play.Find(game.Form, v.Play)
	if err != nil {
		return err
	}
	mode := play.Modes(game.Form)[0]
	if v.PrizeMode != "" {
		var found bool
		if mode, found = play.FindMode(game.Form, v.PrizeMode); !found {
			return fmt.Errorf("--prize-mode: %s has no prize mode %q", game.Code, v.PrizeMode)
		}
	}
	currency, err := money.Find(v.Currency)
	if err != nil {
		return err
	}
	limits := play.StandardLimits(currency)
	stake := limits.Min
	if v.Stake != "" {
		if stake, err = currency.Parse(v.Stake); err != nil {
			return fmt.Errorf("--stake: %w", err)
		}
	}
	bet, err := play.NewBet(p, v.Selection, stake, v.Multiple, limits, play.StandardOdds(p, mode))
	if err != nil {
		return err
	}
	result, err := p.ParseResult(v.Result)
	if err != nil {
		return err
	}
	payout, wins := bet.Pay(result)
	fmt.Fprintf(c.out, "lines       %d\n", len(bet.Lines))
	fmt.Fprintf(c.out, "stake       %s per line", currency.Format(stake))
	if p.Prizes > 1 {
		fmt.Fprintf(c.out, " and prize, %d prizes", p.Prizes)
	}
	fmt.Fprintf(c.out, "\nmultiple    %d\namount      %s\n", v.Multiple, currency.Format(bet.Amount))
	for _, o := range p.Outcomes {
		fmt.Fprintln(c.out, strings.TrimRight(fmt.Sprintf("odds        %s %s", play.OddsText(bet.Odds[o.When]), o.When), " "))
	}
	for _, w := range wins {
		fmt.Fprintf(c.out, "win         %s: %d × %s\n", w.Line.Key, w.Hits, play.OddsText(w.Odds))
	}
	fmt.Fprintf(c.out, "payout      %s\n", currency.Format(payout))
	fmt.Fprintf(c.out, "rebate      %s\n", currency.Format(mode.PaidBack(bet.Amount)))
	return nil
}

type fairnessLotteryCommand struct {
	scheduleFlag

	Game   string `required:"" help:"Code of the fast game, for example k3-1." placeholder:"CODE"`
	Seed   string `required:"" help:"Revealed seed of the draw." placeholder:"HEX"`
	Salt   string `required:"" help:"Salt of the series." placeholder:"HEX"`
	Link   int    `required:"" help:"Number of the draw in its series." placeholder:"N"`
	End    string `help:"Published end of the series. The seed is compared with it." placeholder:"HEX"`
	Result string `help:"Published numbers. They are compared with the computed ones." placeholder:"TEXT"`
}

// Run needs no database: all its inputs are public.
func (v *fairnessLotteryCommand) Run(c *console) error {
	game, err := v.findGame(v.Game)
	if err != nil {
		return err
	}
	seed, err := fairness.ParseSeed(v.Seed)
	switch {
	case game.Form.Regional():
		return errors.New("--game: regional draws are not ours, so they have no seed")
	case err != nil:
		return errors.New("--seed: want the 64 hexadecimal digits of a revealed seed")
	case !draw.GoodSalt(v.Salt):
		return errors.New("--salt: want 32 lower-case hexadecimal digits")
	case v.Link < 1 || v.Link > chain.Length:
		return fmt.Errorf("--link: want a number from 1 to %d", chain.Length)
	}
	var end fairness.Seed
	if v.End != "" {
		if end, err = fairness.ParseSeed(v.End); err != nil {
			return errors.New("--end: want the 64 hexadecimal digits of a series' end")
		}
	}
	result := draw.FromSeed(game.Form, seed, v.Salt, game.Code, int64(v.Link))
	valid := true
	fmt.Fprintf(c.out, "seed        %s\n", seed.Hex())
	fmt.Fprintf(c.out, "commitment  %s\n", seed.Commitment())
	if v.End != "" {
		verdict := fmt.Sprintf("reached after %d hashes", v.Link)
		if !chain.Verify(end, seed, v.Link) {
			verdict, valid = "NOT REACHED: the seed is not this link of the series", false
		}
		fmt.Fprintf(c.out, "end         %s\n", verdict)
	}
	fmt.Fprintf(c.out, "message     %s:%d:0\n", draw.ClientSeed(v.Salt, game.Code), v.Link)
	fmt.Fprintf(c.out, "result      %s\n", result.WinNo())
	if v.Result != "" && v.Result != result.WinNo() {
		fmt.Fprintf(c.out, "DIFFERS from the published result %s\n", v.Result)
		valid = false
	}
	if !valid {
		return errReported
	}
	return nil
}
