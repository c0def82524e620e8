// Command http measures the server from a client's view: cached lists compared with a minimal handler, a search
// compared with the same SQL query run directly, startup time, and the size of the binary. All servers run as separate
// processes with their full middleware.
//
//	go run ./bench/http            needs bin/fairground (make build)
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairground/internal/platform/db"
)

const (
	binary  = "bin/fairground"
	results = "bench/results/http.md"

	gamesPath = "/wps/relay/GCSGAME_gameList"

	minListRatio = 0.85        // of a minimal handler's throughput
	maxStartTime = time.Second // ready on an existing data folder
	maxBinaryMB  = 80.0
	callers      = 32              // concurrent connections
	roundTime    = 2 * time.Second // per server and round
	rounds       = 5
)

func main() {
	if len(os.Args) == 4 {
		var err error
		switch os.Args[1] {
		case "bare":
			err = serveBare(os.Args[2], os.Args[3])
		case "query":
			err = queryLoop(context.Background(), os.Args[2], os.Args[3])
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, os.Args[1]+":", err)
			os.Exit(1)
		}
		return
	}
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench/http:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer) error {
	work, err := os.MkdirTemp("", "fairground-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)

	var rows []string
	lists, err := measureLists(ctx, work)
	if err != nil {
		return err
	}
	rows = append(rows, lists...)
	searches, err := measureSearch(ctx, work)
	if err != nil {
		return err
	}
	rows = append(rows, searches...)
	start, err := measureStart(ctx, filepath.Join(work, "data"))
	if err != nil {
		return err
	}
	rows = append(rows, start)
	size, err := measureSize()
	if err != nil {
		return err
	}
	rows = append(rows, size)

	table := "| what | measured | budget | held |\n|---|---|---|---|\n" + strings.Join(rows, "\n") + "\n"
	fmt.Fprint(w, table)
	if err := os.MkdirAll(filepath.Dir(results), 0o755); err != nil {
		return err
	}
	return os.WriteFile(results, []byte(table), 0o644)
}

func row(what, measured, budget string, held bool) string {
	verdict := "yes"
	if !held {
		verdict = "**no**"
	}
	return fmt.Sprintf("| %s | %s | %s | %s |", what, measured, budget, verdict)
}

func measureSize() (string, error) {
	info, err := os.Stat(binary)
	if err != nil {
		return "", err
	}
	mb := float64(info.Size()) / (1 << 20)
	return row("binary", fmt.Sprintf("%.1f MB", mb), "≤ 80 MB", mb <= maxBinaryMB), nil
}

// measureStart starts the server several times on the same data folder.
func measureStart(ctx context.Context, data string) (string, error) {
	var times []time.Duration
	for range rounds {
		s, err := startServer(ctx, db.Options{Data: data})
		if err != nil {
			return "", err
		}
		times = append(times, s.ready)
		if err := s.stop(); err != nil {
			return "", err
		}
	}
	middle := median(times)
	return row("start on an existing data folder until /healthz answers", fmt.Sprintf("%d ms", middle.Milliseconds()),
		"< 1 s", middle < maxStartTime), nil
}
