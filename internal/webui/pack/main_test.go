package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func write(t *testing.T, folder, name, body string) {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
}

func files(t *testing.T, folder string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			rel, _ := filepath.Rel(folder, path)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

func TestPack(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), t.TempDir()
	long := strings.Repeat("const answer = 42;\n", 200)
	write(t, from, "index.html", "<html>"+long)
	write(t, from, "assets/app.js", long)
	write(t, from, "assets/tiny.js", "1")
	write(t, from, "art/tiles/a.webp", long)
	write(t, to, ".gitkeep", "")
	write(t, to, "assets/old.js", "from an earlier build")
	if err := pack(from, to); err != nil {
		t.Fatal(err)
	}
	want := []string{".gitkeep", "art/tiles/a.webp", "assets/app.js", "assets/app.js.br", "assets/app.js.gz", "assets/tiny.js", "index.html", "index.html.br", "index.html.gz"}
	if got := files(t, to); !slices.Equal(got, want) {
		t.Fatalf("got %v", got)
	}
	for suffix, reader := range map[string]func(io.Reader) (io.Reader, error){
		".br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		".gz": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	} {
		packed, err := os.ReadFile(filepath.Join(to, "assets/app.js"+suffix))
		if err != nil {
			t.Fatal(err)
		}
		r, err := reader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil || string(body) != long || len(packed) >= len(long) {
			t.Errorf("%s: %d bytes of %d, %v", suffix, len(packed), len(long), err)
		}
	}
}

func TestPackNeedsABuiltApp(t *testing.T) {
	t.Parallel()
	to := t.TempDir()
	write(t, to, "index.html", "the last good build")
	if err := pack(t.TempDir(), to); err == nil {
		t.Error("an empty folder was packed")
	}
	if got := files(t, to); !slices.Equal(got, []string{"index.html"}) {
		t.Errorf("the last good build is gone: %v", got)
	}
}
