package main

import (
	"encoding/json"
	"fmt"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/table"
	"fairground/internal/platform/db/query"
)

// verifyTable recomputes a round of a table. The client seed is the table's id, and the nonce is the number of the round.
// If stored is not nil, verifyTable compares that ticket with the result.
func (v *fairnessVerifyCommand) verifyTable(c *console, seed fairness.Seed, stored *query.HouseRound) error {
	dealer, found := table.FindDealer(v.Engine, v.Version)
	if !found {
		return fmt.Errorf("this program does not have version %d of %s: use the release that played the round", v.Version, v.Engine)
	}
	result, err := dealer.Deal(fairness.NewStream(seed, v.Client, v.Nonce))
	if err != nil {
		return err
	}
	valid := v.printStream(c, seed)
	fmt.Fprintf(c.out, "result      %s\n", result)
	if stored != nil {
		same, err := v.compareTicket(c, *stored, result)
		if err != nil {
			return err
		}
		valid = same && valid
	}
	if !valid {
		return errReported
	}
	return nil
}

// compareTicket prints and returns whether a stored ticket equals the recomputed one.
func (v *fairnessVerifyCommand) compareTicket(c *console, row query.HouseRound, result json.RawMessage) (bool, error) {
	recomputed, err := table.Tally(row.Engine, row.Version, result, row.Spots)
	if err != nil {
		return false, err
	}
	for _, s := range recomputed.Spots {
		fmt.Fprintf(c.out, "%-12s%d pays %d\n", s.ID, s.Stake, s.Win)
	}
	want, err := json.Marshal(recomputed)
	if err != nil {
		return false, err
	}
	same := row.Outcome == string(want) && row.Win == int64(recomputed.Win)
	verdict := "matches the stored outcome"
	if !same {
		verdict = "DOES NOT MATCH the stored outcome"
	}
	fmt.Fprintf(c.out, "round       %d %s\n", row.ID, verdict)
	return same, nil
}
