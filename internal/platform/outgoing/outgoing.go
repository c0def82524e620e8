// Package outgoing is the way from this server to others: an HTTP client that never reaches private addresses,
// whatever a name resolves to or a redirect says, unless the operator allows a network. It knows no service.
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

// ErrRefused is why a connection was not made: its address is not one of the public internet.
var ErrRefused = errors.New("outgoing: the address is not public")

const (
	timeout   = 10 * time.Second // for a whole call, its redirects included
	dialTime  = 5 * time.Second
	redirects = 3
	bodyLimit = 1 << 20
	headLimit = 64 << 10
)

// closed are addresses that a server on the public internet does not have: those of this machine, of private
// networks and carriers, of links and clouds' own services, of groups, and those kept for tunnels, examples and later.
var closed = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"168.63.129.16/32", // a cloud's own service at an address that looks public
	"2001::/23",        // tunnels and other protocols' own
	"2001:db8::/32", "2002::/16", "3fff::/20",
)

// global is the part of IPv6 that is given out for the public internet.
var global = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// New makes the client. allow names private networks that it may reach all the same.
func New(allow []netip.Prefix) *http.Client {
	dialer := &net.Dialer{
		Timeout: dialTime,
		// Here the name is resolved and the address is final: a check made earlier could be told another one.
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			return check(address, allow)
		},
	}
	return &http.Client{
		Timeout:       timeout,
		CheckRedirect: follow,
		Transport: limited{&http.Transport{
			DialContext:            dialer.DialContext,
			Proxy:                  nil, // one from the environment would do the connecting for us, unchecked
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

// permitted tells whether an address may be reached.
func permitted(address netip.Addr, allow []netip.Prefix) bool {
	address = address.Unmap().WithZone("")
	if contains(allow, address) {
		return true
	}
	if address.Is6() && !global.Contains(address) {
		return false
	}
	return address.IsValid() && !contains(closed, address)
}

func contains(nets []netip.Prefix, address netip.Addr) bool {
	for _, n := range nets {
		if n.Contains(address) {
			return true
		}
	}
	return false
}

// follow allows a few redirects, none from TLS to plain text. Where they lead is checked as it is connected to.
func follow(next *http.Request, via []*http.Request) error {
	if len(via) > redirects {
		return errors.New("outgoing: too many redirects")
	}
	if via[len(via)-1].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return errors.New("outgoing: redirected from https to " + next.URL.Scheme)
	}
	return nil
}

// limited bounds what an answer may weigh: reading past it is an *http.MaxBytesError.
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
