package db_test

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/pressly/goose/v3"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestMain(m *testing.M) {
	if options := os.Getenv("DB_CHILD"); options != "" {
		migrateChild(options, os.Getenv("DB_CHILD_IN"))
		return
	}
	dbtest.Main(m)
}

// migrateChild runs in a child process that is killed during one migration. It runs the earlier migrations and then the
// statements of that migration, in a transaction unless the migration has none. It prints a line and never commits.
func migrateChild(options, within string) {
	var o db.Options
	if err := json.Unmarshal([]byte(options), &o); err != nil {
		panic(err)
	}
	version, err := strconv.ParseInt(within, 10, 64)
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	s, err := db.Open(ctx, o)
	if err != nil {
		panic(err)
	}
	earlier, up := split(s.Engine, version)
	wait := func() error {
		_, _ = os.Stdout.WriteString("midway\n")
		time.Sleep(time.Minute)
		return errors.New("not killed")
	}
	steps := &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, up); err != nil {
			return err
		}
		return wait()
	}}
	if strings.Contains(up, "-- +goose NO TRANSACTION") {
		steps = &goose.GoFunc{RunDB: func(ctx context.Context, pool *sql.DB) error {
			for statement := range strings.SplitSeq(up, ";\n") {
				if _, err := pool.ExecContext(ctx, statement); err != nil {
					return err
				}
			}
			return wait()
		}}
	}
	stuck := goose.NewGoMigration(version, steps, nil)
	p, err := goose.NewProvider(dialect(s.Engine), s.Writer, earlier, goose.WithGoMigrations(stuck))
	if err != nil {
		panic(err)
	}
	_, err = p.Up(ctx)
	panic(err)
}

func split(e db.Engine, version int64) (earlier fstest.MapFS, up string) {
	earlier = fstest.MapFS{}
	files, err := filepath.Glob("migrations/" + string(e) + "/*.sql")
	if err != nil {
		panic(err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		n, err := goose.NumericComponent(name)
		if err != nil {
			panic(err)
		}
		switch {
		case n < version:
			earlier[filepath.Base(name)] = &fstest.MapFile{Data: b}
		case n == version:
			up, _, _ = strings.Cut(string(b), "-- +goose Down")
		}
	}
	return earlier, up
}

func dialect(e db.Engine) goose.Dialect {
	if e == db.Postgres {
		return goose.DialectPostgres
	}
	return goose.DialectSQLite3
}

// TestKilledFirstStartIsCompleted covers FT-10: a process is killed within each migration. Nothing of that migration
// is kept, and the next start completes it.
func TestKilledFirstStartIsCompleted(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			files, err := filepath.Glob("migrations/" + string(e) + "/*.sql")
			if err != nil || len(files) == 0 {
				t.Fatal("no migrations", err)
			}
			// Each start completes the migration in which the previous one was killed, and is killed in the next.
			o := dbtest.Blank(t, e)
			before := int64(0)
			for _, name := range files {
				within, err := goose.NumericComponent(name)
				if err != nil {
					t.Fatal(err)
				}
				killMigration(t, o, within)
				if version := versionOf(t, o); version != before {
					t.Errorf("killed in migration %d: version = %d, want %v", within, version, before)
				}
				before = within
			}
			s := dbtest.Open(t, o)
			if err := s.Migrate(t.Context()); err != nil {
				t.Fatalf("next start: %v", err)
			}
			checkComplete(t, s)
		})
	}
}

func versionOf(t *testing.T, o db.Options) int64 {
	t.Helper()
	s, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p, err := s.Migrations()
	if err != nil {
		t.Fatal(err)
	}
	version, err := p.GetDBVersion(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return version
}

func killMigration(t *testing.T, o db.Options, within int64) {
	t.Helper()
	options, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "DB_CHILD="+string(options), "DB_CHILD_IN="+strconv.FormatInt(within, 10))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_ = child.Process.Kill()
	_ = child.Wait()
	if err != nil || line != "midway\n" {
		t.Fatalf("migration %d: child printed %q, %v, want %q", within, line, err, "midway\n")
	}
}

func checkComplete(t *testing.T, s *db.Store) {
	t.Helper()
	ctx := context.Background()
	p, err := s.Migrations()
	if err != nil {
		t.Fatal(err)
	}
	pending, err := p.HasPending(ctx)
	if err != nil || pending {
		t.Fatalf("pending %v, %v, want false", pending, err)
	}
	version, err := p.GetDBVersion(ctx)
	sources := p.ListSources()
	if err != nil || version != sources[len(sources)-1].Version {
		t.Fatalf("version %d, %v, want %d", version, err, sources[len(sources)-1].Version)
	}
	if _, err := s.Writer.Exec("INSERT INTO outbox (payload, created_at) VALUES ('[]', 0)"); err != nil {
		t.Fatal(err)
	}
}

// TestFailedMigrationIsRolledBack covers FT-10 for a migration that fails halfway: nothing is kept, and it completes once
// it can.
func TestFailedMigrationIsRolledBack(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			s := dbtest.Open(t, dbtest.Migrated(t, e))
			sources := fstest.MapFS{}
			if err := fs.WalkDir(os.DirFS("migrations/"+string(e)), ".", func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				b, err := os.ReadFile("migrations/" + string(e) + "/" + path)
				sources[path] = &fstest.MapFile{Data: b}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			up := func(last string) error {
				sources["9001_later.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE later (id BIGINT PRIMARY KEY);\nINSERT INTO later VALUES (1);\n" + last)}
				p, err := goose.NewProvider(dialect(e), s.Writer, sources)
				if err != nil {
					t.Fatal(err)
				}
				_, err = p.Up(ctx)
				return err
			}
			if err := up("INSERT INTO nowhere VALUES (1);\n"); err == nil {
				t.Fatal("broken migration succeeded")
			}
			if _, err := s.Writer.Exec("SELECT 1 FROM later"); err == nil {
				t.Error("part of the migration was kept")
			}
			checkComplete(t, s)
			if err := up("INSERT INTO later VALUES (2);\n"); err != nil {
				t.Errorf("after the fix: %v", err)
			}
			var n int
			if err := s.Reader.QueryRow("SELECT count(*) FROM later").Scan(&n); err != nil || n != 2 {
				t.Errorf("%d rows, %v, want 2", n, err)
			}
		})
	}
}

func TestUpgradeKeepsRows(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			s := dbtest.Open(t, dbtest.Blank(t, e))
			p, err := s.Migrations()
			if err != nil {
				t.Fatal(err)
			}
			all := p.ListSources()
			last := all[len(all)-1].Version
			for version := int64(1); version < last; version++ {
				if _, err := p.UpTo(ctx, version); err != nil {
					t.Fatalf("to version %d: %v", version, err)
				}
				addOld(t, s, version)
			}
			if err := s.Migrate(ctx); err != nil {
				t.Fatalf("from version %d: %v", last-1, err)
			}
			checkComplete(t, s)
			for version := int64(1); version < last; version++ {
				checkOld(t, s, version)
			}
		})
	}
}

func checkOld(t *testing.T, s *db.Store, version int64) {
	t.Helper()
	var members int
	if err := s.Reader.QueryRow("SELECT count(*) FROM member JOIN merchant ON merchant.id = member.merchant_id WHERE member.account = $1", "old"+strconv.FormatInt(version, 10)).Scan(&members); err != nil || members != 1 {
		t.Errorf("from version %d: %d members, %v, want 1", version, members, err)
	}
	if version >= 29 && version < 33 {
		var age int
		if err := s.Reader.QueryRow("SELECT age_confirmed FROM member WHERE id = $1", version*100+2).Scan(&age); err != nil || age != 18 {
			t.Errorf("PP-08 from version %d: confirmed %d, %v, want 18", version, age, err)
		}
	}
	if version < 2 {
		return
	}
	var balance int64
	if err := s.Reader.QueryRow("SELECT a.balance FROM account a JOIN entry e ON e.account_id = a.id JOIN transfer t ON t.id = e.transfer_id WHERE a.id = $1", version*100+10).Scan(&balance); err != nil || balance != 5 {
		t.Errorf("from version %d: balance %d, %v, want 5", version, balance, err)
	}
}

// addOld writes rows as the release with that schema version would. The ids and names contain the version.
func addOld(t *testing.T, s *db.Store, version int64) {
	t.Helper()
	statements := []string{
		"INSERT INTO merchant (id, code, name, currency, created_at) VALUES (#01, 'm#', 'M', 'VND', 0)",
		"INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at) VALUES (#02, #01, 'old#', 0, 'VND', 'x', 0)",
		"INSERT INTO session (id, member_id, token_hash, created_at, seen_at, expires_at) VALUES (#03, #02, 'h#', 0, 0, 0)",
	}
	if version >= 2 {
		statements = append(statements,
			"INSERT INTO account (id, member_id, merchant_id, kind, currency, balance, seq) VALUES (#10, #02, #01, 'cash', 'VND', 5, 1)",
			"INSERT INTO account (id, merchant_id, kind, currency, derived) VALUES (#11, #01, 'deposit', 'VND', TRUE)",
			"INSERT INTO transfer (id, idem_key, payload_hash, debit_id, credit_id, amount, kind, debit_seq, credit_seq, created_at) VALUES (#04, 'k#', 'h', #11, #10, 5, 'deposit', 1, 1, 0)",
			"INSERT INTO entry (account_id, seq, transfer_id, amount, balance_after) VALUES (#11, 1, #04, -5, NULL), (#10, 1, #04, 5, 5)",
			"INSERT INTO account_delta (account_id, amount) VALUES (#11, -5)",
		)
	}
	if version >= 29 {
		statements = append(statements, "UPDATE member SET age_confirmed_at = 1 WHERE id = #02")
	}
	for _, q := range statements {
		q = strings.ReplaceAll(q, "#", strconv.FormatInt(version, 10))
		if _, err := s.Writer.Exec(q); err != nil {
			t.Fatalf("version %d: %s: %v", version, q, err)
		}
	}
}

func TestReplicasMigrateConcurrently(t *testing.T) {
	t.Parallel()
	o := dbtest.Blank(t, db.Postgres)
	var wg sync.WaitGroup
	for range 3 {
		s := dbtest.Open(t, o)
		wg.Go(func() {
			if err := s.Migrate(context.Background()); err != nil {
				t.Errorf("Migrate: got %v, want no error", err)
			}
		})
	}
	wg.Wait()
	checkComplete(t, dbtest.Open(t, o))
}

func TestEnginesHaveSameMigrations(t *testing.T) {
	t.Parallel()
	names := func(e db.Engine) string {
		files, err := os.ReadDir("migrations/" + string(e))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, f := range files {
			b.WriteString(f.Name() + "\n")
		}
		return b.String()
	}
	if a, b := names(db.SQLite), names(db.Postgres); a != b {
		t.Errorf("sqlite has\n%spostgres has\n%s, want %v", a, b, b)
	}
}

// An older release must not change a newer database.
func TestNewerDatabaseIsRejected(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		ctx := t.Context()
		if current, err := s.Current(ctx); !current || err != nil {
			t.Fatalf("after Migrate: Current = %v, %v, want true", current, err)
		}
		if _, err := s.Writer.ExecContext(ctx, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)"); err != nil {
			t.Fatal(err)
		}
		if err := s.Migrate(ctx); !errors.Is(err, db.ErrNewer) {
			t.Errorf("migrate: %v, want ErrNewer", err)
		}
		if _, err := s.Current(ctx); !errors.Is(err, db.ErrNewer) {
			t.Errorf("Current: %v, want ErrNewer", err)
		}
	})
}
