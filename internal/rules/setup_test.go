package rules

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The setup script prints one line that names the missing tool.
func TestSetupReportsMissingTools(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	tools := filepath.Join(empty, "bin")
	if err := os.Mkdir(tools, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"bash", "dirname", "basename", "id", "sed"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(tools, tool)); err != nil {
			t.Fatal(err)
		}
	}
	for need, name := range map[string]string{"go": "Go 1.26", "node": "Node.js with npm", "postgres": "PostgreSQL", "chromium": "Chromium"} {
		t.Run(need, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("bash", "scripts/setup.sh", need)
			cmd.Dir = projectWithoutPackages(t)
			cmd.Env = []string{"PATH=" + tools, "HOME=" + empty, "SETUP_ROOT=" + empty}
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Fatalf("setup succeeded without %s: %s", need, out)
			}
			text := string(out)
			if !strings.HasPrefix(text, "missing: "+name) || strings.Count(text, "\n") != 1 {
				t.Errorf("output = %q, want one line about %s", text, name)
			}
		})
	}
}

// The setup script checks the free space before it writes anything.
func TestSetupReportsFullDisk(t *testing.T) {
	t.Parallel()
	tools := t.TempDir()
	df := "#!/bin/sh\necho 'Filesystem 1024-blocks Used Available Capacity Mounted on'\necho 'disk 9 9 12 100% /'\n"
	if err := os.WriteFile(filepath.Join(tools, "df"), []byte(df), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "scripts/setup.sh", "room")
	cmd.Dir = projectWithoutPackages(t)
	cmd.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if text := string(out); err == nil || !strings.HasPrefix(text, "full: . has 12 KB left") || strings.Count(text, "\n") != 1 {
		t.Errorf("error = %v, output = %q, want one line about the full disk", err, text)
	}
}

func projectWithoutPackages(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	data, err := os.ReadFile(filepath.Join(root, "scripts", "setup.sh"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "scripts"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "scripts", "setup.sh"), data, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSetupRejectsInvalidChromiumPath(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("bash", "scripts/setup.sh", "chromium")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CHROMIUM_PATH=/nowhere/chromium")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "/nowhere/chromium") {
		t.Errorf("set-up = %v, %s, want a failure that names /nowhere/chromium", err, out)
	}
}
