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

// maxSearchWords limits the words of a search. Each word scans a range of the index.
const maxSearchWords = 8

// searchWords returns the words of a search. Words match as prefixes, so it drops words that are prefixes of other words.
func searchWords(typed string) []string {
	all := strings.Fields(Fold(typed))
	slices.Sort(all)
	all = slices.Compact(all)
	words := all[:0]
	for i, w := range all {
		if i+1 == len(all) || !strings.HasPrefix(all[i+1], w) {
			words = append(words, w)
		}
	}
	if len(words) > maxSearchWords { // the longest words select the fewest games
		slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(utf8.RuneCountInString(b), utf8.RuneCountInString(a)) })
		words = words[:maxSearchWords]
	}
	return words
}

// find returns the games whose names match all words, in list order. It reads only the index on words.
func (s *Service) find(ctx context.Context, d *directory, language string, words []string) (_ []*gameEntry, err error) {
	if len(words) == 0 {
		return nil, nil // only symbols were typed, and no name consists of symbols
	}
	search, err := s.searchStatement(ctx, len(words)) //nolint:sqlclosecheck // cached; the service closes it
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
	var positions []int
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("search games: %w", err)
		}
		if position, ok := d.positions[id]; ok { // skips hidden games and those of other merchants
			positions = append(positions, position)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("search games: %w", err)
	}
	slices.Sort(positions)
	positions = slices.Compact(positions) // several words of a name may match the same prefix
	found := make([]*gameEntry, len(positions))
	for i, position := range positions {
		found[i] = d.games[position]
	}
	return found, nil
}

// lastRune sorts after every letter, so the words with a prefix are those from prefix to prefix+lastRune.
const lastRune = "\U0010FFFF"

func (s *Service) searchStatement(ctx context.Context, words int) (*sql.Stmt, error) {
	s.mu.Lock()
	prepared, ok := s.searches[words]
	s.mu.Unlock()
	if ok {
		return prepared, nil
	}
	statement, err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).PrepareContext(ctx, searchSQL(words))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if prepared, ok := s.searches[words]; ok { // prepared concurrently
		return prepared, statement.Close() //nolint:sqlclosecheck // never used
	}
	s.searches[words] = statement
	return statement, nil
}

func searchSQL(words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteString(" INTERSECT ")
		}
		b.WriteString("SELECT game_id FROM game_word WHERE language = $1 AND word >= $" + strconv.Itoa(2*i+2) + " AND word < $" + strconv.Itoa(2*i+3))
	}
	return b.String()
}
