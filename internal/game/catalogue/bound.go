package catalogue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"fairground/internal/platform/rest"
)

// What one file may hold. Ten thousand games are about five megabytes; whoever has more than this brings several files.
const (
	fileMost = 64 << 20
	rowsMost = 50_000   // vendors and games together
	rowMost  = 64 << 10 // bytes of one of them
)

// bounded reads a file that is not absurd. Its rows are counted before any of them is made: a few bytes of text are hundreds
// in memory.
func bounded(from io.Reader) ([]byte, error) {
	raw, err := rest.ReadFile(from, fileMost)
	if tooLong := (rest.FileTooLargeError{}); errors.As(err, &tooLong) {
		return nil, ErrMalformed.Because(err)
	}
	if err != nil {
		return nil, err
	}
	return raw, count(raw)
}

// count refuses too many rows and rows too long. What is no JSON at all is left to who reads it for good: nothing is made
// of it.
func count(raw []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	depth, rows, begin := 0, 0, int64(0)
	for {
		before := decoder.InputOffset()
		token, err := decoder.Token()
		if err != nil {
			return nil //nolint:nilerr // its end, or no JSON
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			switch depth++; depth {
			case 2:
				begin = decoder.InputOffset()
			case 3:
				rows, begin = rows+1, before
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		default:
			if depth == 2 {
				rows, begin = rows+1, before
			}
		}
		if rows > rowsMost {
			return ErrMalformed.Because(fmt.Errorf("the file has more than %d vendors and games: bring it in parts", rowsMost))
		}
		if depth >= 2 && decoder.InputOffset()-begin > rowMost {
			return ErrMalformed.Because(fmt.Errorf("after %d bytes: a vendor or game is longer than %d KB", begin, rowMost>>10))
		}
	}
}
