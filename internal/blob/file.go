package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// unfinished marks a file that is still being written; no name can begin with it.
const unfinished = ".put-"

// Files keeps blobs in a folder. Everything goes through an os.Root: no name and no link leads out of it.
type Files struct{ root *os.Root }

// OpenFiles uses folder, which is made when it is missing.
func OpenFiles(folder string) (*Files, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make blob folder: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("open blob folder: %w", err)
	}
	return &Files{root}, nil
}

// Close lets go of the folder.
func (f *Files) Close() error { return f.root.Close() }

// Put writes beside, syncs, then renames: a reader sees all of it or nothing.
func (f *Files) Put(_ context.Context, name string, r io.Reader, size int64) (err error) {
	if err := checkName(name); err != nil {
		return err
	}
	folder := path.Dir(name)
	if err := f.root.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	beside := path.Join(folder, unfinished+path.Base(name))
	out, err := f.root.OpenFile(beside, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	defer func() {
		if err != nil {
			_ = f.root.Remove(beside) // what is left is skipped by Each and overwritten by the next Put
		}
	}()
	n, err := io.Copy(out, r)
	if err == nil && n != size {
		err = fmt.Errorf("%d bytes came, not %d: %w", n, size, io.ErrUnexpectedEOF)
	}
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	if err := f.root.Rename(beside, name); err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	return f.syncFolder(folder)
}

// syncFolder makes the rename itself survive a crash.
func (f *Files) syncFolder(folder string) error {
	d, err := f.root.Open(folder)
	if err != nil {
		return fmt.Errorf("sync blob folder: %w", err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return fmt.Errorf("sync blob folder: %w", err)
	}
	return nil
}

// Open reads a blob.
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

// Each walks the folder.
func (f *Files) Each(ctx context.Context, fn func(name string) error) error {
	return fs.WalkDir(f.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() || strings.HasPrefix(path.Base(name), unfinished) {
			return ctx.Err()
		}
		return fn(filepath.ToSlash(name))
	})
}
