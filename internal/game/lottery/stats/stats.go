// Package stats counts how often and how long ago each number of a play was drawn. Draws are independent, so the counts
// say nothing about later draws.
package stats

import (
	"strconv"

	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
)

// A Count is the history of one number or option.
type Count struct {
	Key      string // the entry, or one number of an entry with several; "1:07" is 07 at position 1
	Times    int    // how often it was drawn; lô counts every prize
	Draws    int    // number of draws that had it
	Omission int    // draws since the last draw that had it; all draws if none had it
	Longest  int    // the longest run of draws without it
}

// Of returns the counts of a play. The results must be newest first.
func Of(p *play.Play, results []draw.Result) []Count {
	keys := keysOf(p)
	counts := make([]Count, len(keys))
	index := make(map[string]int, len(keys))
	last := make([]int, len(keys)) // index of the last counted draw that had the key, or -1
	for i, key := range keys {
		counts[i] = Count{Key: key, Omission: len(results)}
		index[key], last[i] = i, -1
	}
	for n, r := range results {
		for _, key := range drawnKeys(p, r) {
			i, found := index[key]
			if !found {
				continue
			}
			c := &counts[i]
			c.Times++
			if last[i] == n && c.Draws > 0 {
				continue // repeated in the same draw
			}
			if c.Draws == 0 {
				c.Omission = n
			}
			c.Longest = max(c.Longest, n-last[i]-1)
			c.Draws++
			last[i] = n
		}
	}
	for i := range counts {
		counts[i].Longest = max(counts[i].Longest, len(results)-last[i]-1)
	}
	return counts
}

// keysOf returns the keys of a play's counts.
func keysOf(p *play.Play) []string {
	var keys []string
	pick := p.Pick
	switch pick.Kind {
	case play.PickOption:
		for _, position := range p.PositionNames() {
			for _, option := range pick.Options {
				keys = append(keys, position+option)
			}
		}
	case play.PickPositions:
		for position := 1; position <= pick.Positions; position++ {
			for n := pick.From; n <= pick.To; n++ {
				keys = append(keys, strconv.Itoa(position)+":"+play.Padded(n, pick.Digits))
			}
		}
	default:
		for n := pick.From; n <= pick.To; n++ {
			keys = append(keys, play.Padded(n, pick.Digits))
		}
	}
	return keys
}

// drawnKeys returns the keys that a result has. A key is repeated if the result has it more than once.
func drawnKeys(p *play.Play, r draw.Result) []string {
	pick := p.Pick
	var keys []string
	switch {
	case pick.Kind == play.PickPositions:
		for i, n := range r.Numbers {
			keys = append(keys, strconv.Itoa(i+1)+":"+play.Padded(n, pick.Digits))
		}
	case pick.Kind == play.PickNumber && p.Prizes > 1, pick.Kind == play.PickSet && r.Form.Regional():
		return r.Tails(pick.Digits)
	case pick.Kind == play.PickSet || pick.Kind == play.PickPattern:
		numbers := r.Numbers
		switch r.Form {
		case draw.SSC:
			numbers = numbers[2:]
		case draw.PK10:
			numbers = numbers[:2]
		}
		for _, n := range numbers {
			keys = append(keys, play.Padded(n, pick.Digits))
		}
	default:
		for _, key := range keysOf(p) {
			lines, err := p.Parse(key)
			if err == nil && p.Hits(lines[0], r) > 0 {
				keys = append(keys, key)
			}
		}
	}
	return keys
}
