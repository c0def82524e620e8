package main

import (
	"bytes"
	"io"
	"math/rand/v2"
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
	random := rand.New(rand.NewPCG(1, 2))
	noise := string(slices.Collect(func(yield func(byte) bool) {
		for range 1000 {
			if !yield(byte(random.Uint32())) {
				return
			}
		}
	}))
	long := strings.Repeat("const answer = 42;\n", 200)
	write(t, from, "index.html", "<html>"+long)
	write(t, from, "assets/app.js", long)
	write(t, from, "assets/tiny.js", "1")
	write(t, from, "assets/noise.js", noise)
	write(t, from, "art/tiles/a.webp", long)
	write(t, to, ".gitkeep", "")
	write(t, to, "assets/old.js", "from an earlier build")
	if err := pack(from, to); err != nil {
		t.Fatal(err)
	}
	want := []string{".gitkeep", "art/tiles/a.webp", "assets/app.js.br", "assets/noise.js", "assets/tiny.js", "index.html.br"}
	if got := files(t, to); !slices.Equal(got, want) {
		t.Fatalf("files = %v, want %v", got, want)
	}
	packed, err := os.ReadFile(filepath.Join(to, "assets/app.js.br"))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed)))
	if err != nil || string(body) != long || len(packed) >= len(long) {
		t.Errorf("app.js.br has %d bytes and decodes to %d, want a compressed copy of %d bytes: %v", len(packed), len(body), len(long), err)
	}
	if plain, err := os.ReadFile(filepath.Join(to, "assets/noise.js")); err != nil || string(plain) != noise {
		t.Errorf("incompressible file was changed: %d bytes, %v", len(plain), err)
	}
}

func TestPackRequiresABuiltApp(t *testing.T) {
	t.Parallel()
	to := t.TempDir()
	write(t, to, "index.html", "the previous build")
	if err := pack(t.TempDir(), to); err == nil {
		t.Error("pack accepted an empty folder")
	}
	if got := files(t, to); !slices.Equal(got, []string{"index.html"}) {
		t.Errorf("files = %v, want the previous build", got)
	}
}
