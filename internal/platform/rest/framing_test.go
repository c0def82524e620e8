package rest

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

func TestFT08RequestFraming(t *testing.T) {
	t.Parallel()
	const head = "POST /wps/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	const get = "GET /wps/quick HTTP/1.1\r\nHost: x\r\n"
	for _, c := range []struct {
		name, input string
		status      int
		code        string
	}{
		{"valid chunks", head + "Transfer-Encoding: chunked\r\n\r\nd\r\n{\"name\":\"ab\"}\r\n0\r\n\r\n", 200, `"success":true`},
		{"size that is no number", head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", 400, "request_param_err"},
		{"chunk longer than its size", head + "Transfer-Encoding: chunked\r\n\r\nb\r\n{\"name\":\"ab\"}\r\n0\r\n\r\n", 400, "request_param_err"},
		{"negative size", head + "Transfer-Encoding: chunked\r\n\r\n-d\r\n{\"name\":\"ab\"}\r\n0\r\n\r\n", 400, "request_param_err"},
		{"malformed body of a call without one", get + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "request_param_err"},
		{"length and chunks", head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{\"name\":\"ab\"}\r\n0\r\n\r\n", 400, "request_param_err"},
		{"chunks and length, other case", head + "TRANSFER-ENCODING: chunked\ncontent-length: 2\n\nd\r\n{\"name\":\"ab\"}\r\n0\r\n\r\n", 400, "request_param_err"},
		{"length and chunks of a call without a body", get + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "request_param_err"},
		{"length and chunks of an unknown call", "POST /wps/none HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "request_param_err"},
		{"length in an earlier request", get + "Content-Length: 0\r\n\r\n" + head + "Transfer-Encoding: chunked\r\n\r\nd\r\n{\"name\":\"ab\"}\r\n0\r\n\r\n", 200, `"success":true`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := newTestAPI(t, nil)
				addEcho(a, Op{Path: "/wps/echo", Method: http.MethodPost})
				addGet(a, "/wps/quick", Public, func(context.Context) (bool, error) { return true, nil })
				serveDuring(t, a, func(p *pipes) {
					conn := p.dial()
					defer conn.Close()
					go func() { _, _ = io.WriteString(conn, c.input) }()
					in := bufio.NewReader(conn)
					var status int
					var body []byte
					for range strings.Count(c.input, " HTTP/1.1") {
						res, err := http.ReadResponse(in, nil)
						if err != nil {
							t.Errorf("read response: %v", err)
							return
						}
						status = res.StatusCode
						if body, err = io.ReadAll(res.Body); err != nil {
							t.Errorf("read body: %v", err)
						}
					}
					if status != c.status || !bytes.Contains(body, []byte(c.code)) {
						t.Errorf("last response: %d %s, want %d %s", status, body, c.status, c.code)
					}
				})
			})
		})
	}
}

func TestFramingAcrossReads(t *testing.T) {
	t.Parallel()
	const text = "POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
	for split := 1; split < len(text); split++ {
		var c framingConn
		c.scan([]byte(text[:split]))
		c.scan([]byte(text[split:]))
		if !c.conflict.Load() {
			t.Errorf("split at %d: no conflict, want one", split)
		}
	}
	var c framingConn
	c.scan([]byte("POST / HTTP/1.1\r\nContent-Length: 5\r\nX-Transfer-Encoding: a\r\n\r\nPOST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"))
	if c.conflict.Load() {
		t.Error("two requests with one header each: conflict, want none")
	}
}
