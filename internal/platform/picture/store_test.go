package picture_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"fairground/internal/platform/blob"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/rest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestSweepDeletesOnlyPicturesThatNobodyKeeps(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		blobs, err := blob.OpenFiles(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = blobs.Close() })
		now := time.Date(2026, time.March, 14, 9, 0, 0, 0, time.UTC)
		s := picture.Store{DB: store, Blobs: blobs, Now: func() time.Time { return now }}
		put := func() string {
			t.Helper()
			name, err := s.Put(t.Context(), "document/", []byte("jpeg"))
			if err != nil {
				t.Fatal(err)
			}
			return name
		}
		kept, abandoned, removed := put(), put(), put()
		err = store.Write(t.Context(), func(tx *db.Tx) error {
			return errors.Join(s.KeepIn(t.Context(), tx, kept), s.KeepIn(t.Context(), tx, removed), s.DiscardIn(t.Context(), tx, removed))
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, after := range []time.Duration{0, 26 * time.Hour} {
			now = now.Add(after)
			if err := s.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			for name, exists := range map[string]bool{kept: true, abandoned: after == 0, removed: after == 0} {
				file, err := blobs.Open(t.Context(), name)
				if err == nil {
					_ = file.Close()
				}
				if (err == nil) != exists {
					t.Errorf("%s after %v: error = %v, want a file: %v", name, after, err, exists)
				}
			}
		}
	})
}

func TestSE07PartHandlerServesAnAttachment(t *testing.T) {
	t.Parallel()
	h := picture.Handler("document.jpg", func(r *http.Request) (io.ReadCloser, error) {
		if r.Header.Get("Authorization") != "owner" {
			return nil, rest.ErrDenied
		}
		return io.NopCloser(bytes.NewReader([]byte("jpeg"))), nil
	})
	for token, want := range map[string]int{"owner": http.StatusOK, "stranger": http.StatusForbidden} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Header.Set("Authorization", token)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want || (w.Body.String() == "jpeg") != (want == http.StatusOK) {
			t.Errorf("%s: status %d, body %q, want %d", token, w.Code, w.Body, want)
		}
		if got, want := w.Header().Get("Content-Disposition"), `attachment; filename="document.jpg"`; token == "owner" && got != want {
			t.Errorf("Content-Disposition = %q, want %q", got, want)
		}
	}
}
