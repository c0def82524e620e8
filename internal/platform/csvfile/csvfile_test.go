package csvfile_test

import (
	"net/http/httptest"
	"testing"

	"fairground/internal/platform/csvfile"
)

func TestEscape(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"":                  "",
		"Nguyễn":            "Nguyễn",
		"-12.50":            "-12.50",
		"-":                 "'-",
		"-1+1":              "'-1+1",
		"=1+1":              "'=1+1",
		"+84912345678":      "'+84912345678",
		"@SUM(A1)":          "'@SUM(A1)",
		"\t=1":              "'\t=1",
		"=HYPERLINK(\"x\")": "'=HYPERLINK(\"x\")",
	} {
		if got := csvfile.Escape(cell); got != want {
			t.Errorf("Escape(%q) = %q, want %q", cell, got, want)
		}
	}
}

func TestAttach(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	file := csvfile.Attach(w, "transactions.csv", "time", "note")
	file.Row("1", `says "hi", twice`)
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	want := "\ufefftime,note\r\n1,\"says \"\"hi\"\", twice\"\r\n"
	if got := w.Body.String(); got != want {
		t.Errorf("body = %q, want %q", got, want)
	}
	if got := w.Header().Get("Content-Disposition"); got != `attachment; filename="transactions.csv"` {
		t.Errorf("Content-Disposition = %q, want %s", got, `attachment; filename="transactions.csv"`)
	}
}
