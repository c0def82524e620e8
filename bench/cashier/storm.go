package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync/atomic"
	"time"

	"fairground/bench/compare"
)

const (
	gatewayCode = "BENCH"
	amount      = 100_000
	noticePath  = "/pay/v1/" + gatewayCode + "/payment"
)

// A storm sends notices about waiting deposits.
type storm struct {
	address  string
	prefix   string // of the references
	key      struct{ KeyID, Key string }
	deposits int64
	sent     atomic.Int64
}

var errTooFew = errors.New("all deposits are credited; use more -deposits")

// rate credits deposits and returns the notices per second.
func (s *storm) rate(clients int, duration time.Duration) (float64, error) {
	var completed atomic.Int64
	start := time.Now()
	warmUntil, deadline := start.Add(duration/4), start.Add(duration/4+duration)
	err := compare.Parallel(clients, func(int) error {
		c, err := s.dial()
		if err != nil {
			return err
		}
		defer c.Close()
		for {
			n := s.sent.Add(1)
			if n > s.deposits {
				return errTooFew
			}
			body := fmt.Appendf(nil, `{"reference":"%s%d","gatewayId":"P%[2]d","status":"paid","amount":"%[3]d","currency":"VND","at":%[4]d}`, s.prefix, n, amount, time.Now().UnixMilli())
			if err := c.notify(body); err != nil {
				return err
			}
			now := time.Now()
			if now.After(deadline) {
				return nil
			}
			if now.After(warmUntil) {
				completed.Add(1)
			}
		}
	})
	return float64(completed.Load()) / duration.Seconds(), err
}

// A client is one persistent connection. It does little work, because it shares the machine with the server.
type client struct {
	net.Conn
	s  *storm
	in *bufio.Reader
}

func (s *storm) dial() (*client, error) {
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		return nil, err
	}
	return &client{conn, s, bufio.NewReader(conn)}, nil
}

var errNotOK = errors.New("the server did not return OK")

// notify sends a signed notice. It returns an error unless the code is OK.
func (c *client) notify(body []byte) error {
	stamp := strconv.FormatInt(time.Now().UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(c.s.key.Key))
	mac.Write([]byte(stamp + "." + noticePath + "."))
	mac.Write(body)
	head := fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nX-Gateway: %s\r\nX-Key: %s\r\nX-Timestamp: %s\r\nX-Signature: %s\r\n\r\n",
		noticePath, c.s.address, len(body), gatewayCode, c.s.key.KeyID, stamp, hex.EncodeToString(mac.Sum(nil)))
	if _, err := c.Write(append(head, body...)); err != nil {
		return err
	}
	length := 0
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			break
		}
		if digits, found := bytes.CutPrefix(bytes.ToLower(line), []byte("content-length: ")); found {
			if length, err = strconv.Atoi(string(digits)); err != nil {
				return err
			}
		}
	}
	responseBody := make([]byte, length)
	if _, err := io.ReadFull(c.in, responseBody); err != nil {
		return err
	}
	if !bytes.Contains(responseBody, []byte(`"code":"OK"`)) {
		return fmt.Errorf("%w: %s", errNotOK, responseBody)
	}
	return nil
}
