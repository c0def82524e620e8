package main

import "testing"

func TestReplaceRows(t *testing.T) {
	t.Parallel()
	rows := map[string]string{"a.b": "| `a.b` | new | `1` |"}
	for name, c := range map[string]struct{ text, want string }{
		"one row":     {"# T\n| `a.b` | old | `0` |\nend\n", "# T\n| `a.b` | new | `1` |\nend\n"},
		"missing row": {"# T\n", ""},
		"row twice":   {"| `a.b` | |\n| `a.b` | |\n", ""},
		"unknown row": {"| `a.b` | |\n| `a.c` | |\n", ""},
	} {
		if got, err := replaceRows(c.text, rows); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: replaceRows = %q, %v, want %q", name, got, err, c.want)
		}
	}
}
