package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Files are private even if other users can read the data folder.
func TestDataFilesArePrivate(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(data, 0o755); err != nil {
		t.Fatal(err)
	}
	server := exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0", "--data", data)
	server.Env = append(os.Environ(), childEnv+"=1")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan() && !listeningLine.MatchString(lines.Text()); {
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", server.Process.Pid))
	if err != nil || !strings.Contains(string(status), "Umask:\t0077\n") {
		t.Errorf("the umask is not 0077: %v", err)
	}
	found := 0
	err = filepath.WalkDir(data, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == data {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("mode of %s = %v, want no permissions for group and others", name, info.Mode())
		}
		found++
		return err
	})
	if err != nil || found < 5 {
		t.Errorf("%d files, want at least 5: %v", found, err)
	}
}
