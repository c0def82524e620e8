package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// userEnv is the environment variable with the id of the user that runs the child process.
const userEnv = "FAIRGROUND_TEST_USER"

func changeUser(id string) {
	uid, err := strconv.Atoi(id)
	if err != nil {
		panic(err)
	}
	if err := syscall.Setuid(uid); err != nil {
		panic(err)
	}
}

// A user other than root can check the ledger of a backup in a folder without write permission.
func TestLedgerVerifyInReadOnlyFolder(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	start(t, "--data", data, "--demo").end()
	verify := exec.Command(os.Args[0], "ledger", "verify", "--data", data)
	verify.Env = append(os.Environ(), childEnv+"=1")
	if os.Getuid() == 0 {
		const nobody = 65534
		verify.Env = append(verify.Env, userEnv+"="+strconv.Itoa(nobody))
		if err := giveTo(nobody, data); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(data, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(data, 0o700) })
	out, err := verify.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "ok ") || strings.Contains(string(out), "BROKEN") {
		t.Errorf("got %v, %s, want no error and only lines with ok", err, out)
	}
}

// giveTo makes a user the owner of a test's folder, and lets the user enter the folders above it.
func giveTo(user int, folder string) error {
	for above := filepath.Dir(folder); above != filepath.Clean(os.TempDir()) && above != "/"; above = filepath.Dir(above) {
		if err := os.Chmod(above, 0o711); err != nil {
			return err
		}
	}
	return filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, user, user)
	})
}
