package stats_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/stats"
)

func find(t *testing.T, form draw.Form, code string) *play.Play {
	t.Helper()
	p, err := play.Find(form, code)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func results(t *testing.T, form draw.Form, texts ...string) []draw.Result {
	t.Helper()
	var list []draw.Result
	for _, text := range texts {
		r, err := draw.Parse(form, text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

func countOf(t *testing.T, counts []stats.Count, key string) stats.Count {
	t.Helper()
	for _, c := range counts {
		if c.Key == key {
			return c
		}
	}
	t.Fatalf("no count of %q", key)
	return stats.Count{}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	k3 := results(t, draw.K3, "1,1,2", "3,4,5", "6,6,6", "1,2,3", "2,2,2") // newest first
	ssc := results(t, draw.SSC, "1,2,3,4,5", "1,0,0,0,0", "9,2,3,4,5")
	for _, tt := range []struct {
		form    draw.Form
		results []draw.Result
		play    string
		want    stats.Count
	}{
		{draw.K3, k3, "side", stats.Count{Key: "small", Times: 2, Draws: 2, Omission: 0, Longest: 2}},
		{draw.K3, k3, "side", stats.Count{Key: "big", Times: 1, Draws: 1, Omission: 1, Longest: 3}},
		{draw.K3, k3, "sum", stats.Count{Key: "sum-6", Times: 2, Draws: 2, Omission: 3, Longest: 3}},
		{draw.K3, k3, "sum", stats.Count{Key: "sum-3", Times: 0, Draws: 0, Omission: 5, Longest: 5}},
		{draw.K3, k3, "two", stats.Count{Key: "1", Times: 3, Draws: 2, Omission: 0, Longest: 2}},
		{draw.K3, k3, "two", stats.Count{Key: "6", Times: 3, Draws: 1, Omission: 2, Longest: 2}},
		{draw.SSC, ssc, "pos", stats.Count{Key: "1:1", Times: 2, Draws: 2, Omission: 0, Longest: 1}},
		{draw.SSC, ssc, "pos", stats.Count{Key: "2:2", Times: 2, Draws: 2, Omission: 0, Longest: 1}},
		{draw.SSC, ssc, "group6", stats.Count{Key: "0", Times: 3, Draws: 1, Omission: 1, Longest: 1}},
		{draw.SSC, ssc, "shape", stats.Count{Key: "first:straight", Times: 1, Draws: 1, Omission: 0, Longest: 2}},
	} {
		if got := countOf(t, stats.Of(find(t, tt.form, tt.play), tt.results), tt.want.Key); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.play, got, tt.want)
		}
	}
}

// Every play has counts. For plays that count each prize once, the counts add up to the number of prizes.
func TestEveryPlayHasCounts(t *testing.T) {
	t.Parallel()
	for _, form := range draw.Forms() {
		var list []draw.Result
		for k := range int64(30) {
			list = append(list, draw.FromSeed(form, sha256.Sum256([]byte(fmt.Sprint("stats ", k))), strings.Repeat("a", 32), "test", k+1))
		}
		for _, p := range play.All(form) {
			counts := stats.Of(p, list)
			total := 0
			for _, c := range counts {
				total += c.Times
				if c.Omission > len(list) || c.Longest < c.Omission || c.Draws > c.Times || c.Draws > len(list) {
					t.Errorf("%s %s: count = %+v, want numbers that fit %d draws", form, p.Code, c, len(list))
				}
			}
			if len(counts) == 0 {
				t.Errorf("%s %s: no counts", form, p.Code)
			}
			want := map[string]int{"lo2": form.CountWithDigits(2), "lo3": form.CountWithDigits(3), "lo4": form.CountWithDigits(4), "de": 1, "dau": 1, "cang3": 1, "odd-even": 1, "sum": 1, "pick3": 20, "top2": 2, "top2-sum": 1}[p.Code]
			if want > 0 && total != want*len(list) {
				t.Errorf("%s %s: %d in all, want %d", form, p.Code, total, want*len(list))
			}
		}
	}
}

func TestCountsWithoutDraws(t *testing.T) {
	t.Parallel()
	if empty := stats.Of(find(t, draw.Keno, "pick1"), nil); len(empty) != 80 || empty[0].Omission != 0 {
		t.Errorf("counts without draws: %+v, want 80 of zero", empty)
	}
}
