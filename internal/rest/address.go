package rest

import (
	"net/http"
	"net/netip"
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
