package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync/atomic"
	"time"

	"fairground/bench/compare"
)

// A play is a member's open game, which all clients share.
type play struct {
	address string
	key     struct{ KeyID, Key string }
	session string
	rounds  atomic.Int64
}

func (p *play) authenticate(ticket string) error {
	c, err := p.dial()
	if err != nil {
		return err
	}
	defer c.Close()
	responseBody, err := c.call("authenticate", fmt.Appendf(nil, `{"ticket":%q}`, ticket))
	if err != nil {
		return err
	}
	var got struct{ SessionID string }
	if err := json.Unmarshal(responseBody, &got); err != nil {
		return err
	}
	p.session = got.SessionID
	return nil
}

// rate plays rounds of a bet and a win and returns the calls per second.
func (p *play) rate(clients int, duration time.Duration) (float64, error) {
	var completed atomic.Int64
	start := time.Now()
	warmUntil, deadline := start.Add(duration/4), start.Add(duration/4+duration)
	err := compare.Parallel(clients, func(int) error {
		c, err := p.dial()
		if err != nil {
			return err
		}
		defer c.Close()
		for {
			n := p.rounds.Add(1)
			for _, call := range []string{"bet", "win"} {
				endRound := ""
				if call == "win" {
					endRound = `,"endRound":true`
				}
				body := fmt.Appendf(nil, `{"requestId":"q%d","sessionId":%q,"currency":"VND","gameCode":"B1","roundId":"r%d","txId":"%s%d","amount":"100"%s}`,
					n, p.session, n, call, n, endRound)
				if _, err := c.call(call, body); err != nil {
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
		}
	})
	return float64(completed.Load()) / duration.Seconds(), err
}

// A client is one persistent connection. It does little work, because it shares the machine with the server.
type client struct {
	net.Conn
	p  *play
	in *bufio.Reader
}

func (p *play) dial() (*client, error) {
	conn, err := net.Dial("tcp", p.address)
	if err != nil {
		return nil, err
	}
	return &client{conn, p, bufio.NewReader(conn)}, nil
}

var errNotOK = errors.New("the server did not return OK")

// call sends a signed call and returns the response body. It returns an error unless the code is OK.
func (c *client) call(name string, body []byte) ([]byte, error) {
	stamp := strconv.FormatInt(time.Now().UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(c.p.key.Key))
	mac.Write([]byte(stamp + "./vendor/v1/" + name + "."))
	mac.Write(body)
	head := fmt.Appendf(nil, "POST /vendor/v1/%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nX-Vendor: BENCH\r\nX-Key: %s\r\nX-Timestamp: %s\r\nX-Signature: %s\r\n\r\n",
		name, c.p.address, len(body), c.p.key.KeyID, stamp, hex.EncodeToString(mac.Sum(nil)))
	if _, err := c.Write(append(head, body...)); err != nil {
		return nil, err
	}
	length := 0
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			break
		}
		if digits, found := bytes.CutPrefix(bytes.ToLower(line), []byte("content-length: ")); found {
			if length, err = strconv.Atoi(string(digits)); err != nil {
				return nil, err
			}
		}
	}
	responseBody := make([]byte, length)
	if _, err := io.ReadFull(c.in, responseBody); err != nil {
		return nil, err
	}
	if !bytes.Contains(responseBody, []byte(`"code":"OK"`)) {
		return nil, fmt.Errorf("%w: %s: %s", errNotOK, name, responseBody)
	}
	return responseBody, nil
}
