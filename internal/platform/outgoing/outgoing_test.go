package outgoing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var loopback = parsePrefixes("127.0.0.0/8")

func TestAddresses(t *testing.T) {
	t.Parallel()
	public := []string{"1.1.1.1", "8.8.8.8", "93.184.216.34", "172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.1", "192.169.0.1", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8"}
	refused := map[string][]string{
		"loopback":    {"127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1"},
		"private":     {"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1", "::ffff:10.0.0.1", "fec0::1"},
		"link-local":  {"169.254.1.1", "fe80::1", "fe80::1%eth0"},
		"carrier":     {"100.64.0.1", "100.127.255.255"},
		"multicast":   {"224.0.0.1", "239.255.255.255", "ff02::1"},
		"unspecified": {"0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0"},
		"metadata":    {"169.254.169.254", "fd00:ec2::254", "168.63.129.16", "100.100.100.200", "::ffff:169.254.169.254"},
		"broadcast":   {"255.255.255.255", "240.0.0.1"},
		"tunnels":     {"2002:7f00:1::", "2001:0:7f00:1::", "64:ff9b::7f00:1", "64:ff9b:1::1", "::127.0.0.1"},
		"examples":    {"192.0.2.1", "198.51.100.7", "203.0.113.9", "2001:db8::1", "3fff::1", "198.18.0.1", "192.0.0.170", "192.88.99.1", "100::1"},
	}
	for _, text := range public {
		if !permitted(netip.MustParseAddr(text), nil) {
			t.Errorf("permitted(%s) = false, want true", text)
		}
	}
	for kind, texts := range refused {
		t.Run("SE-17 "+kind, func(t *testing.T) {
			t.Parallel()
			for _, text := range texts {
				if permitted(netip.MustParseAddr(text), nil) {
					t.Errorf("permitted(%s) = true, want false", text)
				}
			}
		})
	}
	if !permitted(netip.MustParseAddr("10.1.2.3"), parsePrefixes("10.1.0.0/16")) || permitted(netip.MustParseAddr("10.2.0.1"), parsePrefixes("10.1.0.0/16")) {
		t.Error("allow must cover exactly the given network")
	}
	if permitted(netip.Addr{}, nil) {
		t.Error("the zero address is permitted")
	}
	for _, text := range []string{"", "127.0.0.1", "example.com:80", "@"} {
		if err := check(text, loopback); !errors.Is(err, ErrRefused) {
			t.Errorf("check(%q) = %v, want ErrRefused", text, err)
		}
	}
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func get(t *testing.T, client *http.Client, url string) (*http.Response, error) {
	t.Helper()
	reply, err := client.Get(url)
	if err == nil {
		t.Cleanup(func() { reply.Body.Close() })
	}
	return reply, err
}

// The resolved address is checked, so a name that resolves to loopback is refused.
func TestLoopbackIsRefused(t *testing.T) {
	requested := false
	s := serve(t, func(http.ResponseWriter, *http.Request) { requested = true })
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0"} {
		t.Run("SE-17 "+host, func(t *testing.T) {
			if _, err := get(t, New(nil), "http://"+net.JoinHostPort(strings.Trim(host, "[]"), port)); !errors.Is(err, ErrRefused) {
				t.Errorf("got %v, want ErrRefused", err)
			}
		})
	}
	if requested {
		t.Error("the server received a request")
	}
	if reply, err := get(t, New(loopback), s.URL); err != nil || reply.StatusCode != http.StatusOK {
		t.Errorf("allowed network: %v, want status code 200", err)
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	var s *httptest.Server
	s = serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch to := r.URL.Query().Get("to"); {
		case to != "":
			http.Redirect(w, r, to, http.StatusFound)
		case r.URL.Query().Get("left") != "" && r.URL.Query().Get("left") != "0":
			var left int
			_, _ = fmt.Sscan(r.URL.Query().Get("left"), &left)
			http.Redirect(w, r, fmt.Sprintf("%s/?left=%d", s.URL, left-1), http.StatusFound)
		}
	})
	client := New(loopback)
	for _, to := range []string{"http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://[::1]:1/"} {
		t.Run("SE-17 redirect to "+to, func(t *testing.T) {
			t.Parallel()
			if _, err := get(t, client, s.URL+"/?to="+to); !errors.Is(err, ErrRefused) {
				t.Errorf("got %v, want ErrRefused", err)
			}
		})
	}
	for _, to := range []string{"file:///etc/passwd", "gopher://127.0.0.1/"} {
		if _, err := get(t, client, s.URL+"/?to="+to); err == nil {
			t.Errorf("redirect to %s was followed", to)
		}
	}
	if _, err := get(t, client, s.URL+"/?left=3"); err != nil {
		t.Errorf("three redirects: %v", err)
	}
	if _, err := get(t, client, s.URL+"/?left=4"); err == nil || errors.Is(err, ErrRefused) {
		t.Errorf("four redirects: %v, want an error other than ErrRefused", err)
	}
	plain := httptest.NewRequest(http.MethodGet, "http://a.example/", nil)
	secure := httptest.NewRequest(http.MethodGet, "https://a.example/", nil)
	if checkRedirect(plain, []*http.Request{secure}) == nil || checkRedirect(secure, []*http.Request{plain}) != nil {
		t.Error("want redirects refused from https to http, allowed from http to https")
	}
}

func TestResponseBodyIsBounded(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		size := maxBodyBytes
		if r.URL.Path == "/more" {
			size++
		}
		_, _ = w.Write(bytes.Repeat([]byte("a"), size))
	})
	reply, err := get(t, New(loopback), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(reply.Body); err != nil || len(body) != maxBodyBytes {
		t.Errorf("read %d bytes, %v, want %d", len(body), err, maxBodyBytes)
	}
	if reply, err = get(t, New(loopback), s.URL+"/more"); err != nil {
		t.Fatal(err)
	}
	var large *http.MaxBytesError
	if _, err := io.ReadAll(reply.Body); !errors.As(err, &large) {
		t.Errorf("oversized body: got %v, want *http.MaxBytesError", err)
	}
}

// A pipe, unlike a socket, works with the fake clock of synctest.
func TestRequestTimesOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := New(nil)
		near, far := net.Pipe()
		defer far.Close()
		client.Transport.(limited).RoundTripper.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) {
			return near, nil
		}
		go func() { _, _ = io.Copy(io.Discard, far) }() // reads, never responds
		began := time.Now()
		_, err := get(t, client, "http://a.example/")
		if took := time.Since(began); err == nil || took != timeout {
			t.Errorf("request ended after %s with %v, want a timeout after %s", took, err, timeout)
		}
	})
}

// net/http reads the environment once per process, so this test checks the setting only.
func TestNoProxyFromTheEnvironment(t *testing.T) {
	t.Parallel()
	if New(nil).Transport.(limited).RoundTripper.(*http.Transport).Proxy != nil {
		t.Error("SE-17 the transport uses a proxy, which would connect without the check")
	}
}
