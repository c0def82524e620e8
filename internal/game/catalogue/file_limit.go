package catalogue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"fairground/internal/platform/rest"
)

// Limits of an import file. Ten thousand games take about five megabytes.
const (
	maxFileBytes = 64 << 20
	maxRows      = 50_000   // vendors and games together
	maxRowBytes  = 64 << 10 // of one vendor or game
)

// readLimited reads a file within the limits. It counts the rows before they are decoded, because a decoded row
// takes far more memory than its text.
func readLimited(from io.Reader) ([]byte, error) {
	raw, err := rest.ReadFile(from, maxFileBytes)
	if tooLong := (rest.FileTooLargeError{}); errors.As(err, &tooLong) {
		return nil, ErrMalformed.Because(err)
	}
	if err != nil {
		return nil, err
	}
	return raw, checkRows(raw)
}

// checkRows rejects files with too many or too long rows. It ignores invalid JSON, which the decoder reports.
func checkRows(raw []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	depth, rows, rowStart := 0, 0, int64(0)
	for {
		before := decoder.InputOffset()
		token, err := decoder.Token()
		if err != nil {
			return nil //nolint:nilerr // end of the file, or invalid JSON
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			switch depth++; depth {
			case 2:
				rowStart = decoder.InputOffset()
			case 3:
				rows, rowStart = rows+1, before
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		default:
			if depth == 2 {
				rows, rowStart = rows+1, before
			}
		}
		if rows > maxRows {
			return ErrMalformed.Because(fmt.Errorf("the file has more than %d vendors and games: split it into several files", maxRows))
		}
		if depth >= 2 && decoder.InputOffset()-rowStart > maxRowBytes {
			return ErrMalformed.Because(fmt.Errorf("after %d bytes: a vendor or game is longer than %d KB", rowStart, maxRowBytes>>10))
		}
	}
}
