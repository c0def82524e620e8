package main

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"fairground/internal/game/fairness/chain"
)

const northResult = "DB=93405;G1=11105;G2=22222,33333;G3=44401,44402,44403,44404,44406,44407;G4=5501,5502,5503,5504;G5=6601,6602,6603,6604,6606,6607;G6=701,702,703;G7=01,02,03,04"

func TestLotteryPay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, want string }{
		{
			"--game vn-ha-noi --play lo2 --prize-mode Lott --selection 05,17 --result " + northResult,
			"lines 2|stake 1000 per line and prize, 27 prizes|multiple 1|amount 54000|odds 97.000|win 05: 2 × 97.000|payout 194000|rebate 0",
		},
		{
			"--game vn-ha-noi --play de --prize-mode ZY --selection 05 --result 93405 --stake 2000 --multiple 3",
			"lines 1|stake 2000 per line|multiple 3|amount 6000|odds 95.500|win 05: 1 × 95.500|payout 573000|rebate 90",
		},
		{
			"--game vn-ca-mau --play de --selection 06 --result 193405",
			"lines 1|stake 1000 per line|multiple 1|amount 1000|odds 97.000|payout 0|rebate 0",
		},
		{
			"--game ssc-1 --play dragon-tiger --selection dragon,tie --result 3,0,7,7,1 --currency CNY",
			"lines 2|stake 1.00 per line|multiple 1|amount 2.00|odds 2.155 dragon|odds 2.155 tiger|odds 9.700 tie|win dragon: 1 × 2.155|payout 2.15|rebate 0.00",
		},
		{
			"--game vn-ha-noi --play de --selection 05 --result DB=93405",
			"lines 1|stake 1000 per line|multiple 1|amount 1000|odds 97.000|win 05: 1 × 97.000|payout 97000|rebate 0",
		},
		{
			"--game ssc-1 --play pos --selection 3|07|*|*|5 --result 3,0,7,7,1",
			"lines 4|stake 1000 per line|multiple 1|amount 4000|odds 9.700|win 1:3: 1 × 9.700|win 2:0: 1 × 9.700|payout 19400|rebate 0",
		},
	} {
		code, out, stderr := command(t, "", append([]string{"lottery", "pay"}, strings.Fields(tt.args)...)...)
		var lines []string
		for line := range strings.Lines(out) {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
		if got := strings.Join(lines, "|"); code != 0 || got != tt.want {
			t.Errorf("%s: exit code = %d, want 0: %s\ngot  %s\nwant %s", tt.args, code, stderr, got, tt.want)
		}
	}
	for args, want := range map[string]string{
		"--game x --play de --selection 05 --result 93405":                        "lottery.unknown_game",
		"--game vn-ha-noi --play pos --selection 05 --result 93405":               "lottery.unknown_play",
		"--game vn-ha-noi --play de --selection 05,5 --result 93405":              "lottery.bad_selection): digits 5",
		"--game vn-ha-noi --play de --selection 05 --result 934051":               "lottery.bad_result",
		"--game vn-ha-noi --play lo2 --selection 05 --result 93405":               "lottery.bad_result",
		"--game vn-ha-noi --play de --selection 05 --result 93405 --stake 1":      "lottery.stake",
		"--game vn-ha-noi --play de --selection 05 --result 93405 --multiple 0":   "lottery.stake): multiple",
		"--game vn-ha-noi --play de --selection 05 --result 1 --prize-mode Elott": "--prize-mode",
		"--game k3-1 --play sum --selection sum-3 --result 1,1,1 --currency XXX":  "money.unknown_currency",
	} {
		if code, out, stderr := command(t, "", append([]string{"lottery", "pay"}, strings.Fields(args)...)...); code == 0 || out != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code = %d, %s%s, want an error with %s", args, code, out, stderr, want)
		}
	}
}

func TestPP17VerifyRecomputesLotteryDraw(t *testing.T) {
	t.Parallel()
	series, err := chain.New(sha256.Sum256([]byte("command")), 50)
	if err != nil {
		t.Fatal(err)
	}
	seed, err := series.Seed(42)
	if err != nil {
		t.Fatal(err)
	}
	salt := strings.Repeat("0a", 16)
	args := []string{"fairness", "lottery", "--game", "k3-3", "--seed", seed.Hex(), "--salt", salt, "--link", "42", "--end", series.End().Hex()}
	code, out, stderr := command(t, "", args...)
	want := fmt.Sprintf("seed        %s\ncommitment  %s\nend         reached after 42 hashes\nmessage     %s-k3-3:42:0\nresult      ", seed.Hex(), seed.Commitment(), salt)
	result, found := strings.CutPrefix(out, want)
	if code != 0 || !found {
		t.Fatalf("exit code = %d, want 0: %s\n%s\nwant %s", code, stderr, out, want)
	}
	result = strings.TrimSpace(result)
	if code, out, _ := command(t, "", append(args, "--result", result)...); code != 0 {
		t.Errorf("with the right result: exit code = %d, want 0\n%s", code, out)
	}
	for name, more := range map[string][]string{
		"another result": {"--result", "1,1"},
		"another link":   {"--link", "41"},
		"another end":    {"--end", strings.Repeat("0", 64)},
		"no link":        {"--link", "0"},
		"a bad salt":     {"--salt", "0a"},
		"a bad end":      {"--end", "0a"},
		"a bad seed":     {"--seed", "0a"},
		"regional":       {"--game", "vn-ha-noi"},
		"unknown":        {"--game", "k3-2"},
	} {
		if code, out, stderr := command(t, "", append(args, more...)...); code == 0 {
			t.Errorf("%s: exit code = 0, want an error\n%s%s", name, out, stderr)
		}
	}
}
