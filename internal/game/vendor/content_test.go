package vendor

import (
	"strings"
	"testing"
)

// The test tries all combinations of present and missing fields, with values that resemble the values of other fields.
func TestContentsAreEncodedUniquely(t *testing.T) {
	t.Parallel()
	names := []string{"", "end", "end-1", "A", "1"}
	currencies := []string{"", "A12", "END"}
	rounds := []string{"", "end", "A", "A12", "1"}
	amounts := []string{"", "1", "12"}
	reasons := []string{"", "end", "A", "=1", "end =1", ":A", "A12 end :A", " end", "+end"}
	moves, rollbacks := map[string]request{}, map[string]request{}
	for _, game := range names {
		for _, currency := range currencies {
			for _, amount := range amounts {
				for _, reason := range reasons {
					for _, end := range []bool{false, true} {
						r := request{GameCode: game, Currency: currency, Reason: reason, EndRound: end, Amount: amount, unknownCurrency: amount != ""}
						checkUnique(t, moves, r.content(), r)
						for _, round := range rounds {
							r.RoundID = round
							checkUnique(t, rollbacks, r.rollbackContent(), r)
						}
					}
				}
			}
		}
	}
}

func checkUnique(t *testing.T, seen map[string]request, content string, r request) {
	t.Helper()
	if other, found := seen[content]; found {
		t.Errorf("%q encodes both %+v and %+v", content, other, r)
	}
	seen[content] = r
	if len(content) > 500 {
		t.Errorf("content has %d bytes, want at most 500", len(content))
	}
}

// The stored encoding must not change, or replays of older calls would become conflicts.
func TestContentEncodingIsStable(t *testing.T) {
	t.Parallel()
	r := request{GameCode: "G1", Currency: "VND", RoundID: "r1"}
	if got := r.content() + "|" + r.rollbackContent(); got != "G1 VND|G1 VND r1" {
		t.Errorf("got %q, want %q", got, "G1 VND|G1 VND r1")
	}
	if r.EndRound = true; !strings.HasSuffix(r.content(), "G1 VND end") {
		t.Errorf("content = %q, want it to end with G1 VND end", r.content())
	}
	if r = (request{}); r.content() != "" || r.rollbackContent() != "" {
		t.Errorf("contents = %q and %q, want none", r.content(), r.rollbackContent())
	}
}
