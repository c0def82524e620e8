package house

import (
	"encoding/hex"
	"slices"
	"sync"
)

// Bounds on open streams of tables, in this process.
const (
	// streamsAtTable is what one table serves.
	streamsAtTable = 5000
	// streamsPerPlayer is of all tables: more windows than anybody looks at.
	streamsPerPlayer = 8
	// streamsPerFrame is of one window, which reads one and may have left another behind with its last network.
	streamsPerFrame = 2
)

// sitter is somebody who is told of a table's news.
type sitter struct {
	player, frame string
	news          chan struct{} // something changed; what, is read from the desk
	replaced      chan struct{} // closed when newer streams have taken its place
}

// seats are all the sitters of this process by their players, the oldest first. Nobody can take every place: whoever sits
// down once too often makes the oldest of their own get up, for it may well be a phone that left its network without a word.
type seats struct {
	mu       sync.Mutex
	byPlayer map[string][]*sitter
}

func (s *seats) take(f frame) *sitter {
	one := &sitter{player: f.Player, frame: hex.EncodeToString(f.TokenHash), news: make(chan struct{}, 1), replaced: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byPlayer == nil {
		s.byPlayer = map[string][]*sitter{}
	}
	s.bound(one.player, streamsPerFrame, func(other *sitter) bool { return other.frame == one.frame })
	s.bound(one.player, streamsPerPlayer, func(*sitter) bool { return true })
	s.byPlayer[one.player] = append(s.byPlayer[one.player], one)
	return one
}

// bound makes room for one more of those that count. Its caller holds the lock.
func (s *seats) bound(player string, most int, counts func(*sitter) bool) {
	n, oldest := 0, -1
	for i, other := range s.byPlayer[player] {
		if !counts(other) {
			continue
		}
		if n++; oldest < 0 {
			oldest = i
		}
	}
	if n >= most {
		close(s.byPlayer[player][oldest].replaced)
		s.byPlayer[player] = slices.Delete(s.byPlayer[player], oldest, oldest+1)
	}
}

func (s *seats) give(one *sitter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := slices.DeleteFunc(s.byPlayer[one.player], func(other *sitter) bool { return other == one })
	if len(left) == 0 {
		delete(s.byPlayer, one.player)
		return
	}
	s.byPlayer[one.player] = left
}
