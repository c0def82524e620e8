package rest

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
)

// clientOf finds who is really calling and whether over TLS. Forwarded headers count only when the
// connection comes from a configured proxy; of a chain, the last address that is no such proxy is the client.
// Where that cannot be read the client is unknown: it must not pass for the proxy, which may be this machine.
func (a *API) clientOf(r *http.Request) (address netip.Addr, secure bool) {
	address = peerOf(r)
	secure = r.TLS != nil || a.options.TLS
	if len(a.options.Proxies) == 0 || !a.trusted(address) {
		return address, secure
	}
	if r.Header.Get("X-Forwarded-Proto") == "https" {
		secure = true
	}
	forwarded := r.Header.Values("X-Forwarded-For")
	if len(forwarded) == 0 {
		return address, secure
	}
	chain := strings.Split(strings.Join(forwarded, ","), ",")
	for i := len(chain) - 1; i >= 0; i-- {
		address = hopOf(chain[i])
		if !a.trusted(address) {
			break // what stands left of a stranger, or of a malformed hop, proves nothing
		}
	}
	return address, secure
}

// hopOf reads one address of a chain, which some proxies write with a port. None when it is malformed.
func hopOf(text string) netip.Addr {
	text = strings.TrimSpace(text)
	hop, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		with, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}
		}
		hop = with.Addr()
	}
	return hop.Unmap().WithZone("")
}

func (a *API) fromProxy(r *http.Request) bool { return a.trusted(peerOf(r)) }

func (a *API) trusted(address netip.Addr) bool { return within(address, a.options.Proxies) }

func within(address netip.Addr, nets []netip.Prefix) bool {
	for _, n := range nets {
		if n.Contains(address) {
			return true
		}
	}
	return false
}

// peerOf is the other end of the connection. A unix socket has none.
func peerOf(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().Unmap().WithZone("")
}

// Network is what limits count by: the address itself, or the /64 that one IPv6 client commands.
func Network(address netip.Addr) netip.Addr {
	address = address.Unmap()
	if !address.Is6() {
		return address
	}
	p, err := address.Prefix(64)
	if err != nil {
		return address
	}
	return p.Addr()
}

// hostForm is that of a name or an address that a browser could have reached the site by, with its port.
var hostForm = regexp.MustCompile(`^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$`)

// SiteOf gives the origin at which browsers see the site: the configured one. Without one it is the host that the
// request itself names, where that is this very machine or where anyHost says that whoever asks may name any: the answer
// is for that request alone, and nobody may keep it for others.
func SiteOf(r *http.Request, anyHost bool) (origin string, ok bool) {
	x := exchangeOf(r.Context())
	if x == nil {
		return "", false
	}
	if own := x.api.options.Origins; len(own) > 0 {
		return own[0], true
	}
	scheme := "http://"
	if x.secure {
		scheme = "https://"
	}
	return scheme + r.Host, hostForm.MatchString(r.Host) && (anyHost || loopbackHost(r.Host))
}

// OnThisMachine tells whether somebody at this machine made a request, by a browser or a program, to a server that is
// for this machine alone. A proxy or a tunnel on it, and a page of others in a browser on it, call from here as well.
func OnThisMachine(ctx context.Context) bool {
	x := exchangeOf(ctx)
	if x == nil || !x.address.IsLoopback() || !peerOf(x.request).IsLoopback() || len(x.api.options.Origins) > 0 {
		return false
	}
	for name := range x.request.Header {
		if strings.HasPrefix(name, "X-Forwarded-") || name == "Forwarded" || name == "X-Real-Ip" || name == "Via" {
			return false
		}
	}
	switch first(x.request.Header, "Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return loopbackHost(x.request.Host)
	default:
		return false
	}
}

// loopbackHost tells whether a request named this machine. Any other name may be somebody's who lets it lead here.
func loopbackHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	return host == "localhost" || err == nil && address.IsLoopback()
}
