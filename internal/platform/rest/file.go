package rest

import (
	"fmt"
	"io"
	"io/fs"
)

// FileTooLongError says how much a file may hold that holds more.
type FileTooLongError struct{ Most int64 }

func (e FileTooLongError) Error() string {
	return fmt.Sprintf("the file is longer than %d MB: bring it in parts", e.Most>>20)
}

// ReadFile reads all of a file that an operator brings, unless it is longer than most. Its length is asked for first where
// it has one: what is refused need not be read.
func ReadFile(from io.Reader, most int64) ([]byte, error) {
	if f, ok := from.(interface{ Stat() (fs.FileInfo, error) }); ok {
		about, err := f.Stat()
		if err != nil {
			return nil, err
		}
		if about.Mode().IsRegular() && about.Size() > most {
			return nil, FileTooLongError{most}
		}
	}
	raw, err := io.ReadAll(io.LimitReader(from, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(raw)) > most {
		return nil, FileTooLongError{most}
	}
	return raw, nil
}
