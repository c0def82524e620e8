package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fairground/internal/fault"
	"fairground/internal/finance/limits"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/validation"
)

var faultDeclaration = regexp.MustCompile(`fault\.(?:New|ForOperators)\(fault\.\w+, "([^"]+)"\)`)

func TestEveryCommandFaultHasAText(t *testing.T) {
	t.Parallel()
	codes := []string{rest.ErrMerchantUnknown.Code, rest.ErrUnavailable.Code, rest.ErrMaintenance.Code, rest.ErrRestricted.Code, limits.ErrNotHeld.Code, rest.ErrStale.Code}
	for _, pattern := range []string{
		"*.go", "../../internal/platform/blob/*.go", "../../internal/game/catalogue/*.go", "../../internal/site/content/*.go", "../../internal/ledger/*.go", "../../internal/site/merchant/*.go", "../../internal/money/*.go", "../../internal/site/ops/*.go", "../../internal/game/vendor/*.go", "../../internal/game/lottery/*/*.go", "../../internal/finance/books/*.go", "../../internal/finance/deposit/*.go", "../../internal/finance/gateway/*.go",
		"../../internal/identity/member/member.go", // no command uses the other files
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range faultDeclaration.FindAllSubmatch(source, -1) {
				if code := string(found[1]); !strings.HasPrefix(code, "login.") { // commands do not log in
					codes = append(codes, code)
				}
			}
		}
	}
	rules := validation.Standard(validation.Limits{})
	for _, field := range []string{"username", "password", "nickname"} { // member create applies the rules of the form
		for _, rule := range rules[field] {
			codes = append(codes, rule.Message)
		}
	}
	for _, code := range codes {
		if faultTexts[code] == "" {
			t.Errorf("%s has no text", code)
		}
	}
	for code := range faultTexts {
		if !slices.Contains(codes, code) {
			t.Errorf("%s has a text but is not used", code)
		}
	}
}

func TestExplainFault(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("ledger.adjust: %w", fault.New(fault.Conflict, "ledger.key_conflict")), "this key was already used for a different correction: use a new key (ledger.key_conflict)"},
		// A code without a text.
		{fmt.Errorf("import: %w", fault.New(fault.Invalid, "captcha.incorrect").On("vi")), "rejected, captcha incorrect: import: captcha.incorrect (vi)"},
		{errors.New("no fault"), "no fault"},
	} {
		if got := explain(tt.err); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// An unreadable folder must not be reported as empty.
func TestFolderWithoutPermission(t *testing.T) {
	t.Parallel()
	closed := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(closed, 0); err != nil {
		t.Fatal(err)
	}
	message := make(chan string)
	go func() {
		// As root, drop privileges on this OS thread. The goroutine exits without unlocking the thread, so Go discards the
		// thread.
		runtime.LockOSThread()
		if os.Getuid() == 0 {
			_, _, _ = syscall.RawSyscall(syscall.SYS_SETFSUID, 65534, 0, 0) // returns no error
		}
		message <- explain(findDatabase(closed, "start the server once"))
	}()
	if got := <-message; got != "permission denied: read the data folder "+closed+": permission denied" {
		t.Errorf("message = %q, want the folder %s and that it cannot be read", got, closed)
	}
}
