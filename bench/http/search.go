package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fairground/internal/game/catalogue"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/spec"
)

const (
	manyGames      = 10_000
	minSearchRatio = 0.5 // of the rate of the same SQL query run directly
	firstWords     = 20  // number of first words in game names
	secondWords    = 25  // number of second words; both together match twenty games
)

// term returns the n-th search: two words without accents, the second a prefix.
func term(n int) (first, second string) {
	return fmt.Sprintf("rong%02d", n%firstWords), fmt.Sprintf("van%02d", n/firstWords%secondWords)
}

// measureSearch compares uncached searches over HTTP with the same SQL query run directly, with the same number of
// callers. The catalogue has ten thousand games.
func measureSearch(ctx context.Context, work string) ([]string, error) {
	file := filepath.Join(work, "catalogue.json")
	if err := writeCatalogue(file); err != nil {
		return nil, err
	}
	cluster, err := dbtest.StartDurableCluster(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = cluster.Stop() }()
	if err := cluster.Create(ctx, "search", "template0"); err != nil {
		return nil, err
	}
	var rows []string
	for _, target := range []struct {
		name string
		o    db.Options
	}{
		{"SQLite", db.Options{Data: filepath.Join(work, "search")}},
		{"PostgreSQL", db.Options{Data: filepath.Join(work, "search-pg"), URL: cluster.URL("search")}},
	} {
		s, err := startServer(ctx, target.o)
		if err != nil {
			return nil, err
		}
		r, err := searchOn(ctx, s, target.name, target.o, file)
		if err := errors.Join(err, s.stop()); err != nil {
			return nil, fmt.Errorf("%s: %w", target.name, err)
		}
		rows = append(rows, r...)
	}
	return rows, nil
}

func searchOn(ctx context.Context, s *server, engine string, o db.Options, file string) ([]string, error) {
	start := time.Now()
	if out, err := exec.CommandContext(ctx, binary, append([]string{"catalogue", "import", file}, storage(o)...)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("import: %w: %s", err, out)
	}
	importTime := time.Since(start)
	requests := make([][]byte, 40_000) // no request repeats while its response may be cached
	for i := range requests {
		first, second := term(i)
		requests[i] = request(gamesPath+"?language=VI&gameName="+url.QueryEscape(first+" "+second)+"&n="+strconv.Itoa(i), "gzip")
	}
	if err := checkSearch(ctx, s.address); err != nil {
		return nil, err
	}
	var ratios, rates, queryRates []float64
	for i := range rounds {
		turns := []func() error{
			func() error {
				rand.Shuffle(len(requests), func(a, b int) { requests[a], requests[b] = requests[b], requests[a] })
				rate, err := load(s.address, requests, callers, roundTime)
				rates = append(rates, rate)
				return err
			},
			func() error {
				rate, err := runQueryProcess(ctx, o)
				queryRates = append(queryRates, rate)
				return err
			},
		}
		if i%2 == 1 {
			slices.Reverse(turns) // alternate the order
		}
		for _, turn := range turns {
			if err := turn(); err != nil {
				return nil, err
			}
		}
		ratios = append(ratios, rates[i]/queryRates[i])
	}
	ratio := median(ratios)
	measured := fmt.Sprintf("%.2f × (%.0f/s compared with %.0f/s)", ratio, median(rates), median(queryRates))
	return []string{
		row("search among 10,000 games over HTTP, "+engine+", compared with the same SQL query run directly", measured, "≥ 0.50 ×", ratio >= minSearchRatio),
		fmt.Sprintf("| import of 10,000 games on a running server, %s | %.1f s | none | |", engine, importTime.Seconds()),
	}, nil
}

// checkSearch checks that a search finds a full page.
func checkSearch(ctx context.Context, address string) error {
	first, second := term(7)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+gamesPath+"?gameName="+url.QueryEscape(first+" "+second), nil)
	if err != nil {
		return err
	}
	reply, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	var got struct {
		Value struct{ Games []struct{ GameID string } }
	}
	if err := json.NewDecoder(reply.Body).Decode(&got); err != nil {
		return err
	}
	if want := manyGames / firstWords / secondWords; len(got.Value.Games) != want {
		return fmt.Errorf("a search finds %d games, not %d", len(got.Value.Games), want)
	}
	return nil
}

func writeCatalogue(file string) error {
	all := catalogue.File{Vendors: []catalogue.VendorRow{{
		Code: "BENCH", DisplayName: "Bench", AccountTypeName: spec.Slots, Categories: []string{spec.Slots}, Sorting: 999,
	}}}
	for i := range manyGames {
		name := fmt.Sprintf("Rồng%02d Vần%02d Số%d", i%firstWords, i/firstWords%secondWords, i)
		all.Games = append(all.Games, catalogue.GameRow{
			GameID: fmt.Sprintf("bench-%05d", i), Vendor: "BENCH", Category: spec.Slots, Icon: "/m/art/tiles/rng-001.webp",
			Names:    map[string]string{"vi": name, "en": name, "ur": name, "pt": name},
			Classify: []string{"new", "wild"}, MinBet: 1000, MinLines: 20, Sorting: int64(i * 7919 % manyGames), SupportPlay: true,
		})
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}

func storage(o db.Options) []string {
	args := []string{"--data", o.Data}
	if o.URL != "" {
		args = append(args, "--db", o.URL)
	}
	return args
}

// runQueryProcess starts this program as a process that only runs the query, and returns its queries per second.
func runQueryProcess(ctx context.Context, o db.Options) (float64, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, self, "query", o.Data, o.URL)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}

// pageQuery is the query that a server without caches would run for one page.
const pageQuery = `SELECT g.id, g.code, g.category, g.launch_code, g.group_id, g.lotto_mode, g.icon, g.min_bet, g.min_lines,
	g.support_play, g.free_play, g.hot_rank, v.code, v.display_name, v.maintenance, n.name
FROM (SELECT game_id FROM game_word WHERE language = $1 AND word >= $2 AND word < $3
	INTERSECT SELECT game_id FROM game_word WHERE language = $1 AND word >= $4 AND word < $5) found
JOIN game g ON g.id = found.game_id
JOIN vendor v ON v.id = g.vendor_id
JOIN game_name n ON n.game_id = g.id AND n.language = $1
WHERE g.enabled AND v.enabled
ORDER BY g.sorting, g.id LIMIT 21`

// queryLoop runs the prepared query in `callers` goroutines, as load does, and prints the queries per second.
func queryLoop(ctx context.Context, data, databaseURL string) error {
	store, err := db.Open(ctx, db.Options{Data: data, URL: databaseURL, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	prepared, err := db.Bind(store.Engine, store.Reader).PrepareContext(ctx, pageQuery)
	if err != nil {
		return err
	}
	defer func() { _ = prepared.Close() }()
	var (
		wait sync.WaitGroup
		done atomic.Int64
		errs = make([]error, callers)
	)
	start := time.Now()
	for n := range callers {
		wait.Go(func() {
			for i := n; time.Since(start) < roundTime && errs[n] == nil; i += callers {
				first, second := term(i)
				const last = "\U0010FFFF"
				rows, err := prepared.QueryContext(ctx, "vi", first, first+last, second, second+last)
				if err != nil {
					errs[n] = err
					return
				}
				cells := make([]any, 16)
				for k := range cells {
					cells[k] = new(any)
				}
				for rows.Next() && errs[n] == nil {
					errs[n] = rows.Scan(cells...)
				}
				errs[n] = errors.Join(errs[n], rows.Err(), rows.Close())
				done.Add(1)
			}
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	_, err = fmt.Println(float64(done.Load()) / time.Since(start).Seconds())
	return err
}
