// Package outgoing provides the HTTP client for requests to other servers. It never connects to private addresses, also through DNS
// or redirects, unless the operator allows a network.
package outgoing

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// ErrRefused reports that the address of a connection is not public.
var ErrRefused = errors.New("outgoing: the address is not public")

const (
	timeout   = 10 * time.Second // for a whole request, including redirects
	dialTime  = 5 * time.Second
	redirects = 3
	bodyLimit = 1 << 20
	headLimit = 64 << 10
)

// reserved lists non-public addresses: loopback, private, carrier, link-local, cloud metadata, multicast, tunnels, examples.
var reserved = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"168.63.129.16/32", // Azure's internal service
	"2001::/23",        // Teredo and other protocol assignments
	"2001:db8::/32", "2002::/16", "3fff::/20",
)

// global is the IPv6 range of public addresses.
var global = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// New returns a client that also reaches the private networks in allow.
func New(allow []netip.Prefix) *http.Client {
	dialer := &net.Dialer{
		Timeout: dialTime,
		// Check after DNS resolution: an earlier check could see a different address.
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			return check(address, allow)
		},
	}
	return &http.Client{
		Timeout:       timeout,
		CheckRedirect: checkRedirect,
		Transport: limited{&http.Transport{
			DialContext:            dialer.DialContext,
			Proxy:                  nil, // a proxy from the environment would connect without the check
			TLSHandshakeTimeout:    dialTime,
			ResponseHeaderTimeout:  timeout,
			MaxResponseHeaderBytes: headLimit,
			MaxIdleConnsPerHost:    4,
			IdleConnTimeout:        time.Minute,
			ForceAttemptHTTP2:      true,
		}},
	}
}

func check(address string, allow []netip.Prefix) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if !permitted(to.Addr(), allow) {
		return fmt.Errorf("%w: %s", ErrRefused, to.Addr())
	}
	return nil
}

func permitted(address netip.Addr, allow []netip.Prefix) bool {
	address = address.Unmap().WithZone("")
	if contains(allow, address) {
		return true
	}
	if address.Is6() && !global.Contains(address) {
		return false
	}
	return address.IsValid() && !contains(reserved, address)
}

func contains(nets []netip.Prefix, address netip.Addr) bool {
	for _, n := range nets {
		if n.Contains(address) {
			return true
		}
	}
	return false
}

// checkRedirect bounds redirects and forbids a downgrade to HTTP. The dialer checks the new address.
func checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) > redirects {
		return errors.New("outgoing: too many redirects")
	}
	if via[len(via)-1].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return errors.New("outgoing: redirect from https to " + next.URL.Scheme)
	}
	return nil
}

// limited bounds the size of response bodies. Reading past the limit fails with *http.MaxBytesError.
type limited struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	reply, err := l.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	reply.Body = http.MaxBytesReader(nil, reply.Body, bodyLimit)
	return reply, nil
}
