package main

import (
	"strings"
	"testing"
)

var verifyRound = []string{
	"fairness", "verify", "--seed", "9216a3c6d60363564e7e5bffc8bb1c781ae60cf4b002af3a3818934485db9e3b",
	"--client", "minhanh_92-a41f9c", "--nonce", "4812", "--version", "1",
}

func TestPP17VerifyRecomputesRound(t *testing.T) {
	t.Parallel()
	const committed = "0facce61d2779298d6d75ce5e6f67da22511de6a51f0b2b93ff85c7963ed0bfa"
	want := `seed        9216a3c6d60363564e7e5bffc8bb1c781ae60cf4b002af3a3818934485db9e3b
commitment  0facce61d2779298d6d75ce5e6f67da22511de6a51f0b2b93ff85c7963ed0bfa  matches the published commitment
message     minhanh_92-a41f9c:4812:0
block 0     6ac1ab4c6df7ca8753323430a7d7aae973d9bf0954a564084609285c72cdf324
stops       12 7 16 9 9
grid        dragon   Q        scatter  lotus    diamond
            A        dragon   K        dragon   A
            lantern  envelope wild     J        envelope
line 5      4 × dragon: 60 × line stake
pays        3.00 × total stake
`
	for _, published := range []string{committed, strings.ToUpper(committed)} {
		if code, out, stderr := command(t, "", append(verifyRound, "--commitment", published)...); code != 0 || out != want {
			t.Errorf("exit code = %d, want 0: %s\n%s\nwant %s", code, stderr, out, want)
		}
	}
	const engines = "--engine: want one of cascade, slot, ways, baccarat, sicbo, dragontiger, roulette; for a lottery draw use fairness lottery"
	if _, _, stderr := command(t, "", append(verifyRound, "--engine", "wheel")...); !strings.Contains(stderr, engines) {
		t.Errorf("unknown engine: %s, want %q", stderr, engines)
	}
	code, out, _ := command(t, "", append(verifyRound, "--commitment", strings.Repeat("0", 64))...)
	if code != 1 || !strings.Contains(out, "DOES NOT MATCH the published commitment") {
		t.Errorf("exit code = %d, want 1 and another commitment\n%s", code, out)
	}
	for name, args := range map[string][]string{
		"no seed":          {"fairness", "verify", "--client", "a", "--nonce", "1"},
		"short seed":       {"fairness", "verify", "--seed", "9216", "--client", "a", "--nonce", "1"},
		"no hex digits":    {"fairness", "verify", "--seed", strings.Repeat("z", 64), "--client", "a", "--nonce", "1"},
		"colon in client":  {"fairness", "verify", "--seed", strings.Repeat("a", 64), "--client", "a:b", "--nonce", "1"},
		"nonce 0":          {"fairness", "verify", "--seed", strings.Repeat("a", 64), "--client", "a"},
		"unknown engine":   append(verifyRound, "--engine", "wheel"),
		"unknown version":  append(verifyRound, "--version", "9"),
		"missing database": {"fairness", "verify", "--round", "5", "--data", t.TempDir()},
	} {
		if code, out, _ := command(t, "", args...); code == 0 || out != "" {
			t.Errorf("%s: exit code = %d, %s, want an error and no output", name, code, out)
		}
	}
}

// The rounds are from internal/game/house/testdata/rounds.json.
func TestPP17VerifyPrintsCascadesAndFreeRounds(t *testing.T) {
	t.Parallel()
	round := func(engine, version, nonce string) string {
		code, out, stderr := command(t, "", "fairness", "verify", "--seed", "3c30828958fef61ddfdc63720350a460c96a2c8fc66df6ab3b07352406bce623",
			"--client", "fairground", "--nonce", nonce, "--engine", engine, "--version", version)
		if code != 0 {
			t.Errorf("%s: exit code = %d, want 0: %s", engine, code, stderr)
		}
		return out
	}
	for _, tt := range []struct {
		engine, version, nonce string
		want                   []string
	}{
		{"slot", "0", "17", []string{"awards      8 free rounds", "free round  16 of 16", "3 anywhere: 2 × total stake"}},
		{"ways", "0", "33", []string{"awards      8 free rounds", "free round  8 of 8", "ways", "per way, multiplier 2"}},
		{"cascade", "1", "168", []string{"awards      10 free rounds", "free round  10 of 10", "cascade 1", "symbols", "stake unit, multiplier 2"}},
		{"cascade", "2", "4", []string{"dragon   wild     Q\n", "7 × dragon: 12 × stake unit\n", "8 × Q: 7 × stake unit\n", "cascade 1"}},
		{"cascade", "0", "168", []string{"awards      10 free rounds", "free round  10 of 10", "wild"}},
	} {
		out := round(tt.engine, tt.version, tt.nonce)
		for _, want := range tt.want {
			if !strings.Contains(out, want) {
				t.Errorf("output for %s lacks %q:\n%s", tt.engine, want, out)
			}
		}
	}
}

func TestPP13JackpotDrawIsRecomputed(t *testing.T) {
	t.Parallel()
	seed := strings.Repeat("01", 32)
	draw := []string{"fairness", "jackpot", "--seed", seed, "--client", "jackpot-VND-1-1", "--nonce", "3", "--currency", "VND"}
	for stake, want := range map[string]string{"200000000000": "2000000000 parts: wins", "100": "1 parts: does not win"} {
		code, out, stderr := command(t, "", append(draw, "--stake", stake)...)
		if code != 0 || !strings.Contains(out, want) || !strings.Contains(out, "message     jackpot-VND-1-1:3:0") {
			t.Errorf("PP-13: %s: %d %s%s, want exit code 0, %v and \"message     jackpot-VND-1-1:3:0\"", stake, code, out, stderr, want)
		}
	}
	if code, out, _ := command(t, "", append(draw, "--stake", "100", "--commitment", strings.Repeat("0", 64))...); code != 1 || !strings.Contains(out, "DOES NOT MATCH") {
		t.Errorf("PP-13: wrong commitment: %d %s, want exit code 1 and \"DOES NOT MATCH\"", code, out)
	}
}
