package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// maxDepth is the maximum nesting of arrays and objects.
const maxDepth = 32

var (
	errNotUTF8       = errors.New("the body is not valid UTF-8")
	errTooDeep       = errors.New("the body is nested too deeply")
	errDuplicateName = errors.New("an object contains the same name twice")
	errTrailingData  = errors.New("the JSON value is followed by other data")
	errNUL           = errors.New("a string contains the character U+0000")
	errNumber        = errors.New("a number is out of range")
	errInvalidText   = errors.New("a string contains an unpaired surrogate, invalid UTF-8 or U+FFFD")
	errType          = errors.New("a value has the wrong type")

	errAmbiguousLength = errors.New("the request has Content-Length and Transfer-Encoding")
	errDuplicateParam  = errors.New("the query contains the parameter twice")
)

// strictJSON decodes bodies. It rejects duplicate names, also in different case, because two parsers of one body must not
// see different requests. It rejects U+0000 because PostgreSQL cannot store it.
var strictJSON = huma.Format{
	Marshal: huma.DefaultJSONFormat.Marshal,
	Unmarshal: func(data []byte, v any) error {
		if _, first := v.(*any); first { // huma decodes each body twice, first into an any
			if err := CheckJSON(data); err != nil {
				return err
			}
		}
		err := json.Unmarshal(data, v)
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return errType // the original message contains Go types and the value
		}
		return err
	},
}

// CheckJSON checks that data is one JSON value in UTF-8, with limited depth, unique names, and no U+0000.
func CheckJSON(data []byte) error {
	if !utf8.Valid(data) {
		return errNotUTF8
	}
	_, err := walkJSON(data, false)
	return err
}

// CheckFile checks a JSON file like CheckJSON, and also rejects strings with replacement characters. It returns the path
// of the invalid field.
func CheckFile(data []byte) (field string, err error) { return walkJSON(data, true) }

// walkJSON returns the path of names to the first error.
func walkJSON(data []byte, rejectReplacement bool) (string, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	type level struct {
		names   map[string]bool // nil in an array
		isValue bool            // in an object: the next string is a value, not a name
		name    string          // in an object: the current name
	}
	var open []level // the arrays and objects around the current token
	pathTo := func(last ...string) string {
		var path []string
		for _, l := range open {
			if l.name != "" {
				path = append(path, l.name)
			}
		}
		return strings.Join(append(path, last...), ".")
	}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return pathTo(), io.ErrUnexpectedEOF // a complete value returns below
		}
		if err != nil {
			return pathTo(), err
		}
		top := len(open) - 1
		name, isText := token.(string)
		if strings.IndexByte(name, 0) >= 0 {
			return pathTo(), errNUL
		}
		if rejectReplacement && strings.ContainsRune(name, utf8.RuneError) {
			return pathTo(), errInvalidText
		}
		if n, ok := token.(json.Number); ok {
			if _, err := n.Float64(); err != nil {
				return pathTo(), errNumber
			}
		}
		if top >= 0 && open[top].names != nil && isText && !open[top].isValue {
			if open[top].names[foldCase(name)] {
				open[top].name = ""
				return pathTo(name), errDuplicateName
			}
			open[top].names[foldCase(name)] = true
			open[top].isValue, open[top].name = true, name
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
			return pathTo(), errTooDeep
		}
		if len(open) == 0 {
			if _, err := dec.Token(); !errors.Is(err, io.EOF) {
				return pathTo(), errTrailingData
			}
			return "", nil
		}
	}
}

// foldCase folds the case of a name in the same way as encoding/json when it matches struct fields.
func foldCase(name string) string {
	return strings.Map(func(r rune) rune {
		for {
			next := unicode.SimpleFold(r)
			if next <= r {
				return next
			}
			r = next
		}
	}, name)
}

// readError converts an error from reading a body to a fault.
func readError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return ErrTooLarge
	}
	var network net.Error
	if errors.As(err, &network) && network.Timeout() {
		return ErrTimeout.Because(err)
	}
	return ErrParam.Because(err)
}

// checkURL applies the rules of strictJSON for strings and names to the path and the query.
func checkURL(r *http.Request) error {
	if !isStorable(r.URL.Path) {
		return ErrParam.Because(errors.New("the path is not valid UTF-8 or contains U+0000"))
	}
	if name, ok := duplicateParam(r.URL.RawQuery); ok {
		return ErrParam.On(name).Because(errDuplicateParam)
	}
	if isUnescaped(r.URL.RawQuery) {
		return nil
	}
	for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, badName := url.QueryUnescape(name)
		value, badValue := url.QueryUnescape(value)
		switch {
		case badName != nil || !isStorable(name):
			return ErrParam.Because(errors.New("a parameter name is malformed, not valid UTF-8, or contains U+0000"))
		case badValue != nil || !isStorable(value):
			return ErrParam.On(name).Because(errors.New("the value is malformed, not valid UTF-8, or contains U+0000"))
		}
	}
	return nil
}

// duplicateParam returns a parameter that occurs twice. Two parsers of one query must not see different requests.
func duplicateParam(raw string) (name string, ok bool) {
	var few [8]string // avoids an allocation for most queries
	seen := few[:0]
	var many map[string]bool
	for pair := range strings.SplitSeq(raw, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if unescaped, err := url.QueryUnescape(name); err == nil {
			name = unescaped
		}
		switch {
		case name == "":
			continue
		case many[name] || slices.Contains(seen, name):
			return name, true
		case len(seen) < len(few):
			seen = append(seen, name)
			continue
		case many == nil:
			many = map[string]bool{}
		}
		many[name] = true
	}
	return "", false
}

// isStorable reports whether both databases can store a string.
func isStorable(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

// isUnescaped reports whether a query is plain ASCII without escapes, so that it needs no further checks.
func isUnescaped(raw string) bool {
	for i := range len(raw) {
		if raw[i] == '%' || raw[i] >= utf8.RuneSelf || raw[i] == 0 {
			return false
		}
	}
	return true
}
