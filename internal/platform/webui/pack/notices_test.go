package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNoticesListAllLinkedModules(t *testing.T) {
	t.Parallel()
	const command = "../../../../cmd/fairground"
	folder := t.TempDir()
	write(t, folder, "notices.txt", "react\nMIT\n\nPermission is hereby granted\n")
	file := filepath.Join(folder, "notices.txt")
	read := func() string {
		t.Helper()
		if err := addModuleNotices(file, command); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	text := read()
	if !strings.HasPrefix(text, "react\nMIT\n") {
		t.Error("the notices of the web app are missing")
	}
	modules, err := linkedModules(command)
	if err != nil {
		t.Fatal(err)
	}
	if len(modules) < 20 {
		t.Errorf("found %d linked modules, want at least 20", len(modules))
	}
	if !strings.Contains(text, modules[0].head()+"\n") || modules[0].path != "std" {
		t.Errorf("first module = %s, want std with a notice", modules[0].path)
	}
	for _, m := range modules[1:] {
		terms, err := m.terms()
		if err != nil || len(terms) < 200 || !strings.Contains(text, terms) || !strings.Contains(text, m.head()+"\n") {
			t.Errorf("%s: the notices lack its licence (%d bytes) or heading: %v", m.path, len(terms), err)
		}
	}
	river := text[strings.Index(text, "github.com/riverqueue/river v"):]
	if !strings.Contains(river[:400], "Source: https://pkg.go.dev/github.com/riverqueue/river@v") || !strings.Contains(river, "Mozilla Public License") {
		t.Errorf("River's notice lacks its source or licence: %q", river[:400])
	}
	if text != read() {
		t.Error("the second run changed the notices")
	}
}

func TestModulesWithoutLicenceAreRejected(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, folder, "license.go", "package license")
	write(t, folder, "a/doc.go", "package a")
	m := module{path: "example.test/m", version: "v1.0.0", folder: folder, packages: []string{filepath.Join(folder, "a")}}
	if _, err := moduleNotices([]module{m}); err == nil || !strings.Contains(err.Error(), "example.test/m v1.0.0") {
		t.Errorf("error = %v, want one that names the module", err)
	}
	write(t, folder, "a/LICENCE-MIT.txt", "\r\nPermission\r\n")
	write(t, folder, "b/LICENSE", "of a package that is not linked")
	twin := m
	twin.path = "example.test/twin"
	got, err := moduleNotices([]module{m, twin})
	want := m.head() + "\n" + twin.head() + "\n\nPermission\n"
	if err != nil || got != want {
		t.Errorf("got %q, %v, want %v", got, err, want)
	}
}

func TestStandardLibraryLicenceFallback(t *testing.T) {
	t.Parallel()
	bare, folder := t.TempDir(), t.TempDir()
	write(t, folder, "LICENSE", "Copyright The Go Authors")
	std, x := module{path: "std", version: "go1.26", folder: bare}, module{path: "golang.org/x/text", version: "v1.0.0", folder: folder}
	got, err := moduleNotices([]module{std, x})
	if err != nil || got != std.head()+"\n"+x.head()+"\n\nCopyright The Go Authors\n" {
		t.Errorf("got %q, %v", got, err)
	}
}
