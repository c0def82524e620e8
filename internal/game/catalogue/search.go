package catalogue

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fairground/internal/platform/db"
)

// wordsMost is how many words of a typed name are looked for.
const wordsMost = 8

// words are those of a typed name that count: each begins a word of the game's name, so one that begins another typed
// word asks for nothing more.
func words(typed string) []string {
	all := strings.Fields(Fold(typed))
	slices.Sort(all)
	all = slices.Compact(all)
	kept := all[:0]
	for i, w := range all {
		if i+1 == len(all) || !strings.HasPrefix(all[i+1], w) {
			kept = append(kept, w)
		}
	}
	if len(kept) > wordsMost { // the longest say most, and each costs a stretch of the index
		slices.SortStableFunc(kept, func(a, b string) int { return cmp.Compare(utf8.RuneCountInString(b), utf8.RuneCountInString(a)) })
		kept = kept[:wordsMost]
	}
	return kept
}

// find gives the games whose names have all the words, in the order of lists. Every word is a stretch of the index on
// words; no other row is read.
func (s *Service) find(ctx context.Context, d *directory, language string, words []string) (_ []*title, err error) {
	if len(words) == 0 {
		return nil, nil // something was typed, and no name has signs alone
	}
	search, err := s.search(ctx, len(words)) //nolint:sqlclosecheck // kept for the next one; the service closes it
	if err != nil {
		return nil, fmt.Errorf("search games: %w", err)
	}
	args := []any{language}
	for _, w := range words {
		args = append(args, w, w+lastRune)
	}
	rows, err := search.QueryContext(ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("search games: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var places []int
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("search games: %w", err)
		}
		if place, ok := d.places[id]; ok { // not another merchant's, and to be seen
			places = append(places, place)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("search games: %w", err)
	}
	slices.Sort(places)
	places = slices.Compact(places) // two words of a name may begin alike
	found := make([]*title, len(places))
	for i, place := range places {
		found[i] = d.games[place]
	}
	return found, nil
}

// lastRune comes after every letter: what begins with a word stands before the word with it.
const lastRune = "\U0010FFFF"

// search is the prepared statement for so many words.
func (s *Service) search(ctx context.Context, words int) (*sql.Stmt, error) {
	s.mu.Lock()
	prepared, ok := s.searches[words]
	s.mu.Unlock()
	if ok {
		return prepared, nil
	}
	made, err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).PrepareContext(ctx, searchText(words))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if prepared, ok := s.searches[words]; ok { // another was quicker
		return prepared, made.Close() //nolint:sqlclosecheck // nothing was read from it
	}
	s.searches[words] = made
	return made, nil
}

func searchText(words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteString(" INTERSECT ")
		}
		b.WriteString("SELECT game_id FROM game_word WHERE language = $1 AND word >= $" + strconv.Itoa(2*i+2) + " AND word < $" + strconv.Itoa(2*i+3))
	}
	return b.String()
}
