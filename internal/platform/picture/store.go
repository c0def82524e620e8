package picture

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// discardDelay is the time between discarding and deleting a picture. It lets a running backup copy the picture.
const discardDelay = 25 * time.Hour

// Blobs stores files. *blob.Files implements it.
type Blobs interface {
	Put(ctx context.Context, name string, r io.Reader, size int64) error
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	Delete(ctx context.Context, name string) error
}

// A Store stores rendered pictures. Sweep deletes pictures that no row keeps.
type Store struct {
	DB    *db.Store
	Blobs Blobs
	Now   func() time.Time
}

// Put stores a JPEG in a folder, such as "avatar/", and returns its name. Sweep deletes the picture later, unless KeepIn is
// called.
func (s Store) Put(ctx context.Context, folder string, picture []byte) (name string, err error) {
	name = folder + strings.ToLower(rand.Text()) + ".jpg"
	// Discard the picture first, so that Sweep deletes it if the caller fails before KeepIn.
	if err := s.DB.Write(ctx, func(tx *db.Tx) error { return s.DiscardIn(ctx, tx, name) }); err != nil {
		return "", fmt.Errorf("store picture: %w", err)
	}
	if err := s.Blobs.Put(ctx, name, bytes.NewReader(picture), int64(len(picture))); err != nil {
		return "", fmt.Errorf("store picture: %w", err)
	}
	return name, nil
}

// KeepIn prevents the deletion of a picture, in the transaction that stores its name.
func (s Store) KeepIn(ctx context.Context, tx *db.Tx, name string) error {
	_, err := tx.Q.Undiscard(ctx, name)
	return err
}

// DiscardIn marks a picture for deletion, in the transaction that removes its name.
func (s Store) DiscardIn(ctx context.Context, tx *db.Tx, name string) error {
	return tx.Q.Discard(ctx, name, db.Millis(s.Now().Add(discardDelay)))
}

// Drop deletes a stored picture that no row has ever kept. If it fails, Sweep deletes the picture later.
func (s Store) Drop(ctx context.Context, name string) error {
	if err := s.Blobs.Delete(ctx, name); err != nil {
		return fmt.Errorf("delete picture: %w", err)
	}
	if err := s.DB.Write(ctx, func(tx *db.Tx) error { return s.KeepIn(ctx, tx, name) }); err != nil {
		return fmt.Errorf("delete the record of a discarded picture: %w", err)
	}
	return nil
}

// Sweep deletes discarded pictures.
func (s Store) Sweep(ctx context.Context) error {
	due, err := s.DB.Q().DueDiscarded(ctx, db.Millis(s.Now()))
	if err != nil {
		return fmt.Errorf("find discarded pictures: %w", err)
	}
	for _, name := range due {
		if err := s.Drop(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// Handler serves pictures. open finds the picture of a request, and fails with a fault if the caller may not see it. The
// headers make a browser that opens the URL download the file instead of rendering it as a page.
func Handler(filename string, open func(*http.Request) (io.ReadCloser, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, err := open(r)
		if err != nil {
			rest.WriteError(w, r, err)
			return
		}
		defer file.Close()
		data, err := io.ReadAll(file) // at most MaxBytes; read everything first, so that an error can still be reported
		if err != nil {
			rest.WriteError(w, r, err)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "image/jpeg")
		h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", filename))
		h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
		_, _ = w.Write(data) // fails only if the client has disconnected
	})
}
