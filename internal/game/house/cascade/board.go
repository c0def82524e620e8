package cascade

import "fairground/internal/game/house/reels"

// A board is the visible grid during a cascade.
type board struct {
	grid   [Reels][Rows]reels.Symbol
	above  [Reels]int // the stop of each strip that falls next
	counts [symbols]uint8
}

func (m *Machine) begin(stops []int) *board {
	b := &board{}
	m.set(b, stops)
	return b
}

func (m *Machine) set(b *board, stops []int) {
	for reel, stop := range stops {
		for row := range Rows {
			b.grid[reel][row] = m.strips[reel][(stop+row)%Stops]
		}
		b.above[reel] = (stop + Stops - 1) % Stops
	}
}

// count counts the symbols. Wilds count as every symbol except the scatter.
func (m *Machine) count(b *board) {
	b.counts = [symbols]uint8{}
	for reel := range b.grid {
		for row := range b.grid[reel] {
			b.counts[b.grid[reel][row]]++
		}
	}
	if !m.wilds || b.counts[m.Wild] == 0 {
		return
	}
	for s := range b.counts {
		if reels.Symbol(s) != m.Wild && reels.Symbol(s) != m.Scatter {
			b.counts[s] += b.counts[m.Wild]
		}
	}
}

// fall removes the winning symbols and fills the cells from above. Wilds are part of every win, so all of them vanish.
func (m *Machine) fall(b *board) {
	for reel := range b.grid {
		column := &b.grid[reel]
		to := Rows - 1
		for from := Rows - 1; from >= 0; from-- {
			s := column[from]
			if s == m.Wild || s != m.Scatter && m.pays[s][b.counts[s]] > 0 {
				continue
			}
			column[to] = s
			to--
		}
		for ; to >= 0; to-- {
			column[to] = m.strips[reel][b.above[reel]]
			b.above[reel] = (b.above[reel] + Stops - 1) % Stops
		}
	}
}

func (m *Machine) cellsOf(b *board, of reels.Symbol) [][2]int {
	var found [][2]int
	for reel := range b.grid {
		for row := range b.grid[reel] {
			if s := b.grid[reel][row]; s == of || s == m.Wild && of != m.Scatter {
				found = append(found, [2]int{reel, row})
			}
		}
	}
	return found
}
