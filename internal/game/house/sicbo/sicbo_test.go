package sicbo

import (
	"math/big"
	"testing"
)

func TestSettle(t *testing.T) {
	t.Parallel()
	g := New()
	for dice, want := range map[[3]int]map[string]int64{
		{4, 3, 2}: {"small": 2000, "big": 0, "odd": 2000, "even": 0, "total9": 8000, "total10": 0, "single2": 2000, "single1": 0, "pair23": 7000, "pair34": 7000, "pair12": 0, "double4": 0},
		{6, 6, 5}: {"small": 0, "big": 2000, "double6": 11_000, "single6": 3000, "single5": 2000, "pair56": 7000, "total17": 61_000, "triple6": 0, "anyTriple": 0},
		{2, 2, 2}: {"small": 0, "even": 0, "total6": 19_000, "anyTriple": 31_000, "triple2": 181_000, "triple3": 0, "double2": 11_000, "single2": 4000, "pair12": 0},
		{5, 5, 5}: {"big": 0, "odd": 0, "total15": 19_000, "triple5": 181_000},
	} {
		for id, pays := range want {
			if got, err := g.Settle(Result{dice}, id, 1000); err != nil || int64(got) != pays {
				t.Errorf("%v: %s pays %d, %v, want %d", dice, id, got, err, pays)
			}
		}
	}
	for _, id := range []string{"total3", "total18", "single7", "pair11", "nowhere", ""} {
		if _, err := g.Settle(Result{[3]int{1, 1, 1}}, id, 1000); err == nil {
			t.Errorf("Settle accepts the unknown spot %q", id)
		}
	}
}

// Of 216 throws.
func TestExactReturns(t *testing.T) {
	t.Parallel()
	all := New().Returns()
	for id, of216 := range map[string]int64{
		"small": 210, "big": 210, "odd": 210, "even": 210, "anyTriple": 6 * 31, "total4": 3 * 61, "total5": 6 * 31, "total6": 10 * 19, "total7": 15 * 13,
		"total8": 21 * 9, "total9": 25 * 8, "total10": 27 * 7, "total11": 27 * 7, "total12": 25 * 8, "total13": 21 * 9, "total14": 15 * 13, "total15": 10 * 19,
		"total16": 6 * 31, "total17": 3 * 61, "double1": 16 * 11, "triple1": 181, "pair12": 30 * 7, "single1": 75*2 + 15*3 + 4,
	} {
		if got, want := all[id], big.NewRat(of216, 216); got == nil || got.Cmp(want) != 0 {
			t.Errorf("return of %s = %s, want %s", id, got, want)
		}
	}
	for id, share := range all { // published as 81.4 to 97.2 per cent
		if share.Cmp(big.NewRat(814, 1000)) < 0 || share.Cmp(big.NewRat(9723, 10_000)) > 0 {
			t.Errorf("return of %s = %s, want 0.814 to 0.9723", id, share.FloatString(4))
		}
	}
}
