package play_test

import (
	"flag"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
)

var update = flag.Bool("update", false, "write the tables of docs/lottery.md")

// chanceText returns a chance as a fraction, or as 1 in a number if the fraction is long.
func chanceText(chance *big.Rat) string {
	if text := chance.RatString(); len(text) <= 12 {
		return text
	}
	return "1 in " + new(big.Rat).Inv(chance).FloatString(3)
}

// tables returns the generated part of docs/lottery.md.
func tables() string {
	var text strings.Builder
	titles := map[draw.Form]string{
		draw.SSC: "5D (`ssc`)", draw.K3: "K3 (`k3`)", draw.PK10: "PK10 (`pk10`)", draw.Keno: "Keno (`keno`)",
		draw.North: "North", draw.South: "Central and south",
	}
	for _, form := range []draw.Form{draw.North, draw.South, draw.SSC, draw.K3, draw.PK10, draw.Keno} {
		modes := play.Modes(form)
		fmt.Fprintf(&text, "### %s\n\n| play | outcome | chance | odds %s | return | odds %s | return |\n|---|---|---:|---:|---:|---:|---:|\n", titles[form], modes[0].Code, modes[1].Code)
		for _, p := range play.All(form) {
			for _, o := range p.Outcomes {
				fmt.Fprintf(&text, "| `%s` | %s | %s |", p.Code, o.When, chanceText(o.Chance))
				for _, m := range modes {
					odds := play.StandardOdds(p, m)[o.When]
					fmt.Fprintf(&text, " %s | %s |", play.OddsText(odds), play.ReturnText(m.TotalReturn(p, o.When, odds)))
				}
				text.WriteString("\n")
			}
		}
		text.WriteString("\n| play | wins when | lines |\n|---|---|---:|\n")
		for _, p := range play.All(form) {
			fmt.Fprintf(&text, "| `%s` %s | %s | %d |\n", p.Code, p.Names.VI, p.Wins, p.MaxLines)
		}
		text.WriteString("\n")
	}
	text.WriteString("### Games\n\n| game | code | id | draws |\n|---|---|---:|---|\n")
	days := []string{"", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
	for _, g := range play.Games(schedule.StandardWeek()) {
		when := fmt.Sprintf("every %d s", g.PeriodSeconds())
		if g.Form.Regional() {
			when = fmt.Sprintf("%02d:%02d", int(g.Timetable.At.Hours()), int(g.Timetable.At.Minutes())%60)
			for day, drawn := range g.Timetable.Weekdays {
				if drawn {
					when += " " + days[day]
				}
			}
		}
		fmt.Fprintf(&text, "| %s | `%s` | %d | %s |\n", g.Names.EN, g.Code, g.ID, when)
	}
	return text.String()
}

func TestTablesInDocs(t *testing.T) {
	t.Parallel()
	const path, mark = "../../../../docs/lottery.md", "## Plays\n\n"
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(old), mark)
	if !found {
		t.Fatalf("%s has no heading %q", path, strings.TrimSpace(mark))
	}
	if *update {
		if err := os.WriteFile(path, []byte(head+mark+tables()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := tables(); rest != want {
		t.Errorf("the tables of docs/lottery.md differ from the data: run go test ./internal/game/lottery/play -run TablesInDocs -update\ngot %d bytes, want %d", len(rest), len(want))
	}
}
