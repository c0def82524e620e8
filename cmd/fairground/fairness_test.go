package main

import (
	"strings"
	"testing"
)

// drawn is the round of the design's picture, which anybody can work out again.
var drawn = []string{
	"fairness", "verify", "--seed", "9216a3c6d60363564e7e5bffc8bb1c781ae60cf4b002af3a3818934485db9e3b",
	"--client", "minhanh_92-a41f9c", "--nonce", "4812", "--version", "1",
}

func TestPP17VerifyWorksARoundOutAgain(t *testing.T) {
	t.Parallel()
	const committed = "0facce61d2779298d6d75ce5e6f67da22511de6a51f0b2b93ff85c7963ed0bfa"
	want := `seed        9216a3c6d60363564e7e5bffc8bb1c781ae60cf4b002af3a3818934485db9e3b
commitment  0facce61d2779298d6d75ce5e6f67da22511de6a51f0b2b93ff85c7963ed0bfa  is what was published
message     minhanh_92-a41f9c:4812:0
block 0     6ac1ab4c6df7ca8753323430a7d7aae973d9bf0954a564084609285c72cdf324
stops       12 7 16 9 9
grid        dragon   Q        scatter  lotus    diamond
            A        dragon   K        dragon   A
            lantern  envelope wild     J        envelope
line 5      4 × dragon: 60 × the stake of a line
pays        3.00 × the stake
`
	for _, published := range []string{committed, strings.ToUpper(committed)} {
		if code, out, errs := command(t, "", append(drawn, "--commitment", published)...); code != 0 || out != want {
			t.Errorf("exit %d, %s\n%s", code, errs, out)
		}
	}
	code, out, _ := command(t, "", append(drawn, "--commitment", strings.Repeat("0", 64))...)
	if code != 1 || !strings.Contains(out, "IS NOT what was published") {
		t.Errorf("exit %d\n%s", code, out)
	}
	for name, args := range map[string][]string{
		"no seed":          {"fairness", "verify", "--client", "a", "--nonce", "1"},
		"a short seed":     {"fairness", "verify", "--seed", "9216", "--client", "a", "--nonce", "1"},
		"another alphabet": {"fairness", "verify", "--seed", strings.Repeat("z", 64), "--client", "a", "--nonce", "1"},
		"a colon":          {"fairness", "verify", "--seed", strings.Repeat("a", 64), "--client", "a:b", "--nonce", "1"},
		"nonce 0":          {"fairness", "verify", "--seed", strings.Repeat("a", 64), "--client", "a"},
		"no such engine":   append(drawn, "--engine", "wheel"),
		"no such version":  append(drawn, "--version", "9"),
		"no such database": {"fairness", "verify", "--round", "5", "--data", t.TempDir()},
	} {
		if code, out, _ := command(t, "", args...); code == 0 || out != "" {
			t.Errorf("%s: exit %d, %s", name, code, out)
		}
	}
}

// Rounds of internal/game/house/testdata/rounds.json, told fall by fall and free round by free round.
func TestPP17VerifyTellsFallsAndFreeRounds(t *testing.T) {
	t.Parallel()
	round := func(engine, version, nonce string) string {
		code, out, errs := command(t, "", "fairness", "verify", "--seed", "3c30828958fef61ddfdc63720350a460c96a2c8fc66df6ab3b07352406bce623",
			"--client", "fairground", "--nonce", nonce, "--engine", engine, "--version", version)
		if code != 0 {
			t.Errorf("%s: exit %d, %s", engine, code, errs)
		}
		return out
	}
	for _, tt := range []struct {
		engine, version, nonce string
		want                   []string
	}{
		{"slot", "0", "17", []string{"brings      8 free rounds", "free round  16 of 16", "3 anywhere: 2 × the whole stake"}},
		{"ways", "0", "33", []string{"brings      8 free rounds", "free round  8 of 8", "ways", "for each way, 2 times"}},
		{"cascade", "1", "168", []string{"brings      10 free rounds", "free round  10 of 10", "fall 1", "symbols", "a part of the stake, 2 times"}},
		{"cascade", "2", "4", []string{"dragon   wild     Q\n", "7 × dragon: 12 × a part of the stake\n", "8 × Q: 7 × a part of the stake\n", "fall 1"}},
		{"cascade", "0", "168", []string{"brings      10 free rounds", "free round  10 of 10", "wild"}},
	} {
		out := round(tt.engine, tt.version, tt.nonce)
		for _, want := range tt.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s says nothing of %q:\n%s", tt.engine, want, out)
			}
		}
	}
}

// A jackpot's draw, done again with nothing but what everybody is shown.
func TestPP13JackpotIsDrawnAgain(t *testing.T) {
	t.Parallel()
	seed := strings.Repeat("01", 32)
	draw := []string{"fairness", "jackpot", "--seed", seed, "--client", "jackpot-VND-1-1", "--nonce", "3", "--currency", "VND"}
	for stake, want := range map[string]string{"200000000000": "2000000000 parts: wins", "100": "1 parts: does not win"} {
		code, out, errs := command(t, "", append(draw, "--stake", stake)...)
		if code != 0 || !strings.Contains(out, want) || !strings.Contains(out, "message     jackpot-VND-1-1:3:0") {
			t.Errorf("PP-13: %s: %d %s%s", stake, code, out, errs)
		}
	}
	if code, out, _ := command(t, "", append(draw, "--stake", "100", "--commitment", strings.Repeat("0", 64))...); code != 1 || !strings.Contains(out, "IS NOT") {
		t.Errorf("PP-13: another commitment: %d %s", code, out)
	}
}
