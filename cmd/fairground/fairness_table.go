package main

import (
	"encoding/json"
	"fmt"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/table"
	"fairground/internal/platform/db/query"
)

// verifyTable works a table's round out again: its client seed is the table, its nonce the round's number. A stored ticket
// is held against it, spot by spot.
func (v *fairnessVerifyCommand) verifyTable(c *console, seed fairness.Seed, stored *query.HouseRound) error {
	dealer, known := table.FindDealer(v.Engine, v.Version)
	if !known {
		return fmt.Errorf("this program has no version %d of %s", v.Version, v.Engine)
	}
	result, err := dealer.Deal(fairness.NewStream(seed, v.Client, v.Nonce))
	if err != nil {
		return err
	}
	good := v.tellStream(c, seed)
	fmt.Fprintf(c.out, "result      %s\n", result)
	if stored != nil {
		same, err := v.compareTicket(c, *stored, result)
		if err != nil {
			return err
		}
		good = same && good
	}
	if !good {
		return errTold
	}
	return nil
}

// compareTicket holds what was stored of a ticket against what was worked out.
func (v *fairnessVerifyCommand) compareTicket(c *console, row query.HouseRound, result json.RawMessage) (bool, error) {
	worked, err := table.Tally(row.Engine, row.Version, result, row.Spots)
	if err != nil {
		return false, err
	}
	for _, s := range worked.Spots {
		fmt.Fprintf(c.out, "%-12s%d brings %d\n", s.ID, s.Stake, s.Win)
	}
	want, err := json.Marshal(worked)
	if err != nil {
		return false, err
	}
	same := row.Outcome == string(want) && row.Win == int64(worked.Win)
	said := "is what was worked out"
	if !same {
		said = "IS NOT what was worked out"
	}
	fmt.Fprintf(c.out, "round       %d %s\n", row.ID, said)
	return same, nil
}
