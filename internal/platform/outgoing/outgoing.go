// Package outgoing provides the HTTP client for requests to other servers. It never connects to private addresses, not even
// through DNS or redirects, unless the operator allows a network.
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
	timeout        = 10 * time.Second // for a whole request, including redirects
	dialTimeout    = 5 * time.Second
	maxRedirects   = 3
	maxBodyBytes   = 1 << 20
	maxHeaderBytes = 64 << 10
)

// reserved lists the networks that are not public, such as loopback, private, link-local, cloud metadata and multicast
// addresses.
var reserved = parsePrefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"168.63.129.16/32", // Azure's internal service
	"2001::/23",        // Teredo and other protocol assignments
	"2001:db8::/32", "2002::/16", "3fff::/20",
)

// publicIPv6 contains all public IPv6 addresses.
var publicIPv6 = netip.MustParsePrefix("2000::/3")

func parsePrefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// New returns a client that also reaches the private networks in allow.
func New(allow []netip.Prefix) *http.Client {
	dialer := &net.Dialer{
		Timeout: dialTimeout,
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
			TLSHandshakeTimeout:    dialTimeout,
			ResponseHeaderTimeout:  timeout,
			MaxResponseHeaderBytes: maxHeaderBytes,
			MaxIdleConnsPerHost:    4,
			IdleConnTimeout:        time.Minute,
			ForceAttemptHTTP2:      true,
		}},
	}
}

func check(address string, allow []netip.Prefix) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if !permitted(target.Addr(), allow) {
		return fmt.Errorf("%w: %s", ErrRefused, target.Addr())
	}
	return nil
}

func permitted(address netip.Addr, allow []netip.Prefix) bool {
	address = address.Unmap().WithZone("")
	if contains(allow, address) {
		return true
	}
	if address.Is6() && !publicIPv6.Contains(address) {
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

// checkRedirect limits the number of redirects and forbids a downgrade to HTTP. The dialer checks the new address.
func checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return errors.New("outgoing: too many redirects")
	}
	if via[len(via)-1].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return errors.New("outgoing: redirect from https to " + next.URL.Scheme)
	}
	return nil
}

// limited limits the size of response bodies. Reading past the limit fails with *http.MaxBytesError.
type limited struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = http.MaxBytesReader(nil, response.Body, maxBodyBytes)
	return response, nil
}
