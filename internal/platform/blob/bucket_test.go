package blob

import (
	"bytes"
	"encoding/xml"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// bucket implements the part of the S3 protocol that the store uses, for one bucket. It rejects unsigned requests.
type bucket struct {
	name    string
	mu      sync.Mutex
	objects map[string][]byte
}

func newBucket(name string) *bucket { return &bucket{name: name, objects: map[string][]byte{}} }

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=key/") {
		refuse(w, http.StatusForbidden, "AccessDenied")
		return
	}
	name, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if name != b.name {
		refuse(w, http.StatusNotFound, "NoSuchBucket")
		return
	}
	if key == "" {
		if r.Method == http.MethodGet {
			b.list(w, r)
		}
		return
	}
	body, exists := b.objects[key]
	switch {
	case r.Method == http.MethodPut && exists && r.Header.Get("If-None-Match") == "*":
		refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
	case r.Method == http.MethodPut:
		b.put(w, r, key)
	case r.Method == http.MethodDelete:
		delete(b.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case !exists:
		refuse(w, http.StatusNotFound, "NoSuchKey")
	default:
		w.Header().Set("ETag", `"tag"`)
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	}
}

func (b *bucket) put(w http.ResponseWriter, r *http.Request, key string) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		refuse(w, http.StatusBadRequest, "IncompleteBody")
		return
	}
	if strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		body = unchunk(body)
	}
	b.objects[key] = body
	w.Header().Set("ETag", `"tag"`)
}

// unchunk decodes signed chunks: SIZE;chunk-signature=… CRLF bytes CRLF, ending with size 0.
func unchunk(in []byte) (out []byte) {
	for {
		head, rest, found := bytes.Cut(in, []byte("\r\n"))
		size, err := strconv.ParseInt(string(bytes.SplitN(head, []byte(";"), 2)[0]), 16, 64)
		if !found || err != nil || size == 0 {
			return out
		}
		out = append(out, rest[:size]...)
		in = rest[size+2:]
	}
}

func (b *bucket) list(w http.ResponseWriter, r *http.Request) {
	type content struct {
		Key          string
		LastModified string
		ETag         string
		Size         int
	}
	result := struct {
		XMLName  xml.Name `xml:"ListBucketResult"`
		Name     string
		Contents []content
	}{Name: b.name}
	prefix := r.URL.Query().Get("prefix")
	keys := []string{}
	for key := range b.objects {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		result.Contents = append(result.Contents, content{key, time.Now().UTC().Format(time.RFC3339), `"tag"`, len(b.objects[key])})
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(result)
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_ = xml.NewEncoder(w).Encode(struct {
		XMLName xml.Name `xml:"Error"`
		Code    string
	}{Code: code})
}
