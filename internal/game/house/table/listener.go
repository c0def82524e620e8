package table

import (
	"encoding/hex"
	"slices"
	"sync"
)

// Limits on open streams, per process.
const (
	maxStreamsPerTable  = 5000
	maxStreamsPerPlayer = 8 // over all tables
	maxStreamsPerFrame  = 2 // a client that changed networks may have left a dead stream open
)

type listener struct {
	player, frame string
	changed       chan struct{} // the table has a new state
	replaced      chan struct{} // closed when a newer stream replaces this one
}

// listeners holds all listeners by player, oldest first. A new stream above the limit replaces the player's oldest stream, whose
// connection may be lost.
type listeners struct {
	mu       sync.Mutex
	byPlayer map[string][]*listener
}

func (s *listeners) add(f tableFrame) *listener {
	l := &listener{player: f.Player, frame: hex.EncodeToString(f.TokenHash), changed: make(chan struct{}, 1), replaced: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byPlayer == nil {
		s.byPlayer = map[string][]*listener{}
	}
	s.replaceOldest(l.player, maxStreamsPerFrame, func(other *listener) bool { return other.frame == l.frame })
	s.replaceOldest(l.player, maxStreamsPerPlayer, func(*listener) bool { return true })
	s.byPlayer[l.player] = append(s.byPlayer[l.player], l)
	return l
}

// replaceOldest removes the player's oldest listener that matches if limit or more match. The caller holds the lock.
func (s *listeners) replaceOldest(player string, limit int, matches func(*listener) bool) {
	n, oldest := 0, -1
	for i, other := range s.byPlayer[player] {
		if !matches(other) {
			continue
		}
		if n++; oldest < 0 {
			oldest = i
		}
	}
	if n >= limit {
		close(s.byPlayer[player][oldest].replaced)
		s.byPlayer[player] = slices.Delete(s.byPlayer[player], oldest, oldest+1)
	}
}

func (s *listeners) remove(l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := slices.DeleteFunc(s.byPlayer[l.player], func(other *listener) bool { return other == l })
	if len(left) == 0 {
		delete(s.byPlayer, l.player)
		return
	}
	s.byPlayer[l.player] = left
}
