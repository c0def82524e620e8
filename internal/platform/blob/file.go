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

// unfinished is the folder of files that are still being written; no name can begin like it.
const unfinished = ".put"

// abandoned is how long nothing was written to a file that no Put is at work on any more. The folder may be opened
// by a command beside the server that writes there: what is younger may be the server's.
const abandoned = time.Hour

// Files keeps blobs in a folder. Everything goes through an os.Root: no name and no link leads out of it.
type Files struct {
	root *os.Root
	sync func(*os.File) error // given in, so that a test sees what would survive a crash
}

// OpenFiles uses folder, which is made when it is missing, and removes what crashes have left unfinished there.
func OpenFiles(folder string) (*Files, error) {
	if err := makeFolder(folder); err != nil {
		return nil, fmt.Errorf("make blob folder: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("open blob folder: %w", err)
	}
	f := &Files{root, (*os.File).Sync}
	if err := f.sweep(time.Now().Add(-abandoned)); err != nil {
		return nil, errors.Join(fmt.Errorf("sweep blob folder: %w", err), root.Close())
	}
	return f, nil
}

// makeFolder makes folder and what is missing above it, each so that it survives a crash.
func makeFolder(folder string) error {
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	above := filepath.Dir(folder)
	if err := makeFolder(above); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	d, err := os.Open(above)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// sweep removes what nobody has written to since then.
func (f *Files) sweep(since time.Time) error {
	if err := f.root.Mkdir(unfinished, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	left, err := fs.ReadDir(f.root.FS(), unfinished)
	if err != nil {
		return err
	}
	for _, entry := range left {
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was finished meanwhile
		}
		if err != nil {
			return err
		}
		if info.ModTime().After(since) {
			continue
		}
		if err := f.root.Remove(path.Join(unfinished, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Close lets go of the folder.
func (f *Files) Close() error { return f.root.Close() }

// Put writes elsewhere, syncs, then gives the file its name: a reader sees all of it or nothing. A link, not a
// rename, gives the name, because it never replaces.
func (f *Files) Put(_ context.Context, name string, r io.Reader, size int64) error {
	if err := checkName(name); err != nil {
		return err
	}
	beside := path.Join(unfinished, rand.Text()) // its own: others may be putting the same name
	defer func() { _ = f.root.Remove(beside) }() // what stays is swept when the folder is opened later
	if err := f.write(beside, r, size); err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	if err := f.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	err := f.root.Link(beside, name)
	if errors.Is(err, fs.ErrExist) {
		return ErrTaken
	}
	if err == nil {
		if err = f.syncAbove(name); err != nil {
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
		err = fmt.Errorf("%d bytes came, not %d: %w", n, size, io.ErrUnexpectedEOF)
	}
	if err == nil {
		err = f.sync(out)
	}
	return errors.Join(err, out.Close())
}

// syncAbove makes the name survive a crash, with all folders that lead to it: another Put may have made them a
// moment ago and not have synced them yet.
func (f *Files) syncAbove(name string) error {
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
		if name == unfinished {
			return fs.SkipDir
		}
		if entry.IsDir() || checkName(name) != nil { // what is no name was not put here by us
			return ctx.Err()
		}
		return fn(name)
	})
}
