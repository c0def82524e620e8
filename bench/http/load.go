package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"time"
)

// load sends the requests over persistent connections and returns the responses per second. It parses as little as
// possible, so that the server is the bottleneck.
func load(address string, requests [][]byte, connections int, span time.Duration) (float64, error) {
	var (
		wait  sync.WaitGroup
		lock  sync.Mutex
		total int
		errs  []error
	)
	start := time.Now()
	deadline := start.Add(span)
	for first := range connections {
		wait.Go(func() {
			n, err := loadOne(address, requests, first, connections, deadline)
			lock.Lock()
			defer lock.Unlock()
			total += n
			if err != nil {
				errs = append(errs, err)
			}
		})
	}
	wait.Wait()
	if len(errs) > 0 {
		return 0, errs[0]
	}
	return float64(total) / time.Since(start).Seconds(), nil
}

func loadOne(address string, requests [][]byte, first, step int, deadline time.Time) (int, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 64<<10)
	n := 0
	for time.Now().Before(deadline) {
		if _, err := conn.Write(requests[(first+n*step)%len(requests)]); err != nil {
			return n, err
		}
		if err := readReply(in); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

var (
	okLine       = []byte("HTTP/1.1 200 ")
	lengthHeader = []byte("Content-Length: ")
	errNoLength  = errors.New("a response without Content-Length")
)

func readReply(in *bufio.Reader) error {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(line, okLine) {
		return fmt.Errorf("the server returned %q", bytes.TrimSpace(line))
	}
	length := -1
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) == 2 {
			break
		}
		if bytes.HasPrefix(line, lengthHeader) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[len(lengthHeader):]))); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return errNoLength
	}
	_, err = io.CopyN(io.Discard, in, int64(length))
	return err
}
