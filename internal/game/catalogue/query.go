package catalogue

import (
	"cmp"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"fairground/internal/platform/rest"
)

// Limits of query parameters whose field has no maxLength tag.
const (
	maxTextLength = 512 // characters
	maxListCodes  = 64
)

// decodeQuery fills the input struct that in points to. The field tags that describe a parameter in the OpenAPI
// document (query, minimum, maximum, default, maxLength) are also the rules that decodeQuery enforces.
// It decodes every valid parameter and returns an error about the first invalid one.
func decodeQuery(r *http.Request, in any) error {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return rest.ErrParam.Because(err)
	}
	var first error
	target := reflect.ValueOf(in).Elem()
	for i := range target.NumField() {
		tag := target.Type().Field(i).Tag
		name := tag.Get("query")
		if name == "merchantCode" {
			continue // package rest checks it
		}
		text, ok := textParam(values[name], int(tagNumber(tag, "maxLength", maxTextLength)))
		if ok && target.Field(i).Kind() == reflect.Int64 {
			var n int64
			n, ok = numberParam(cmp.Or(text, tag.Get("default"), "0"), tagNumber(tag, "minimum", 0), tagNumber(tag, "maximum", math.MaxInt64))
			target.Field(i).SetInt(n)
		} else if ok {
			target.Field(i).SetString(cmp.Or(text, tag.Get("default")))
		}
		if !ok && first == nil {
			first = rest.ErrParam.On(name)
		}
	}
	return first
}

func tagNumber(tag reflect.StructTag, key string, missing int64) int64 {
	n, err := strconv.ParseInt(tag.Get(key), 10, 64)
	if err != nil {
		return missing
	}
	return n
}

// textParam accepts a parameter that occurs at most once.
func textParam(values []string, maxLength int) (_ string, ok bool) {
	if len(values) == 0 {
		return "", true
	}
	if len(values) > 1 || !utf8.ValidString(values[0]) || utf8.RuneCountInString(values[0]) > maxLength {
		return "", false
	}
	return values[0], true
}

// numberParam accepts plain digits within the bounds.
func numberParam(text string, minimum, maximum int64) (_ int64, ok bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || text[0] == '+' || text[0] == '-' || n < minimum || n > maximum {
		return 0, false
	}
	return n, true
}

// listParam splits a comma-separated parameter. It returns nil if the list is empty.
func listParam(name, text string) (list []string, err error) {
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, item)
		}
	}
	if len(list) > maxListCodes {
		return nil, rest.ErrParam.On(name)
	}
	return list, nil
}
