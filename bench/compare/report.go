// Package compare measures subjects in turns and reports the ratios of their rates. Because they take turns, other
// load on the machine affects all of them alike.
package compare

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A Report collects rates, and ratios with their budgets.
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
	value, budget float64 // budget 0 means none
}

// Figure records a subject's rate and prints it.
func (r *Report) Figure(name string, perSecond float64) {
	r.figures = append(r.figures, figure{name, perSecond})
	fmt.Fprintf(os.Stderr, "%-60s %10.0f /s\n", name, perSecond)
}

// Ratio records a ratio. A budget of 0 means none.
func (r *Report) Ratio(name string, value, budget float64) {
	r.ratios = append(r.ratios, ratio{name, value, budget})
}

// Write writes the report as a Markdown table.
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

// loadAverage returns the load average of the last minute, if known.
func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "not known"
	}
	first, _, _ := strings.Cut(string(b), " ")
	return first
}

// Save writes the report to a file.
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
