package rules

import (
	"debug/buildinfo"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The container image has another C library than the build machine, so the binary must not need one.
func TestBinaryIsStatic(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(root, "bin", "fairground")
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatalf("the binary is not built: run `make build` first (%v)", err)
	}
	for _, setting := range info.Settings {
		if setting.Key == "CGO_ENABLED" && setting.Value != "0" {
			t.Errorf("bin/fairground was built with CGO_ENABLED=%s", setting.Value)
		}
	}
	linked, err := elf.Open(binary)
	if err != nil {
		return // not an ELF file: CGO_ENABLED is the only check
	}
	defer linked.Close()
	for _, part := range linked.Progs {
		if part.Type == elf.PT_INTERP {
			t.Error("bin/fairground needs a dynamic loader")
		}
	}
}

// prerequisites returns the prerequisites of a target in make's database.
func prerequisites(t *testing.T, target string, settings ...string) []string {
	t.Helper()
	cmd := exec.Command("make", append([]string{"-pnq", target}, settings...)...)
	cmd.Dir = root
	// If make runs this test, its flags must not affect this call.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "MAKE") || strings.HasPrefix(s, "MFLAGS") })
	out, err := cmd.Output() // fails if the target is out of date, which does not matter
	for line := range strings.Lines(string(out)) {
		if list, found := strings.CutPrefix(line, target+":"); found {
			return strings.Fields(list)
		}
	}
	t.Fatalf("make has no target %s: %v", target, err)
	return nil
}

func TestTargetsHaveAllPrerequisites(t *testing.T) {
	t.Parallel()
	glob := func(pattern string) []string {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(found) == 0 {
			t.Fatalf("files of %s = %v, %v, want some", pattern, found, err)
		}
		for i, name := range found {
			if found[i], err = filepath.Rel(root, name); err != nil {
				t.Fatal(err)
			}
		}
		return found
	}
	tests := []struct {
		target   string
		settings []string
		want     []string
	}{
		{"web/dist/index.html", nil, slices.Concat(
			glob("web/tools/*.ts"), glob("web/*.ts"), glob("web/src/app/*.tsx"),
			[]string{"web/index.html", "web/tsconfig.json", "web/tools", "web/src/app", "web/node_modules/.stamp"},
		)},
		{"internal/platform/webui/dist/index.html.br", nil, append(glob("internal/platform/webui/pack/*.go"), "web/dist/index.html", "go.mod", "go.sum")},
		{"check", []string{"TOOLS=kept", "LINT_VERSION=v9.8.7", "DEADCODE_VERSION=v6.5.4"}, []string{
			"build", "kept/golangci-lint-v9.8.7/golangci-lint", "kept/deadcode-v6.5.4/deadcode", "web/openapi/node_modules/.stamp",
		}},
		{"test", []string{"TOOLS=kept", "GOTESTSUM_VERSION=v4.3.2"}, []string{"kept/gotestsum-v4.3.2/gotestsum"}},
		{"generate", []string{"TOOLS=kept", "SQLC_VERSION=v3.2.1"}, []string{"kept/sqlc-v3.2.1/sqlc"}},
	}
	for _, tt := range tests {
		got := prerequisites(t, tt.target, tt.settings...)
		for _, want := range tt.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s lacks the prerequisite %s", tt.target, want)
			}
		}
	}
}
