package vendor

import (
	"strings"
	"testing"
)

// Every way to say or not to say each field, with words that look like other fields' words: no two may have the same content.
func TestNoTwoContentsAreWrittenAlike(t *testing.T) {
	t.Parallel()
	names := []string{"", "end", "end-1", "A", "1"}
	currencies := []string{"", "A12", "END"}
	rounds := []string{"", "end", "A", "A12", "1"}
	amounts := []string{"", "1", "12"}
	reasons := []string{"", "end", "A", "=1", "end =1", ":A", "A12 end :A", " end", "+end"}
	moves, backs := map[string]request{}, map[string]request{}
	for _, game := range names {
		for _, currency := range currencies {
			for _, amount := range amounts {
				for _, reason := range reasons {
					for _, end := range []bool{false, true} {
						r := request{GameCode: game, Currency: currency, Reason: reason, EndRound: end, Amount: amount, unknown: amount != ""}
						only(t, moves, r.content(), r)
						for _, round := range rounds {
							r.RoundID = round
							only(t, backs, r.rollbackContent(), r)
						}
					}
				}
			}
		}
	}
}

func only(t *testing.T, had map[string]request, content string, r request) {
	t.Helper()
	if other, twice := had[content]; twice {
		t.Errorf("%q is %+v and %+v", content, other, r)
	}
	had[content] = r
	if len(content) > 500 {
		t.Errorf("%d bytes", len(content))
	}
}

// What is usual is written as it always was: a call from before is still known when it is repeated.
func TestUsualContentsStayAsTheyWere(t *testing.T) {
	t.Parallel()
	r := request{GameCode: "G1", Currency: "VND", RoundID: "r1"}
	if got := r.content() + "|" + r.rollbackContent(); got != "G1 VND|G1 VND r1" {
		t.Error(got)
	}
	if r.EndRound = true; !strings.HasSuffix(r.content(), "G1 VND end") {
		t.Error(r.content())
	}
	if r = (request{}); r.content() != "" || r.rollbackContent() != "" {
		t.Error(r.content(), r.rollbackContent())
	}
}
