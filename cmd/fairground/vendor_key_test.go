package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKeyOfTheVendorTestComesFromAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("abc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for title, c := range map[string]struct {
		command vendorTestCommand
		key     string
		fails   bool
		warning string
	}{
		"file":         {vendorTestCommand{KeyFile: file}, "abc", false, ""},
		"flag":         {vendorTestCommand{Key: "abc"}, "abc", false, "a secret is in the command line"},
		"both":         {vendorTestCommand{Key: "abc", KeyFile: file}, "abc", true, ""},
		"none":         {vendorTestCommand{}, "", true, ""},
		"missing file": {vendorTestCommand{KeyFile: file + "-none"}, "", true, ""},
	} {
		var warnings strings.Builder
		err := c.command.readKey(&console{stderr: &warnings})
		if c.command.Key != c.key || (err != nil) != c.fails || !strings.Contains(warnings.String(), c.warning) || c.warning == "" && warnings.String() != "" {
			t.Errorf("%s: key %q, %v, warnings %q; want %q, fails %t, %q", title, c.command.Key, err, warnings.String(), c.key, c.fails, c.warning)
		}
	}
}
