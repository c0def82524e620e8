//go:build unix

package webui

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"
)

// Opening a named pipe would block the request.
func TestNamedPipeIsNotServed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe.png"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	a, err := load(fstest.MapFS{"index.html": {Data: []byte(page)}}, nil, Options{Pictures: root})
	if err != nil {
		t.Fatal(err)
	}
	if w := get(a, "/m/pictures/pipe.png"); w.Code != 404 {
		t.Errorf("status = %d, want 404: %s", w.Code, w.Body)
	}
}
