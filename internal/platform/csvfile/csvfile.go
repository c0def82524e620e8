// Package csvfile writes CSV files for spreadsheets. The files are UTF-8 with a byte order mark, and no cell can be
// mistaken for a formula.
package csvfile

import (
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A Writer writes rows to a file. Close reports errors.
type Writer struct{ csv *csv.Writer }

// NewWriter starts a file with its header row.
func NewWriter(w io.Writer, header ...string) *Writer {
	_, _ = io.WriteString(w, "\ufeff") // a failed write fails again at the next row
	file := &Writer{csv.NewWriter(w)}
	file.csv.UseCRLF = true
	file.Row(header...)
	return file
}

// Attach starts a CSV download. name must consist of letters, digits, dots and hyphens.
func Attach(w http.ResponseWriter, name string, header ...string) *Writer {
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
	h.Set("Cache-Control", "no-store")
	return NewWriter(w, header...)
}

// Row writes a row.
func (w *Writer) Row(cells ...string) {
	safe := make([]string, len(cells))
	for i, cell := range cells {
		safe[i] = Escape(cell)
	}
	_ = w.csv.Write(safe) // reported by Close
}

// Close writes buffered rows and returns the first error.
func (w *Writer) Close() error {
	w.csv.Flush()
	if err := w.csv.Error(); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

// Escape returns a cell that spreadsheets show as text. If the cell starts like a formula and is not a number, Escape puts
// an apostrophe in front of it.
func Escape(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) || isNumber(cell) {
		return cell
	}
	return "'" + cell
}

func isNumber(cell string) bool {
	digits := strings.TrimPrefix(cell, "-")
	return digits != "" && digits != "." && strings.Trim(digits, "0123456789.") == "" && strings.Count(digits, ".") <= 1
}
