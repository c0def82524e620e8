package fairness_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"fairground/internal/game/fairness"
)

func TestPP17WorkedExampleInDocs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/fairness.md")
	if err != nil {
		t.Fatal(err)
	}
	seed := seedOf("fairground vector 1")
	words, draws := fairness.NewStream(seed, "fairground", 1), fairness.NewStream(seed, "fairground", 1)
	lines := []string{
		"seed         " + seed.Hex(),
		"commitment   " + seed.Commitment(),
		"client seed  fairground",
		"nonce        1",
	}
	var block []byte
	var list, stops []string
	for range 8 {
		w := words.Word()
		block = append(block, byte(w>>24), byte(w>>16), byte(w>>8), byte(w))
		list = append(list, fmt.Sprint(w))
	}
	for range 5 {
		stops = append(stops, fmt.Sprint(draws.Int(48)))
	}
	lines = append(lines, "block 0      "+hex.EncodeToString(block), "words        "+strings.Join(list, " "), "below 48     "+strings.Join(stops, " "))
	if want := strings.Join(lines, "\n"); !strings.Contains(string(text), want) {
		t.Errorf("docs/fairness.md does not contain the expected example:\n%s", want)
	}
}
