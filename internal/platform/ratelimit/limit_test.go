package ratelimit

import (
	"net/netip"
	"testing"
	"time"
)

func TestIPv6Block(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2001:db8:1:2:3::4": "2001:db8:1::/48", "2001:db8:1:ffff::": "2001:db8:1::/48", "fe80::1%eth0": "fe80::/48",
		"203.0.113.5": "", "::ffff:203.0.113.5": "",
	} {
		block, ok := IPv6Block(netip.MustParseAddr(in))
		if ok != (want != "") || ok && block.String() != want {
			t.Errorf("IPv6Block(%s) = %s, %v, want %q", in, block, ok, want)
		}
	}
	if _, ok := IPv6Block(netip.Addr{}); ok {
		t.Error("the zero address has a block")
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	if got := (Limit{Burst: 5, Every: time.Minute}).Times(2); got != (Limit{Burst: 10, Every: 30 * time.Second}) {
		t.Errorf("Times(2) = %+v, want 10 per 30s", got)
	}
}
