package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"fairground/internal/game/fairness/beacon"
	"fairground/internal/game/fairness/series"
)

type fairnessSeriesCommand struct {
	File  string `arg:"" optional:"" help:"What /wps/fairness/series returned. Without it, standard input." type:"path" placeholder:"FILE"`
	Chain string `name:"beacon-info" help:"Description of the beacon's chain, as ADDRESS/HASH/info returns it. The chains of the League of Entropy are known." type:"path" placeholder:"FILE"`
}

// seriesFileLimit is the maximum size in bytes of the list of series that the command reads.
const seriesFileLimit = 64 << 20

// Run needs no database and no network: all its inputs are public.
func (v *fairnessSeriesCommand) Run(c *console) error {
	in := c.in
	if v.File != "" {
		f, err := os.Open(v.File)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, seriesFileLimit))
	if err != nil {
		return err
	}
	type list struct {
		List []series.Reply `json:"list"`
	}
	var file struct {
		list
		Value list `json:"value"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return fmt.Errorf("the list of series: %w", err)
	}
	all := append(file.List, file.Value.List...)
	if len(all) == 0 {
		return errors.New("the list has no series: give the response of /wps/fairness/series")
	}
	failed := false
	for _, s := range all {
		verdict, err := v.verify(s)
		if err != nil {
			failed, verdict = true, "WRONG: "+err.Error()
		}
		fmt.Fprintf(c.out, "%s %s %d  %s  end %s  %s\n", s.Kind, s.Name, s.Generation, s.State, s.End, verdict)
	}
	if failed {
		return errReported
	}
	return nil
}

// verify checks the salt of a series, and the signature of its beacon.
func (v *fairnessSeriesCommand) verify(s series.Reply) (verdict string, err error) {
	if s.StartedAt == 0 {
		return fmt.Sprintf("has no salt (%s %s)", s.Source, s.Detail), nil
	}
	if want := series.Salt(s.Kind, s.Name, s.Generation, s.End, s.Value); s.Salt != want {
		return "", fmt.Errorf("the salt is %s, want %s", s.Salt, want)
	}
	switch s.Source {
	case series.ByOperator:
		if s.Value != "" {
			return "", errors.New("a start that the operator chose has no public value")
		}
		return "the salt is right; the operator chose the start", nil
	case series.Announced:
		if s.CreatedAt >= s.DueAt || s.StartedAt < s.DueAt {
			return "", errors.New("the result was public before the announcement, or was entered too early")
		}
		return fmt.Sprintf("the salt is right; compare %s with %s", s.Value, s.Detail), nil
	}
	hash, round, err := beacon.ParseDetail(s.Detail)
	if err != nil {
		return "", err
	}
	chain, err := v.chain(hash)
	if err != nil {
		return "", err
	}
	value, err := chain.Verify(round, s.Signature)
	switch {
	case err != nil:
		return "", err
	case value.Randomness != s.Value:
		return "", fmt.Errorf("the value is %s, want %s", s.Value, value.Randomness)
	case s.CreatedAt >= chain.Time(round).UnixMilli():
		return "", fmt.Errorf("the series was published after round %d", round)
	}
	return fmt.Sprintf("the salt and the signature of round %d are right", round), nil
}

func (v *fairnessSeriesCommand) chain(hash string) (beacon.Chain, error) {
	if chain, known := beacon.WellKnown(hash); known {
		return chain, nil
	}
	if v.Chain == "" {
		return beacon.Chain{}, fmt.Errorf("the chain %s is not known: give its description with --beacon-info", hash)
	}
	text, err := os.ReadFile(v.Chain)
	if err != nil {
		return beacon.Chain{}, err
	}
	return beacon.ParseChain(hash, text)
}
