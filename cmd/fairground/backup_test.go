package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/blob"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// Every transfer that was acknowledged before the backup must be in the copy exactly once.
func TestBackup(t *testing.T) {
	t.Parallel()
	t.Run("FT-11 backup during transfers, restored elsewhere", func(t *testing.T) {
		t.Parallel()
		forEachDatabase(t, func(t *testing.T, args []string) {
			s := start(t, append(args, "--demo")...)
			if err := uploads(t, args).Put(t.Context(), "kyc/7/front.png", strings.NewReader("a picture"), 9); err != nil {
				t.Fatal(err)
			}
			acknowledged := postWhileRunning(t, args, "backup", false)
			acknowledged.await(t, 20)
			before := acknowledged.acknowledged()
			copyTo := filepath.Join(t.TempDir(), "copy")
			if code, out, stderr := command(t, "", append([]string{"backup", copyTo}, driverOnly(args)...)...); code != 0 || !strings.Contains(out, copyTo) {
				t.Fatalf("backup: %d %s%s, want exit code 0 and %v", code, out, stderr, copyTo)
			}
			wantError(t, "already exists", append([]string{"backup", copyTo}, args...)...)
			acknowledged.stop()
			s.end()

			restored := []string{"--data", copyTo}
			if len(args) > 2 {
				restored = append(restored, "--db", restorePostgres(t, filepath.Join(copyTo, "fairground.dump")))
			}
			if code, out, stderr := command(t, "", append([]string{"ledger", "verify"}, restored...)...); code != 0 {
				t.Errorf("ledger verify of the copy: %d %s%s, want exit code 0", code, out, stderr)
			}
			o := db.Options{Data: copyTo}
			if len(restored) > 2 {
				o.URL = restored[3]
			}
			store := dbtest.Open(t, o)
			for key := range before {
				var n int
				err := db.Bind(store.Engine, store.Reader).QueryRowContext(t.Context(),
					"SELECT COUNT(*) FROM transfer WHERE idem_key = $1 AND refusal IS NULL", "adjust/"+key).Scan(&n)
				if err != nil || n != 1 {
					t.Errorf("the copy has %s %d times, want once (%v)", key, n, err)
				}
			}
			wantUpload(t, uploads(t, restored), "kyc/7/front.png", "a picture")
			if info, err := os.Stat(copyTo); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("mode of the copy = %v, want 0700: %v", info.Mode(), err)
			}
			if info, err := os.Stat(filepath.Join(copyTo, "fairground.dump")); len(restored) > 2 && (err != nil || info.Mode().Perm() != 0o600) {
				t.Errorf("mode of the dump = %v, want 0600: %v", info.Mode(), err)
			}
			again := start(t, append(restored, "--demo")...)
			again.login("demo88", "Demo1234")
		})
	})
}

// uploads opens the store of uploaded files of a server with these arguments.
func uploads(t *testing.T, args []string) blob.Store {
	t.Helper()
	if len(args) > 2 {
		return blob.NewDatabase(dbtest.Open(t, db.Options{URL: args[3]}), time.Now)
	}
	files, err := blob.OpenFiles((&config.Serve{Storage: config.Storage{Data: args[1]}}).BlobFolder())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	return files
}

func wantUpload(t *testing.T, store blob.Store, name, want string) {
	t.Helper()
	file, err := store.Open(t.Context(), name)
	if err != nil {
		t.Fatalf("open %s: %v", name, err)
	}
	defer file.Close()
	if got, err := io.ReadAll(file); err != nil || string(got) != want {
		t.Errorf("%s = %q, %v, want %q", name, got, err, want)
	}
}

// restorePostgres restores a dump to a new database and returns its URL.
func restorePostgres(t *testing.T, dump string) string {
	t.Helper()
	o := dbtest.Blank(t, db.Postgres)
	tool, err := exec.LookPath("pg_restore")
	if err != nil {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pg_restore")
		if len(found) == 0 {
			t.Fatal("pg_restore is not installed: install the PostgreSQL client programs")
		}
		tool = found[len(found)-1]
	}
	if out, err := exec.Command(tool, "--no-owner", "--exit-on-error", "--dbname="+o.URL, dump).CombinedOutput(); err != nil {
		t.Fatalf("pg_restore: %v: %s", err, out)
	}
	return o.URL
}

// driverOnly adds a setting that pg_dump does not know to a PostgreSQL URL.
func driverOnly(args []string) []string {
	args = slices.Clone(args)
	if len(args) > 2 {
		mark := "?"
		if strings.Contains(args[3], "?") {
			mark = "&"
		}
		args[3] += mark + "default_query_exec_mode=exec"
	}
	return args
}

func TestBackupLeavesOtherFilesUnchanged(t *testing.T) {
	t.Parallel()
	data, parent := t.TempDir(), t.TempDir()
	s := start(t, "--data", data)
	s.end()
	to := filepath.Join(parent, "copy")
	existing := filepath.Join(to+".part", "file")
	if err := os.Mkdir(filepath.Dir(existing), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(existing, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, stderr := command(t, "", "backup", to, "--data", data); code != 0 {
		t.Fatalf("backup: exit code = %d, want 0: %s%s", code, out, stderr)
	}
	if _, err := os.Stat(existing); err != nil {
		t.Errorf("an existing file is gone: %v", err)
	}
	if found, err := filepath.Glob(filepath.Join(parent, "*")); err != nil || len(found) != 2 {
		t.Errorf("files = %v, want the copy and the existing folder: %v", found, err)
	}
	link := filepath.Join(parent, "link")
	if err := os.Symlink(filepath.Join(data, "blobs"), link); err != nil {
		t.Fatal(err)
	}
	for _, inside := range []string{filepath.Join(data, "blobs", "copy"), filepath.Join(data, "blobs", "deep", "copy"), filepath.Join(link, "copy")} {
		wantError(t, "inside the folder of uploaded files", "backup", inside, "--data", data)
	}
	if found, err := os.ReadDir(filepath.Join(data, "blobs")); err != nil || len(found) > 2 { // probe and .put
		t.Errorf("uploaded files = %v, want none: %v", found, err)
	}
	if code, out, stderr := command(t, "", "backup", filepath.Join(data, "backups", "one"), "--data", data); code != 0 {
		t.Errorf("backup inside the data folder: %d %s%s, want exit code 0", code, out, stderr)
	}
}

func TestDumpAddress(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"postgres://u:hunter2@h:5432/d":                            "postgres://u@h:5432/d",
		"postgres://u@h/d?pool_max_conns=9&sslmode=require":        "postgres://u@h/d?sslmode=require",
		"postgres://h/d?user=u&password=hunter2":                   "postgres://h/d?user=u",
		"postgres:///d?host=/run/x&default_query_exec_mode=exec":   "postgres:///d?host=%2Frun%2Fx",
		"postgres://a:1,b:2/d?timezone=UTC&options=-c%20jit%3Doff": "postgres://a:1,b:2/d?options=-c%20jit%3Doff",
	} {
		address, err := db.ParseAddress(in)
		if err != nil {
			t.Fatal(in, err)
		}
		if got := dumpAddress(address); got != want {
			t.Errorf("dumpAddress(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestFailedBackupLeavesNothing(t *testing.T) {
	t.Parallel()
	to := filepath.Join(t.TempDir(), "copy")
	wantError(t, "no database in", "backup", to, "--data", t.TempDir())
	wantError(t, "pg_dump", "backup", to, "--data", t.TempDir(), "--db", "postgres://app:hunter2@127.0.0.1:1/app")
	if left, err := filepath.Glob(to + "*"); err != nil || len(left) != 0 {
		t.Errorf("files left: %v %v, want none left", left, err)
	}
	if _, _, stderr := command(t, "", "backup", to, "--data", t.TempDir(), "--db", "postgres://app:hunter2@127.0.0.1:1/app"); strings.Contains(stderr, "hunter2") {
		t.Errorf("the message contains the password: %s", stderr)
	}
}
