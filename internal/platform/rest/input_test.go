package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestInput(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	addEcho(a, Op{Path: "/wps/echo", MaxBody: 1024})
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	tests := []struct {
		name, body string
		status     int
		code       string
		field      string
	}{
		{"valid", `{"name":"an"}`, 200, "", ""},
		{"SE-04 unknown field", `{"name":"an","type":1}`, 400, "request_param_err", "type"},
		{"SE-04 privileged field in another case", `{"name":"an","Count":5}`, 400, "request_param_err", "Count"},
		{"SE-04 the same field twice", `{"name":"an","name":"bo"}`, 400, "request_param_err", ""},
		{"SE-04 the same field twice in another case", `{"name":"an","NAME":"bo"}`, 400, "request_param_err", ""},
		{"SE-04 the same field twice with a letter that case folding changes", `{"message":"an","meſſage":"bo"}`, 400, "request_param_err", ""},
		{"missing field", `{}`, 400, "request_param_err", "name"},
		{"no body", "", 400, "request_param_err", ""},
		{"FT-08 malformed JSON", `{"name":`, 400, "request_param_err", ""},
		{"FT-08 two values", `{"name":"an"}{"name":"bo"}`, 400, "request_param_err", ""},
		{"FT-08 wrong type", `{"name":5}`, 400, "request_param_err", "name"},
		{"FT-08 wrong type in a list", `{"name":"an","tags":["x",1]}`, 400, "request_param_err", "tags[1]"},
		{"FT-08 not an object", `["an"]`, 400, "request_param_err", ""},
		{"FT-08 null", `null`, 400, "request_param_err", ""},
		{"FT-08 deep nesting", `{"name":"an","tags":` + deep + `}`, 400, "request_param_err", ""},
		{"FT-08 invalid UTF-8", "{\"name\":\"a\xff\"}", 400, "request_param_err", ""},
		{"FT-08 U+0000 in a string", `{"name":"a\u0000n"}`, 400, "request_param_err", ""},
		{"FT-08 U+0000 in a list", `{"name":"an","tags":["x","\u0000"]}`, 400, "request_param_err", ""},
		{"FT-08 U+0000 in a name", `{"name":"an","ta\u0000gs":[]}`, 400, "request_param_err", ""},
		{"FT-08 a backslash before u0000", `{"name":"a\\u0000n"}`, 200, "", ""},
		{"FT-08 oversized", `{"name":"` + strings.Repeat("a", 2000) + `"}`, 413, "request.too_large", ""},
		{"too short", `{"name":"a"}`, 400, "request_param_err", "name"},
		{"negative", `{"name":"an","count":-1}`, 400, "request_param_err", "count"},
		{"number too large for an integer", `{"name":"an","count":1e400}`, 400, "request_param_err", ""},
		{"number too large for a float", `{"name":"an","count":1e999999}`, 400, "request_param_err", ""},
		{"number too large for a float, in a list", `{"name":"an","tags":[1e999999]}`, 400, "request_param_err", ""},
		{"integer with an exponent", `{"name":"an","count":1e2}`, 400, "request_param_err", ""},
		{"integer overflow", `{"name":"an","count":1e30}`, 400, "request_param_err", ""},
		{"fraction for an integer", `{"name":"an","count":1.5}`, 400, "request_param_err", "count"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := call(t, a, http.MethodPost, "/wps/echo", tt.body)
			var got failure
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatalf("got %d %s, want JSON", w.Code, w.Body)
			}
			if w.Code != tt.status || got.ErrorCode != tt.code || got.Field != tt.field {
				t.Errorf("got %d %s field %q, want %d %s field %q: %s", w.Code, got.ErrorCode, got.Field, tt.status, tt.code, tt.field, w.Body)
			}
			for _, word := range []string{"json:", "Go ", "int64", "float64", "1e"} {
				if strings.Contains(got.Message, word) {
					t.Errorf("message %q contains %q", got.Message, word)
				}
			}
			if tt.code != "" && strings.Contains(w.Body.String(), "aaaa") {
				t.Error("the response repeats the input")
			}
		})
	}
}

func TestUnsupportedMediaTypesAreRejected(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	addEcho(a, Op{Path: "/wps/echo"})
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml"} {
		w := call(t, a, http.MethodPost, "/wps/echo", `{"name":"an"}`, "Content-Type", kind)
		if w.Code != http.StatusUnsupportedMediaType || code(t, w) != "request_param_err" {
			t.Errorf("%s = %d %s, want 415 request_param_err", kind, w.Code, w.Body)
		}
	}
}

func TestMediaTypeIsNotCaseSensitive(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	addEcho(a, Op{Path: "/wps/echo"})
	for _, kind := range []string{"Application/JSON", "application/json; charset=UTF-8", "APPLICATION/JSON ; Charset=utf-8"} {
		if w := call(t, a, http.MethodPost, "/wps/echo", `{"name":"an"}`, "Content-Type", kind); w.Code != http.StatusOK {
			t.Errorf("%s = %d %s, want 200", kind, w.Code, w.Body)
		}
	}
}

func TestOversizedBodyWithoutLengthIsRejected(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	addEcho(a, Op{Path: "/wps/echo", MaxBody: 1024})
	body := &countingReader{left: 10 << 20}
	r := httptest.NewRequest(http.MethodPost, "/wps/echo", body)
	r.ContentLength = -1
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, r)
	if w.Code != http.StatusRequestEntityTooLarge || code(t, w) != "request.too_large" {
		t.Errorf("got %d %s, want 413 request.too_large", w.Code, w.Body)
	}
	if body.read > 64<<10 {
		t.Errorf("read %d bytes of a body with a limit of 1024", body.read)
	}
}

// countingReader returns x characters and counts them.
type countingReader struct{ left, read int }

func (c *countingReader) Read(p []byte) (int, error) {
	n := min(len(p), c.left)
	for i := range n {
		p[i] = 'x'
	}
	c.left -= n
	c.read += n
	return n, nil
}

// CheckJSON accepts everything that encoding/json writes, and nothing that is invalid JSON or UTF-8.
func TestCheckJSONAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Custom(anyValue).Draw(t, "value")
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckJSON(raw); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		broken := bytes.Clone(raw)
		broken[rapid.IntRange(0, len(raw)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		if err := CheckJSON(broken); err == nil && (!json.Valid(broken) || !utf8.Valid(broken)) {
			t.Fatalf("%q was accepted", broken)
		}
	})
}

// text generates strings that a request may contain.
var text = rapid.String().Filter(func(s string) bool { return !strings.Contains(s, "\x00") })

func anyValue(t *rapid.T) any {
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return text.Draw(t, "text")
	case 1:
		return rapid.Int64().Draw(t, "number")
	case 2:
		return rapid.Bool().Draw(t, "truth")
	case 3:
		return rapid.SliceOfN(rapid.Custom(anyValue), 0, 3).Draw(t, "list")
	default:
		return rapid.MapOfN(text, rapid.Custom(anyValue), 0, 3).Draw(t, "object")
	}
}

func FuzzCheckJSON(f *testing.F) {
	for _, example := range []string{`{"a":1}`, `{"a":{"a":[1,{"a":2}]}}`, `{"a":1,"a":2}`, `[[[]]]`, "\xff", `{"a":"b","b":"a"}`, ``, `nul`} {
		f.Add([]byte(example))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if CheckJSON(raw) == nil && !json.Valid(raw) {
			t.Errorf("%q was accepted", raw)
		}
	})
}

func TestQueryNames(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	addEcho(a, Op{Path: "/wps/echo", MaxBody: 1024})
	many := "a=1&b=1&c=1&d=1&e=1&f=1&g=1&h=1&i=1&j=1"
	for query, status := range map[string]int{
		"":                      200,
		"x=1&y=1":               200,
		"x=1&x=1":               400,
		"x&y&x":                 400,
		"x=1&%78=2":             400,
		"x=1&X=2":               200, // query parameters are case-sensitive
		"&&":                    200,
		many:                    200,
		many + "&k=1&j=2":       400,
		many + "&a=2":           400,
		"x=a%26x&y=b%26y%3D%26": 200,
	} {
		t.Run("SE-04 duplicate parameters in a query: "+query, func(t *testing.T) {
			t.Parallel()
			w := call(t, a, http.MethodPost, "/wps/echo?"+query, `{"name":"an"}`)
			if w.Code != status {
				t.Errorf("got %d, want %d: %s", w.Code, status, w.Body)
			}
		})
	}
}
