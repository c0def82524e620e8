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

// maxDepth is how deep arrays and objects of a request may nest.
const maxDepth = 32

var (
	errNotUTF8   = errors.New("the body is not UTF-8")
	errTooDeep   = errors.New("the body is nested too deep")
	errTwice     = errors.New("a name stands twice in one object")
	errMoreAfter = errors.New("something follows the JSON value")
	errNUL       = errors.New("a text holds the character U+0000")
	errNumber    = errors.New("a number is out of range")
	errLost      = errors.New("a text holds a character that is none: half a pair, what is not UTF-8, or U+FFFD")
	errKind      = errors.New("a value is of the wrong kind")

	errTwiceAsked = errors.New("it stands twice in the query")
)

// strictJSON reads bodies: whole UTF-8, one value, bounded depth, no name twice in an object, in whatever case (two
// readers of one body must not see two different requests), no U+0000 (one database stores it and the other does not).
var strictJSON = huma.Format{
	Marshal: huma.DefaultJSONFormat.Marshal,
	Unmarshal: func(data []byte, v any) error {
		if _, first := v.(*any); first { // huma reads each body twice; once is enough for the form
			if err := CheckJSON(data); err != nil {
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

// CheckJSON refuses what no body may be. It walks the tokens without building anything.
func CheckJSON(data []byte) error {
	if !utf8.Valid(data) {
		return errNotUTF8
	}
	_, err := walkJSON(data, false)
	return err
}

// CheckFile refuses what no file may be, as CheckJSON does for bodies, and texts that lost a character besides. It says
// where: nobody finds one letter in a megabyte.
func CheckFile(data []byte) (field string, err error) { return walkJSON(data, true) }

// walkJSON gives the way to what is wrong, as far as names lead there.
func walkJSON(data []byte, whole bool) (string, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	type level struct {
		names   map[string]bool // nil in an array
		isValue bool            // in an object: the next string is a value, not a name
		name    string          // in an object: the last one
	}
	var open []level
	at := func(last ...string) string {
		var way []string
		for _, l := range open {
			if l.name != "" {
				way = append(way, l.name)
			}
		}
		return strings.Join(append(way, last...), ".")
	}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return at(), io.ErrUnexpectedEOF // a whole value returns below
		}
		if err != nil {
			return at(), err
		}
		top := len(open) - 1
		name, isText := token.(string)
		if strings.IndexByte(name, 0) >= 0 {
			return at(), errNUL
		}
		if whole && strings.ContainsRune(name, utf8.RuneError) {
			return at(), errLost
		}
		if n, ok := token.(json.Number); ok {
			if _, err := n.Float64(); err != nil {
				return at(), errNumber
			}
		}
		if top >= 0 && open[top].names != nil && isText && !open[top].isValue {
			if open[top].names[folded(name)] {
				open[top].name = ""
				return at(name), errTwice
			}
			open[top].names[folded(name)] = true
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
			return at(), errTooDeep
		}
		if len(open) == 0 {
			if _, err := dec.Token(); !errors.Is(err, io.EOF) {
				return at(), errMoreAfter
			}
			return "", nil
		}
	}
}

// folded is what names have in common that Go's reader takes for one field: it passes over case, as Unicode folds it.
func folded(name string) string {
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

// checkAddress holds what a path and a query say to what strictJSON asks of texts in a body.
func checkAddress(r *http.Request) error {
	if !storable(r.URL.Path) {
		return ErrParam.Because(errors.New("the path is not UTF-8, or holds the character U+0000"))
	}
	if name, ok := repeated(r.URL.RawQuery); ok {
		return ErrParam.On(name).Because(errTwiceAsked)
	}
	if plainQuery(r.URL.RawQuery) {
		return nil
	}
	for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, badName := url.QueryUnescape(name)
		value, badValue := url.QueryUnescape(value)
		switch {
		case badName != nil || !storable(name):
			return ErrParam.Because(errors.New("a name in the query is malformed, not UTF-8, or holds the character U+0000"))
		case badValue != nil || !storable(value):
			return ErrParam.On(name).Because(errors.New("malformed, not UTF-8, or with the character U+0000"))
		}
	}
	return nil
}

// repeated gives a name that stands twice in a query: two readers of one address must not see two different requests.
func repeated(raw string) (name string, ok bool) {
	var few [8]string
	seen := few[:0]
	var many map[string]bool
	for pair := range strings.SplitSeq(raw, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
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

// storable tells whether both databases take a text.
func storable(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

// plainQuery tells whether a query says nothing but what stands there, as most do.
func plainQuery(raw string) bool {
	for i := range len(raw) {
		if raw[i] == '%' || raw[i] >= utf8.RuneSelf || raw[i] == 0 {
			return false
		}
	}
	return true
}
