package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// tempFolder contains files that are still being written. It starts with a dot, which blob names cannot.
const tempFolder = ".put"

// staleAfter is the age at which a temporary file is considered abandoned by a crash. Younger files may belong to a
// server that runs while a command opens the same folder.
const staleAfter = time.Hour

// Files is a Store that keeps blobs in a folder. It uses an os.Root, so no name or symbolic link can escape the folder.
type Files struct {
	root *os.Root
	sync func(*os.File) error // tests replace it to check the order of syncs
}

// OpenFiles opens folder, creating it if necessary, and removes temporary files that crashes left there.
func OpenFiles(folder string) (*Files, error) {
	if err := makeFolder(folder); err != nil {
		return nil, fmt.Errorf("make blob folder: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("open blob folder: %w", err)
	}
	f := &Files{root, (*os.File).Sync}
	if err := f.removeStale(time.Now().Add(-staleAfter)); err != nil {
		return nil, errors.Join(fmt.Errorf("remove stale files from blob folder: %w", err), root.Close())
	}
	return f, nil
}

// makeFolder creates folder and its missing parents, and syncs each parent.
func makeFolder(folder string) error {
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(folder)
	if err := makeFolder(parent); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	d, err := os.Open(parent)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// removeStale removes temporary files last written before the cutoff.
func (f *Files) removeStale(cutoff time.Time) error {
	if err := f.root.Mkdir(tempFolder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	entries, err := fs.ReadDir(f.root.FS(), tempFolder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process finished writing it
		}
		if err != nil {
			return err
		}
		if info.ModTime().After(cutoff) {
			continue
		}
		if err := f.root.Remove(path.Join(tempFolder, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Close closes the folder.
func (f *Files) Close() error { return f.root.Close() }

// Put writes and syncs a temporary file, and then links it to its name. Readers see the complete blob or none. Put links
// instead of renaming because a link never replaces an existing file.
func (f *Files) Put(_ context.Context, name string, r io.Reader, size int64) error {
	if err := checkName(name); err != nil {
		return err
	}
	temp := path.Join(tempFolder, rand.Text())
	defer func() { _ = f.root.Remove(temp) }() // if this fails, a later OpenFiles removes it
	if err := f.write(temp, r, size); err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	if err := f.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	err := f.root.Link(temp, name)
	if errors.Is(err, fs.ErrExist) {
		return ErrExists
	}
	if err == nil {
		if err = f.syncParents(name); err != nil {
			err = errors.Join(err, f.root.Remove(name))
		}
	}
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	return nil
}

func (f *Files) write(to string, r io.Reader, size int64) error {
	out, err := f.root.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, r)
	if err == nil && n != size {
		err = fmt.Errorf("read %d bytes, want %d: %w", n, size, io.ErrUnexpectedEOF)
	}
	if err == nil {
		err = f.sync(out)
	}
	return errors.Join(err, out.Close())
}

// syncParents makes the name durable. It syncs all parent folders because a concurrent Put may have created one without
// having synced it yet.
func (f *Files) syncParents(name string) error {
	for folder := path.Dir(name); ; folder = path.Dir(folder) {
		d, err := f.root.Open(folder)
		if err != nil {
			return err
		}
		if err := errors.Join(f.sync(d), d.Close()); err != nil {
			return err
		}
		if folder == "." {
			return nil
		}
	}
}

// Open opens a blob for reading.
func (f *Files) Open(_ context.Context, name string) (io.ReadCloser, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	file, err := f.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrUnknown
	}
	if err != nil {
		return nil, fmt.Errorf("open blob: %w", err)
	}
	return file, nil
}

// Delete removes a blob.
func (f *Files) Delete(_ context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete blob: %w", err)
	}
	return nil
}

// Each calls fn with every blob name in the folder.
func (f *Files) Each(ctx context.Context, fn func(name string) error) error {
	return fs.WalkDir(f.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == tempFolder {
			return fs.SkipDir
		}
		if entry.IsDir() || checkName(name) != nil { // ignore files that Put did not create
			return ctx.Err()
		}
		return fn(name)
	})
}
