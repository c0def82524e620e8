package rest

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
)

// clientOf returns the client's address and whether the client uses TLS. It reads forwarded headers only from trusted
// proxies. The client is the last address in the chain that is not a trusted proxy. If that entry is malformed, the address
// is invalid. It must not default to the proxy's address, which may be loopback.
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
		address = parseHop(chain[i])
		if !a.trusted(address) {
			break // an untrusted or malformed hop may have forged the entries before it
		}
	}
	return address, secure
}

// parseHop parses one entry of X-Forwarded-For, with or without a port. It returns an invalid address if the entry is
// malformed.
func parseHop(text string) netip.Addr {
	text = strings.TrimSpace(text)
	hop, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		addrPort, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}
		}
		hop = addrPort.Addr()
	}
	return hop.Unmap().WithZone("")
}

func (a *API) fromProxy(r *http.Request) bool { return a.trusted(peerOf(r)) }

func (a *API) trusted(address netip.Addr) bool { return inNetworks(address, a.options.Proxies) }

func inNetworks(address netip.Addr, networks []netip.Prefix) bool {
	for _, n := range networks {
		if n.Contains(address) {
			return true
		}
	}
	return false
}

// peerOf returns the address of the connection's peer. It is invalid for a Unix socket.
func peerOf(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().Unmap().WithZone("")
}

// Network returns the address that rate limits use as a key: an IPv4 address, or the /64 network of an IPv6 address.
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

// validHost matches a host name or IP address with an optional port.
var validHost = regexp.MustCompile(`^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$`)

// SiteOrigin returns the configured origin of the site. If none is configured, it returns the origin of the request's Host
// header, and ok is true only for a loopback host or if anyHost is true. Do not cache that origin, because the client chose
// it.
func SiteOrigin(r *http.Request, anyHost bool) (origin string, ok bool) {
	x := exchangeOf(r.Context())
	if x == nil {
		return "", false
	}
	if configured := x.api.options.Origins; len(configured) > 0 {
		return configured[0], true
	}
	scheme := "http://"
	if x.secure {
		scheme = "https://"
	}
	return scheme + r.Host, validHost.MatchString(r.Host) && (anyHost || loopbackHost(r.Host))
}

// IsLocal reports whether a program or browser on this machine sent the request directly. It excludes requests through a
// proxy or tunnel on this machine, and requests that other web sites make from a browser on it.
func IsLocal(ctx context.Context) bool {
	x := exchangeOf(ctx)
	if x == nil || !isLocal(x.request) || len(x.api.options.Origins) > 0 {
		return false
	}
	switch first(x.request.Header, "Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	default:
		return false
	}
}

// loopbackHost reports whether a Host header names this machine. Any other name could be a DNS rebinding attack.
func loopbackHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	return host == "localhost" || err == nil && address.IsLoopback()
}

// isLocal reports whether the peer is on this machine and no proxy or tunnel forwarded the request. The host check prevents
// DNS rebinding from a browser on this machine.
func isLocal(r *http.Request) bool {
	return peerOf(r).IsLoopback() && !isForwarded(r) && loopbackHost(r.Host)
}

// isForwarded reports whether a proxy or tunnel forwarded the request. Any proxy on this machine would make all clients
// look local.
func isForwarded(r *http.Request) bool {
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Forwarded-") || name == "Forwarded" || name == "X-Real-Ip" || name == "Via" {
			return true
		}
	}
	return false
}

// HasMetricsToken reports whether the request has the operator's token for metrics.
func HasMetricsToken(ctx context.Context) bool {
	x := exchangeOf(ctx)
	return x != nil && x.api.hasMetricsToken(x.request)
}

func (a *API) hasMetricsToken(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	// Compare digests, which have the same length, so that the duration of the comparison reveals nothing.
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(a.options.MetricsToken))
	return a.options.MetricsToken != "" && strings.EqualFold(scheme, "Bearer") && hmac.Equal(got[:], want[:])
}
