package rest

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"sync/atomic"
)

// A framingListener accepts connections that detect requests with both Content-Length and Transfer-Encoding. Such a
// request can hide another one from a proxy. net/http accepts it and removes Content-Length before the handler runs.
type framingListener struct{ net.Listener }

func (l framingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &framingConn{Conn: c}, nil
}

// A framingConn looks at every line that it reads. It does not know where a body ends, so it also sees the lines of bodies.
// It can therefore report a conflict too often, but never too rarely.
type framingConn struct {
	net.Conn
	line        []byte // start of the current line
	lineBytes   int    // length of the current line
	hasLength   bool   // Content-Length since the last empty line
	hasEncoding bool   // Transfer-Encoding since the last empty line
	conflict    atomic.Bool
}

const maxFieldName = len("transfer-encoding:")

func (c *framingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.scan(p[:n])
	return n, err
}

func (c *framingConn) scan(data []byte) {
	for len(data) > 0 {
		end := bytes.IndexByte(data, '\n')
		part := data
		if end >= 0 {
			part = data[:end]
		}
		c.lineBytes += len(part)
		c.line = append(c.line, part[:min(len(part), maxFieldName-len(c.line))]...)
		if end < 0 {
			return
		}
		c.endLine()
		data = data[end+1:]
	}
}

func (c *framingConn) endLine() {
	switch {
	case hasPrefixFold(c.line, "content-length:"):
		c.hasLength = true
	case hasPrefixFold(c.line, "transfer-encoding:"):
		c.hasEncoding = true
	case c.lineBytes == 0 || c.lineBytes == 1 && c.line[0] == '\r':
		c.hasLength, c.hasEncoding = false, false
	}
	if c.hasLength && c.hasEncoding {
		c.conflict.Store(true)
	}
	c.line, c.lineBytes = c.line[:0], 0
}

func hasPrefixFold(line []byte, prefix string) bool {
	return len(line) >= len(prefix) && bytes.EqualFold(line[:len(prefix)], []byte(prefix))
}

// CloseWrite lets net/http send a response before it closes a connection with unread data.
func (c *framingConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// ambiguousLength reports whether a request may have both Content-Length and Transfer-Encoding.
func ambiguousLength(r *http.Request) bool {
	if len(r.TransferEncoding) == 0 {
		return false
	}
	c, ok := r.Context().Value(connKey{}).(*framingConn)
	return ok && c.conflict.Load()
}
