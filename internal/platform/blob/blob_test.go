package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/platform/db/dbtest"
)

// stores returns an empty store of each kind.
func stores(t *testing.T) map[string]Store {
	t.Helper()
	files, err := OpenFiles(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	server := httptest.NewServer(newBucket("uploads"))
	t.Cleanup(server.Close)
	s3, err := OpenS3(t.Context(), "s3://key:secret@"+strings.TrimPrefix(server.URL, "http://")+"/uploads/site?insecure=1&region=us-east-1")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]Store{"files": files, "s3": s3}
	for _, e := range dbtest.Engines {
		all[string(e)] = NewDatabase(dbtest.Open(t, dbtest.Migrated(t, e)), time.Now)
	}
	return all
}

func put(t *testing.T, s Store, name, body string) {
	t.Helper()
	if err := s.Put(t.Context(), name, strings.NewReader(body), int64(len(body))); err != nil {
		t.Fatalf("put %s: %v", name, err)
	}
}

func get(t *testing.T, s Store, name string) string {
	t.Helper()
	r, err := s.Open(t.Context(), name)
	if err != nil {
		t.Fatalf("open %s: %v", name, err)
	}
	defer r.Close()
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("read %s: %v", name, err)
	}
	return string(body)
}

func list(t *testing.T, s Store) []string {
	t.Helper()
	var all []string
	if err := s.Each(t.Context(), func(name string) error { all = append(all, name); return nil }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

func TestStores(t *testing.T) {
	t.Parallel()
	for kind, s := range stores(t) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			if got := list(t, s); len(got) != 0 {
				t.Errorf("empty store lists %v, want 0", got)
			}
			put(t, s, "kyc/7/front.png", "front")
			put(t, s, "avatar/9.webp", strings.Repeat("x", 100_000))
			put(t, s, "empty", "")
			if err := s.Put(t.Context(), "kyc/7/front.png", strings.NewReader("another"), 7); !errors.Is(err, ErrExists) {
				t.Errorf("second Put error = %v, want ErrExists", err)
			}
			if got := get(t, s, "kyc/7/front.png"); got != "front" {
				t.Errorf("kyc/7/front.png = %q, want front", got)
			}
			if got := get(t, s, "avatar/9.webp"); len(got) != 100_000 {
				t.Errorf("avatar/9.webp has %d bytes, want 100000", len(got))
			}
			if got := get(t, s, "empty"); got != "" {
				t.Errorf("empty = %q, want no bytes", got)
			}
			if got := list(t, s); !slices.Equal(got, []string{"avatar/9.webp", "empty", "kyc/7/front.png"}) {
				t.Errorf("list = %v, want all three blobs", got)
			}
			stop := errors.New("stop")
			if err := s.Each(t.Context(), func(string) error { return stop }); !errors.Is(err, stop) {
				t.Errorf("Each error = %v, want the error of fn", err)
			}
			for range 2 { // deleting a missing blob succeeds
				if err := s.Delete(t.Context(), "empty"); err != nil {
					t.Errorf("Delete: got %v, want no error", err)
				}
			}
			if _, err := s.Open(t.Context(), "empty"); !errors.Is(err, ErrUnknown) {
				t.Errorf("open deleted blob: error = %v, want ErrUnknown", err)
			}
		})
	}
}

func TestUnsafeNamesAreRejected(t *testing.T) {
	t.Parallel()
	bad := []string{"", ".", "..", "../x", "a/../b", "/etc/passwd", "a//b", "a/", "a b", "A", "a\\b", "a\x00", ".hidden", "a/.put-b", "a..b", strings.Repeat("a", 201)}
	for kind, s := range stores(t) {
		for _, name := range bad {
			if err := s.Put(t.Context(), name, strings.NewReader("x"), 1); !errors.Is(err, ErrName) {
				t.Errorf("%s: put %q: %v, want ErrName", kind, name, err)
			}
			if _, err := s.Open(t.Context(), name); !errors.Is(err, ErrName) {
				t.Errorf("%s: open %q: %v, want ErrName", kind, name, err)
			}
			if err := s.Delete(t.Context(), name); !errors.Is(err, ErrName) {
				t.Errorf("%s: delete %q: %v, want ErrName", kind, name, err)
			}
		}
	}
}

func TestAcceptedNamesStayInsideTheFolder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.RuneFrom([]rune("ab9./-_\\ A\x00"))).Draw(t, "name")
		if checkName(name) == nil && (!filepath.IsLocal(name) || filepath.Clean(name) != name) {
			t.Fatalf("%q was accepted", name)
		}
	})
}

func openFiles(t *testing.T, folder string) *Files {
	t.Helper()
	s, err := OpenFiles(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func tempFiles(t *testing.T, folder string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(folder, tempFolder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}

func TestFailedPutLeavesNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := openFiles(t, folder)
	for _, r := range []io.Reader{
		strings.NewReader("short"),
		io.MultiReader(strings.NewReader("half"), brokenReader{}),
	} {
		if err := s.Put(t.Context(), "a/b", r, 100); err == nil {
			t.Error("Put accepted an incomplete blob")
		}
	}
	s.sync = func(f *os.File) error {
		if filepath.Base(f.Name()) == "a" {
			return errors.New("the disk is gone")
		}
		return f.Sync()
	}
	if err := s.Put(t.Context(), "a/b", strings.NewReader("whole"), 5); err == nil {
		t.Error("Put succeeded although syncing the folder failed")
	}
	if got := list(t, s); len(got) != 0 {
		t.Errorf("list = %v, want none", got)
	}
	if left := tempFiles(t, folder); len(left) != 0 {
		t.Errorf("temporary files left: %v, want 0", left)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("the client left") }

// barrier blocks until all readers have reached it.
type barrier struct{ readers *sync.WaitGroup }

func (b barrier) Read([]byte) (int, error) {
	b.readers.Done()
	b.readers.Wait()
	return 0, io.EOF
}

func TestConcurrentPutsOfOneName(t *testing.T) {
	t.Parallel()
	for kind, s := range stores(t) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			const puts = 8
			var readers, all sync.WaitGroup
			readers.Add(puts)
			errs := make([]error, puts)
			text := func(i int) string { return strings.Repeat(string(rune('a'+i)), 1000*(i+1)) }
			for i := range puts {
				all.Go(func() {
					body := text(i)
					r := io.MultiReader(strings.NewReader(body[:500]), barrier{&readers}, strings.NewReader(body[500:]))
					errs[i] = s.Put(t.Context(), "kyc/7/front.png", r, int64(len(body)))
				})
			}
			all.Wait()
			stored := get(t, s, "kyc/7/front.png")
			succeeded := 0
			for i, err := range errs {
				switch {
				case err == nil:
					succeeded++
					if stored != text(i) {
						t.Errorf("put %d succeeded, but the store holds %d bytes of %q", i, len(stored), stored[:1])
					}
				case !errors.Is(err, ErrExists):
					t.Errorf("put %d: %v", i, err)
				}
			}
			if succeeded != 1 {
				t.Errorf("%d puts succeeded, want 1", succeeded)
			}
		})
	}
}

func TestPutSyncsTheFileThenItsFolders(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := openFiles(t, folder)
	var synced []string
	s.sync = func(f *os.File) error {
		name, err := filepath.Rel(folder, f.Name())
		if strings.HasPrefix(name, tempFolder) {
			name = "the file"
			if _, err := os.Stat(filepath.Join(folder, "kyc/7/front.png")); err == nil {
				t.Error("the file was linked before it was synced")
			}
		}
		synced = append(synced, name)
		return errors.Join(err, f.Sync())
	}
	put(t, s, "kyc/7/front.png", "front")
	if want := []string{"the file", "kyc/7", "kyc", "."}; !slices.Equal(synced, want) {
		t.Errorf("synced %q, want %q", synced, want)
	}
}

func TestOpenRemovesStaleFiles(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "data", "blobs")
	put(t, openFiles(t, folder), "a", "stored")
	for name, age := range map[string]time.Duration{"old": 2 * staleAfter, "new": 0} {
		at := filepath.Join(folder, tempFolder, name)
		if err := os.WriteFile(at, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(at, then, then); err != nil {
			t.Fatal(err)
		}
	}
	s := openFiles(t, folder)
	if left := tempFiles(t, folder); len(left) != 1 || filepath.Base(left[0]) != "new" {
		t.Errorf("temporary files = %v, want only new", left)
	}
	if got := list(t, s); !slices.Equal(got, []string{"a"}) {
		t.Errorf("list = %v, want [a]", got)
	}
}

func TestOpenDoesNotFollowLinksOutOfTheFolder(t *testing.T) {
	t.Parallel()
	folder, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	s, err := OpenFiles(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if r, err := s.Open(t.Context(), "link/secret"); err == nil {
		_ = r.Close()
		t.Error("Open followed a link out of the folder")
	}
}

func TestCopy(t *testing.T) {
	t.Parallel()
	all := stores(t)
	put(t, all["s3"], "a", "one")
	put(t, all["s3"], "b/c", "two")
	if err := Copy(t.Context(), all["s3"], all["files"]); err != nil {
		t.Fatal(err)
	}
	if get(t, all["files"], "a") != "one" || get(t, all["files"], "b/c") != "two" {
		t.Error("the copy differs")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Copy(ctx, all["s3"], all["files"]); err == nil {
		t.Error("Copy succeeded with a cancelled context")
	}
}

func TestMove(t *testing.T) {
	t.Parallel()
	all := stores(t)
	from, to := all["files"], all["postgres"]
	put(t, from, "a", "one")
	put(t, from, "b/c", "two")
	put(t, to, "a", "one") // an interrupted move has copied it
	for _, want := range []int{2, 0} {
		if n, err := Move(t.Context(), from, to); err != nil || n != want {
			t.Errorf("moved %d, %v, want %d", n, err, want)
		}
	}
	if get(t, to, "a") != "one" || get(t, to, "b/c") != "two" {
		t.Error("the moved blobs differ")
	}
	if left := list(t, from); len(left) != 0 {
		t.Errorf("blobs left: %v, want none", left)
	}
}

func TestBucketAddresses(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newBucket("uploads"))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	for _, address := range []string{
		"", "http://x/y", "s3://", "s3://key:hunter2@" + host, "s3://key:hunter2@" + host + "/none?insecure=1",
		"s3://key:hunter2@127.0.0.1:1/uploads?insecure=1", "s3://key:hunter2@%zz/x",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if strings.Contains(address, ":1/") {
			cancel() // avoid the client's retries
		}
		_, err := OpenS3(ctx, address)
		cancel()
		if err == nil {
			t.Errorf("OpenS3 accepted %q", address)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error reveals the secret: %v", err)
		}
	}
}

func TestLargeBlobKeepsItsBytes(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	for kind, s := range stores(t) {
		if err := s.Put(t.Context(), "large", bytes.NewReader(body), int64(len(body))); err != nil {
			t.Fatal(err)
		}
		if get(t, s, "large") != string(body) {
			t.Errorf("%s: the blob differs", kind)
		}
	}
}
