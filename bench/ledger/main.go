// Command ledger measures how many transfers a second the ledger posts, beside what the same machine gives
// to others in the same run: pgbench on the same PostgreSQL cluster, and bare syncs in the same folder. Only
// the ratios mean anything; they are written as a table.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"fairground/internal/db/dbtest"
	"fairground/internal/ledger"
)

func main() {
	seconds := flag.Float64("seconds", 10, "how long each figure is measured, two at a time")
	out := flag.String("out", "bench/results", "folder for the table; empty writes none")
	only := flag.String("only", "", "postgres or sqlite alone")
	var o ledger.Options
	flag.IntVar(&o.Lanes, "lanes", 0, "connections that group posts; 0 means the usual number")
	flag.IntVar(&o.Alone, "alone", 0, "connections for posting alone; 0 means the usual number, -1 none")
	flag.Parse()
	if err := run(time.Duration(*seconds*float64(time.Second)), *out, *only, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench ledger:", err)
		os.Exit(1)
	}
}

func run(each time.Duration, out, only string, o ledger.Options) error {
	ctx := context.Background()
	work, err := os.MkdirTemp("", "fairground-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	r := &report{}
	if only != "sqlite" {
		c, err := dbtest.StartCluster(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = c.Stop() }()
		if err := measurePostgres(ctx, c, r, each, o); err != nil {
			return err
		}
	}
	if only != "postgres" {
		if err := measureSQLite(ctx, work, r, each); err != nil {
			return err
		}
	}
	r.load = loadAverage()
	r.write(os.Stdout)
	if out == "" {
		return nil
	}
	return r.save(filepath.Join(out, "ledger.md"))
}

// report is the table: figures, and ratios with their budgets.
type report struct {
	figures []figure
	ratios  []ratio
	load    string // of the machine at the end: what else ran disturbs the ratios
}

type figure struct {
	name      string
	perSecond float64
}

type ratio struct {
	name          string
	value, budget float64 // no budget is 0
}

func (r *report) figure(name string, perSecond float64) {
	r.figures = append(r.figures, figure{name, perSecond})
	fmt.Fprintf(os.Stderr, "%-60s %10.0f /s\n", name, perSecond)
}

func (r *report) ratio(name string, value, budget float64) {
	r.ratios = append(r.ratios, ratio{name, value, budget})
}

func (r *report) write(w io.Writer) {
	fmt.Fprint(w, "| what | measured | budget | held |\n|---|---|---|---|\n")
	for _, x := range r.ratios {
		budget, verdict := fmt.Sprintf("≥ %.2f ×", x.budget), "yes"
		switch {
		case x.budget == 0:
			budget, verdict = "none", "for information"
		case x.value < x.budget:
			verdict = "**no**"
		}
		fmt.Fprintf(w, "| %s | %.2f × | %s | %s |\n", x.name, x.value, budget, verdict)
	}
	fmt.Fprintf(w, "\n%d cores; load average at the end %s. Figures of this run, per second:\n\n", runtime.NumCPU(), r.load)
	for _, f := range r.figures {
		fmt.Fprintf(w, "- %s: %.0f\n", f.name, f.perSecond)
	}
}

// loadAverage is what the system says of its last minute, where it says anything.
func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "not known"
	}
	first, _, _ := strings.Cut(string(b), " ")
	return first
}

func (r *report) save(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	r.write(f)
	return f.Close()
}
