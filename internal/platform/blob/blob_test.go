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
)

// stores gives an empty store of each kind.
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
	return map[string]Store{"files": files, "s3": s3}
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
				t.Errorf("an empty store lists %v", got)
			}
			put(t, s, "kyc/7/front.png", "front")
			put(t, s, "avatar/9.webp", strings.Repeat("x", 100_000))
			put(t, s, "empty", "")
			if err := s.Put(t.Context(), "kyc/7/front.png", strings.NewReader("another"), 7); !errors.Is(err, ErrTaken) {
				t.Errorf("a blob was replaced: %v", err)
			}
			if got := get(t, s, "kyc/7/front.png"); got != "front" {
				t.Errorf("got %q", got)
			}
			if got := get(t, s, "avatar/9.webp"); len(got) != 100_000 {
				t.Errorf("%d bytes", len(got))
			}
			if got := get(t, s, "empty"); got != "" {
				t.Errorf("got %q", got)
			}
			if got := list(t, s); !slices.Equal(got, []string{"avatar/9.webp", "empty", "kyc/7/front.png"}) {
				t.Errorf("lists %v", got)
			}
			stop := errors.New("enough")
			if err := s.Each(t.Context(), func(string) error { return stop }); !errors.Is(err, stop) {
				t.Errorf("listing went on: %v", err)
			}
			for range 2 { // the second time there is nothing to delete
				if err := s.Delete(t.Context(), "empty"); err != nil {
					t.Error(err)
				}
			}
			if _, err := s.Open(t.Context(), "empty"); !errors.Is(err, ErrUnknown) {
				t.Errorf("a deleted blob: %v", err)
			}
		})
	}
}

func TestNamesThatLeadElsewhereAreRefused(t *testing.T) {
	t.Parallel()
	bad := []string{"", ".", "..", "../x", "a/../b", "/etc/passwd", "a//b", "a/", "a b", "A", "a\\b", "a\x00", ".hidden", "a/.put-b", "a..b", strings.Repeat("a", 201)}
	for kind, s := range stores(t) {
		for _, name := range bad {
			if err := s.Put(t.Context(), name, strings.NewReader("x"), 1); !errors.Is(err, ErrName) {
				t.Errorf("%s: put %q: %v", kind, name, err)
			}
			if _, err := s.Open(t.Context(), name); !errors.Is(err, ErrName) {
				t.Errorf("%s: open %q: %v", kind, name, err)
			}
			if err := s.Delete(t.Context(), name); !errors.Is(err, ErrName) {
				t.Errorf("%s: delete %q: %v", kind, name, err)
			}
		}
	}
}

// No name that is accepted can mean anything but itself below the store.
func TestAcceptedNamesStayInside(t *testing.T) {
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

func unfinishedIn(t *testing.T, folder string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(folder, unfinished, "*"))
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
			t.Error("an incomplete blob was taken")
		}
	}
	s.sync = func(f *os.File) error {
		if filepath.Base(f.Name()) == "a" {
			return errors.New("the disk is gone")
		}
		return f.Sync()
	}
	if err := s.Put(t.Context(), "a/b", strings.NewReader("whole"), 5); err == nil {
		t.Error("a blob whose name may be lost was taken")
	}
	if got := list(t, s); len(got) != 0 {
		t.Errorf("seen: %v", got)
	}
	if left := unfinishedIn(t, folder); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("the client left") }

// meeting ends when all who are to meet have come.
type meeting struct{ all *sync.WaitGroup }

func (m meeting) Read([]byte) (int, error) {
	m.all.Done()
	m.all.Wait()
	return 0, io.EOF
}

// Of many that put one name at once exactly one is told that its blob is kept, and that one is kept whole.
func TestPutsOfOneNameDoNotMix(t *testing.T) {
	t.Parallel()
	for kind, s := range stores(t) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			const puts = 8
			var met, all sync.WaitGroup
			met.Add(puts)
			errs := make([]error, puts)
			text := func(i int) string { return strings.Repeat(string(rune('a'+i)), 1000*(i+1)) }
			for i := range puts {
				all.Go(func() {
					body := text(i)
					r := io.MultiReader(strings.NewReader(body[:500]), meeting{&met}, strings.NewReader(body[500:]))
					errs[i] = s.Put(t.Context(), "kyc/7/front.png", r, int64(len(body)))
				})
			}
			all.Wait()
			kept := get(t, s, "kyc/7/front.png")
			told := 0
			for i, err := range errs {
				switch {
				case err == nil:
					told++
					if kept != text(i) {
						t.Errorf("put %d was told that it is kept; %d bytes of %q are", i, len(kept), kept[:1])
					}
				case !errors.Is(err, ErrTaken):
					t.Errorf("put %d: %v", i, err)
				}
			}
			if told != 1 {
				t.Errorf("%d were told that theirs is kept", told)
			}
		})
	}
}

// Before a Put returns, the file's bytes and then every folder on the way to its name are on the disk.
func TestPutSurvivesACrash(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := openFiles(t, folder)
	var synced []string
	s.sync = func(f *os.File) error {
		name, err := filepath.Rel(folder, f.Name())
		if strings.HasPrefix(name, unfinished) {
			name = "the file"
			if _, err := os.Stat(filepath.Join(folder, "kyc/7/front.png")); err == nil {
				t.Error("it has its name before its bytes are kept")
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

// What crashed Puts left is removed when the folder is opened; what may be somebody's work at this moment is not.
func TestOpenSweepsLeftovers(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "data", "blobs")
	put(t, openFiles(t, folder), "a", "kept")
	for name, age := range map[string]time.Duration{"old": 2 * abandoned, "new": 0} {
		at := filepath.Join(folder, unfinished, name)
		if err := os.WriteFile(at, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(at, then, then); err != nil {
			t.Fatal(err)
		}
	}
	s := openFiles(t, folder)
	if left := unfinishedIn(t, folder); len(left) != 1 || filepath.Base(left[0]) != "new" {
		t.Errorf("left: %v", left)
	}
	if got := list(t, s); !slices.Equal(got, []string{"a"}) {
		t.Errorf("lists %v", got)
	}
}

func TestLinksDoNotLeadOut(t *testing.T) {
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
		t.Error("a link led out of the folder")
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
		t.Error("a cancelled copy claims to be done")
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
			cancel() // spare the client its retries
		}
		_, err := OpenS3(ctx, address)
		cancel()
		if err == nil {
			t.Errorf("%q was taken", address)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error tells the secret: %v", err)
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
