// Command pack copies the built web app to the folder that the server embeds. It compresses files with brotli if that
// makes them smaller. It first adds the licences of the server's Go modules to the app's notices. It runs at build time
// only.
package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/andybalholm/brotli"
	"golang.org/x/sync/errgroup"
)

// minSize is the minimum size in bytes of a file that is compressed.
const minSize = 512

var compressible = []string{".html", ".js", ".mjs", ".css", ".svg", ".json", ".webmanifest", ".txt", ".ico"}

func main() {
	// The paths are relative to the project root, where make runs this command.
	err := addModuleNotices("web/dist/notices.txt", "./cmd/fairground")
	if err == nil {
		err = pack("web/dist", "internal/platform/webui/dist")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// pack replaces the contents of the folder to, except .gitkeep, with those of from.
func pack(from, to string) error {
	if _, err := os.Stat(filepath.Join(from, "index.html")); err != nil {
		return fmt.Errorf("no built app in %s: run make web first: %w", from, err)
	}
	target, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer target.Close()
	old, err := os.ReadDir(to)
	if err != nil {
		return err
	}
	for _, entry := range old {
		if entry.Name() == ".gitkeep" {
			continue
		}
		if err := target.RemoveAll(entry.Name()); err != nil {
			return err
		}
	}
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	err = filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		work.Go(func() error { return packFile(name, target, rel) })
		return nil
	})
	if workErr := work.Wait(); err == nil {
		err = workErr
	}
	return err
}

func packFile(from string, target *os.Root, to string) error {
	body, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := target.MkdirAll(filepath.Dir(to), 0o750); err != nil {
		return err
	}
	if len(body) >= minSize && slices.Contains(compressible, filepath.Ext(from)) {
		var out bytes.Buffer
		w := brotli.NewWriterLevel(&out, brotli.BestCompression)
		if _, err := w.Write(body); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		if out.Len() < len(body) {
			to, body = to+".br", out.Bytes()
		}
	}
	return target.WriteFile(to, body, 0o600)
}
