package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// maxDepth is how deep arrays and objects of a request may nest.
const maxDepth = 32

var (
	errNotUTF8   = errors.New("the body is not UTF-8")
	errTooDeep   = errors.New("the body is nested too deep")
	errTwice     = errors.New("a name stands twice in one object")
	errMoreAfter = errors.New("something follows the JSON value")
	errNUL       = errors.New("a text holds the character U+0000")
	errNumber    = errors.New("a number is out of range")
	errKind      = errors.New("a value is of the wrong kind")
)

// strictJSON reads bodies: whole UTF-8, one value, bounded depth, no name twice in an object (two readers of
// one body must not see two different requests), no U+0000 (one database stores it and the other does not).
var strictJSON = huma.Format{
	Marshal: huma.DefaultJSONFormat.Marshal,
	Unmarshal: func(data []byte, v any) error {
		if _, first := v.(*any); first { // huma reads each body twice; once is enough for the form
			if err := checkJSON(data); err != nil {
				return err
			}
		}
		err := json.Unmarshal(data, v)
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return errKind // its own words name Go types and repeat what was sent
		}
		return err
	},
}

// checkJSON walks the tokens without building anything.
func checkJSON(data []byte) error {
	if !utf8.Valid(data) {
		return errNotUTF8
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	type level struct {
		names   map[string]bool // nil in an array
		isValue bool            // in an object: the next string is a value, not a name
	}
	var open []level
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF // a whole value returns below
		}
		if err != nil {
			return err
		}
		top := len(open) - 1
		name, isText := token.(string)
		if strings.IndexByte(name, 0) >= 0 {
			return errNUL
		}
		if n, ok := token.(json.Number); ok {
			if _, err := n.Float64(); err != nil {
				return errNumber
			}
		}
		if top >= 0 && open[top].names != nil && isText && !open[top].isValue {
			if open[top].names[name] {
				return errTwice
			}
			open[top].names[name] = true
			open[top].isValue = true
			continue
		}
		if top >= 0 {
			open[top].isValue = false
		}
		switch token {
		case json.Delim('{'):
			open = append(open, level{names: map[string]bool{}})
		case json.Delim('['):
			open = append(open, level{})
		case json.Delim('}'), json.Delim(']'):
			open = open[:top]
		}
		if len(open) > maxDepth {
			return errTooDeep
		}
		if len(open) == 0 {
			if _, err := dec.Token(); !errors.Is(err, io.EOF) {
				return errMoreAfter
			}
			return nil
		}
	}
}

// readError says what went wrong while reading a body.
func readError(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return ErrTooLarge
	}
	var network net.Error
	if errors.As(err, &network) && network.Timeout() {
		return ErrTimeout.Because(err)
	}
	return ErrParam.Because(err)
}
