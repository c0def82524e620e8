// Package side measures subjects side by side, in turns, and writes what they reach as a table of ratios: whatever else the
// machine does disturbs all alike. It knows none of what it measures.
package side

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Report is the table: figures, and ratios with their budgets.
type Report struct {
	figures []figure
	ratios  []ratio
}

type figure struct {
	name      string
	perSecond float64
}

type ratio struct {
	name          string
	value, budget float64 // no budget is 0
}

// Figure notes what one subject reached, and shows it at once.
func (r *Report) Figure(name string, perSecond float64) {
	r.figures = append(r.figures, figure{name, perSecond})
	fmt.Fprintf(os.Stderr, "%-60s %10.0f /s\n", name, perSecond)
}

// Ratio notes how two compare; a budget of 0 is none.
func (r *Report) Ratio(name string, value, budget float64) {
	r.ratios = append(r.ratios, ratio{name, value, budget})
}

// Write writes the table.
func (r *Report) Write(w io.Writer) {
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
	fmt.Fprintf(w, "\n%d cores; load average at the end %s. Figures of this run, per second:\n\n", runtime.NumCPU(), loadAverage())
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

// Save writes the table to a file.
func (r *Report) Save(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	r.Write(f)
	return f.Close()
}
