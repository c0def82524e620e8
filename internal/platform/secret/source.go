package secret

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// FileName is the name of the key file in the data folder.
const FileName = "secret.key"

// nextSuffix is the suffix of the file with a key that is about to replace the current one.
const nextSuffix = ".next"

// A Source locates the root key.
type Source struct {
	Text string // the key itself, as 64 hexadecimal digits; used instead of a file if it is not empty
	File string
	// Create creates the file if the database has no key yet. Servers do this at their first start.
	Create bool
	// Optional allows the key to be missing. Operations that need the key then fail. It is for commands that need no key.
	Optional bool
}

// String returns where the key comes from.
func (s Source) String() string {
	if s.Text != "" {
		return "the environment"
	}
	return s.File
}

// read returns the key, or nil if there is none.
func (s Source) read() ([]byte, error) {
	if s.Text != "" {
		return parseKey(s.Text, "the key in the environment")
	}
	return readKeyFile(s.File)
}

// CopyTo writes the key to a new file.
func (s Source) CopyTo(name string) error {
	root, err := s.read()
	if err != nil {
		return err
	}
	if root == nil {
		return fmt.Errorf("%w in %s", ErrKeyNotFound, s)
	}
	return createKeyFile(name, root)
}

func readKeyFile(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	return parseKey(string(text), "the key in "+name)
}

func parseKey(text, description string) ([]byte, error) {
	root, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil || len(root) != rootSize {
		return nil, fmt.Errorf("%s is not valid: want %d hexadecimal digits", description, 2*rootSize) // the text itself is secret
	}
	return root, nil
}

// newRoot returns a random root key.
func newRoot() []byte {
	root := make([]byte, rootSize)
	_, _ = rand.Read(root) // never returns an error
	return root
}

// createKeyFile stores a key in a new file that only its owner can read. It fails with os.ErrExist if the file exists. Even
// after a crash, the file never contains only part of a key.
func createKeyFile(name string, root []byte) (err error) {
	folder := filepath.Dir(name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("create key file: %w", err)
	}
	temp, err := os.CreateTemp(folder, "."+filepath.Base(name)+"-*.part") // mode 0600
	if err != nil {
		return fmt.Errorf("create key file: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(temp.Name())) }()
	_, err = temp.WriteString(hex.EncodeToString(root) + "\n")
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return fmt.Errorf("create key file: %w", err)
	}
	if err := os.Link(temp.Name(), name); err != nil { // unlike Rename, Link does not replace a key that another process has created
		return fmt.Errorf("create key file: %w", err)
	}
	return syncFolder(folder)
}

// replaceKeyFile moves the next key to its final name.
func replaceKeyFile(name string) error {
	if err := os.Rename(name+nextSuffix, name); err != nil {
		return fmt.Errorf("replace key file: %w", err)
	}
	return syncFolder(filepath.Dir(name))
}

func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
