package server_test

import (
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
	"fairground/internal/site/merchant/merchanttest"
)

// The overview shows the gross gaming revenue, which is stakes less wins, by vendor and game, and the number of members who played.
func TestOverviewShowsRevenueByVendorAndGame(t *testing.T) {
	t.Parallel()
	b := newBonusSite(t, dbtest.SQLite(t), 10_000)
	ended := map[string]any{"endRound": true}
	for _, r := range []vendorReply{
		b.sendVendorCall(t, "bet", "b1", "r1", 600, nil), b.sendVendorCall(t, "win", "w1", "r1", 100, ended),
		b.sendVendorCall(t, "bet", "b2", "r2", 300, nil), b.sendVendorCall(t, "win", "w2", "r2", 450, ended),
		b.sendVendorCall(t, "bet", "b3", "r3", 9_000, nil), // not finished
	} {
		if r.Code != "OK" {
			t.Fatalf("vendor's call: %+v, want OK", r)
		}
	}
	owner := b.Operator(t, "anh", permission.Owner)
	if err := b.Server.Figures.Sum(t.Context()); err != nil {
		t.Fatal(err)
	}
	type share struct {
		Vendor, Game           string
		Rounds, Stakes, Result int64
	}
	type overview struct {
		Players        int64
		Vendors, Games []share
		Series         []struct{ Result, Players int64 }
	}
	got := merchanttest.Value[overview](t, owner("GET", "/ops/v1/figures", nil))
	if len(got.Vendors) != 1 || got.Vendors[0] != (share{Vendor: "TEST", Rounds: 2, Stakes: 900, Result: 350}) {
		t.Errorf("vendors = %+v, want 2 rounds of TEST with stakes 900 and result 350", got.Vendors)
	}
	if len(got.Games) != 1 || got.Games[0] != (share{"TEST", "G1", 2, 900, 350}) {
		t.Errorf("games = %+v, want 2 rounds of G1 with stakes 900 and result 350", got.Games)
	}
	if last := got.Series[len(got.Series)-1]; got.Players != 1 || last.Players != 1 || last.Result != 350 {
		t.Errorf("today: %d members played, series ends with %+v, want 1 member and result 350", got.Players, last)
	}
}
