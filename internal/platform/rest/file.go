package rest

import (
	"fmt"
	"io"
	"io/fs"
)

// A FileTooLargeError reports a file of more than Max bytes.
type FileTooLargeError struct{ Max int64 }

func (e FileTooLargeError) Error() string {
	return fmt.Sprintf("the file is larger than %d MB: split it and import the parts", e.Max>>20)
}

// ReadFile reads a file of at most maxBytes bytes. It rejects a larger regular file without reading it.
func ReadFile(from io.Reader, maxBytes int64) ([]byte, error) {
	if f, ok := from.(interface{ Stat() (fs.FileInfo, error) }); ok {
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		if info.Mode().IsRegular() && info.Size() > maxBytes {
			return nil, FileTooLargeError{maxBytes}
		}
	}
	raw, err := io.ReadAll(io.LimitReader(from, maxBytes+1))
	if err != nil {
		return nil, err
	}
	if int64(len(raw)) > maxBytes {
		return nil, FileTooLargeError{maxBytes}
	}
	return raw, nil
}
