package draw_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"fairground/internal/fault"
	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/chain"
	"fairground/internal/game/lottery/draw"
)

const salt = "00112233445566778899aabbccddeeff"

func seedOf(name string) fairness.Seed { return sha256.Sum256([]byte(name)) }

// The test computes the draws without the packages fairness and draw, and compares.
func TestPP17DrawsFromTheSeed(t *testing.T) {
	t.Parallel()
	for link := range int64(200) {
		seed := seedOf(fmt.Sprint("link ", link))
		for _, form := range []draw.Form{draw.SSC, draw.K3, draw.PK10, draw.Keno} {
			var words []uint32
			block := 0
			below := func(n int) int {
				for {
					if len(words) == 0 {
						mac := hmac.New(sha256.New, seed[:])
						fmt.Fprintf(mac, "%s-%s-1:%d:%d", salt, form, link, block)
						block++
						for sum := mac.Sum(nil); len(sum) > 0; sum = sum[4:] {
							words = append(words, binary.BigEndian.Uint32(sum))
						}
					}
					word := uint64(words[0])
					words = words[1:]
					if word < 1<<32/uint64(n)*uint64(n) {
						return int(word % uint64(n))
					}
				}
			}
			shuffle := func(n, first int) (texts []string) {
				numbers := make([]int, n)
				for i := range numbers {
					numbers[i] = i + 1
				}
				for i := n - 1; i > 0; i-- {
					j := below(i + 1)
					numbers[i], numbers[j] = numbers[j], numbers[i]
				}
				for _, number := range numbers[:first] {
					texts = append(texts, fmt.Sprintf("%02d", number))
				}
				return texts
			}
			var want []string
			switch form {
			case draw.SSC:
				for range 5 {
					want = append(want, fmt.Sprint(below(10)))
				}
			case draw.K3:
				for range 3 {
					want = append(want, fmt.Sprint(1+below(6)))
				}
			case draw.PK10:
				want = shuffle(10, 10)
			default:
				want = shuffle(80, 20)
				slices.Sort(want)
			}
			r := draw.FromSeed(form, seed, salt, string(form)+"-1", link)
			if got := r.WinNo(); got != strings.Join(want, ",") {
				t.Fatalf("%s link %d: %s, want %s", form, link, got, strings.Join(want, ","))
			}
			again, err := draw.Parse(form, r.Text())
			if err != nil || again.Text() != r.Text() || !slices.Equal(again.Numbers, r.Numbers) {
				t.Fatalf("Parse(%s) = %v, %v", r.Text(), again, err)
			}
		}
	}
}

// Every number is drawn as often as expected, within 4.5 standard deviations. The seeds are links of a chain.
func TestPP16PartDrawsAreUniform(t *testing.T) {
	t.Parallel()
	c, err := chain.New(seedOf("uniform"), 4000)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range draw.Forms() {
		counts := map[string]int{}
		for k := 1; k <= c.Length(); k++ {
			seed, err := c.Seed(k)
			if err != nil {
				t.Fatal(err)
			}
			r := draw.FromSeed(form, seed, salt, "test", int64(k))
			for i, n := range r.Numbers {
				if form == draw.Keno {
					i = 0
				}
				counts[fmt.Sprint(i, ":", n)]++
			}
			if form.Regional() {
				counts["0:"+r.Special()[:1]]++
			}
		}
		chance := map[draw.Form]float64{draw.SSC: .1, draw.K3: 1. / 6, draw.PK10: .1, draw.Keno: .25, draw.North: .1, draw.South: .1}[form]
		size := map[draw.Form]int{draw.SSC: 50, draw.K3: 18, draw.PK10: 100, draw.Keno: 80, draw.North: 10, draw.South: 10}[form]
		if len(counts) != size {
			t.Errorf("%s: %d different numbers, want %d", form, len(counts), size)
		}
		mean := chance * float64(c.Length())
		for key, n := range counts {
			if difference := float64(n) - mean; difference*difference > 4.5*4.5*mean*(1-chance) {
				t.Errorf("%s %s: %d times, want about %.0f", form, key, n, mean)
			}
		}
	}
}

func TestRegionalPrizes(t *testing.T) {
	t.Parallel()
	for form, want := range map[draw.Form][3]int{draw.North: {27, 23, 20}, draw.South: {18, 17, 16}} {
		if got := [3]int{form.CountWithDigits(2), form.CountWithDigits(3), form.CountWithDigits(4)}; got != want {
			t.Errorf("%s: %v prizes with 2, 3 and 4 digits, want %v", form, got, want)
		}
	}
}

func reasonOf(err error) string {
	var f *fault.Fault
	if !errors.As(err, &f) || !errors.Is(err, draw.ErrResult) {
		return fmt.Sprint(err)
	}
	return f.Args["reason"] + " " + f.Field
}

func TestEnteredResultsAreChecked(t *testing.T) {
	t.Parallel()
	for _, form := range []draw.Form{draw.North, draw.South} {
		good := draw.FromSeed(form, seedOf("entered"), salt, "test", 1)
		if r, err := draw.Check(form, good.ByCode(), false); err != nil || r.Text() != good.Text() {
			t.Fatalf("%s: %v, %v, want %v", form, r, err, good)
		}
		for _, tt := range []struct {
			name   string
			change func(map[string][]string)
			want   string
		}{
			{"no special prize", func(p map[string][]string) { delete(p, "DB") }, "count DB"},
			{"short special prize", func(p map[string][]string) { p["DB"][0] = p["DB"][0][1:] }, "digits DB"},
			{"a letter", func(p map[string][]string) { p["G1"][0] = "1234x" }, "digits G1"},
			{"Arabic digits", func(p map[string][]string) { p["G1"][0] = "٠١" }, "digits G1"},
			{"a space", func(p map[string][]string) { p["G7"][0] = " " + p["G7"][0][1:] }, "digits G7"},
			{"one too few", func(p map[string][]string) { p["G3"] = p["G3"][1:] }, "count G3"},
			{"one too many", func(p map[string][]string) { p["G4"] = append(p["G4"], p["G4"][0]) }, "count G4"},
			{"an unknown prize", func(p map[string][]string) { p["G9"] = []string{"12"} }, "unknown G9"},
			{"a number twice", func(p map[string][]string) { p["G4"][1] = p["G4"][0] }, "repeated G4"},
		} {
			entered := good.ByCode()
			tt.change(entered)
			if _, err := draw.Check(form, entered, false); reasonOf(err) != tt.want {
				t.Errorf("%s, %s: %s, want %s", form, tt.name, reasonOf(err), tt.want)
			}
		}
		twice := good.ByCode()
		twice["G4"][1] = twice["G4"][0]
		if _, err := draw.Check(form, twice, true); err != nil {
			t.Errorf("%s: a repeated number that is allowed: %v", form, err)
		}
		other := map[draw.Form]draw.Form{draw.North: draw.South, draw.South: draw.North}[form]
		if _, err := draw.Check(other, good.ByCode(), false); !errors.Is(err, draw.ErrResult) {
			t.Errorf("%s accepts a result of %s", other, form)
		}
		if !maps.EqualFunc(good.ByCode(), draw.FromSeed(form, seedOf("entered"), salt, "test", 1).ByCode(), slices.Equal) {
			t.Errorf("%s: a check changed the result", form)
		}
		text, err := json.Marshal(map[string]any{"prizes": good.ByCode()})
		if err != nil {
			t.Fatal(err)
		}
		for _, notation := range []string{good.Text(), strings.ReplaceAll(good.Text(), ";", "\n"), string(text), strings.TrimSuffix(strings.TrimPrefix(string(text), `{"prizes":`), "}")} {
			if r, err := draw.Parse(form, notation); err != nil || r.Text() != good.Text() {
				t.Errorf("Parse(%s) = %v, %v", notation, r, err)
			}
		}
		for text, want := range map[string]string{
			"":                        "count DB",
			"DB":                      "form DB",
			"DB=12345;DB=12345":       "twice DB",
			"{":                       "form ",
			`{"DB":["1"],"DB":[]}`:    "twice DB",
			`{"DB":5}`:                "form ",
			strings.Repeat("x", 5000): "form ",
		} {
			if _, err := draw.Parse(form, text); reasonOf(err) != want {
				t.Errorf("Parse(%q): %s, want %s", text, reasonOf(err), want)
			}
		}
	}
}

func TestParseRefusesWrongNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		form       draw.Form
		text, want string
	}{
		{draw.SSC, "1,2,3,4", "count "}, {draw.SSC, "1,2,3,4,x", "digits x"}, {draw.SSC, "1,2,3,4,10", "digits 10"}, {draw.SSC, "", "count "},
		{draw.K3, "0,1,2", "range 0"}, {draw.K3, "7,1,2", "range 7"},
		{draw.PK10, "01,02,03,04,05,06,07,08,09,09", "repeated 09"}, {draw.PK10, "1,02,03,04,05,06,07,08,09,10", "digits 1"}, {draw.PK10, "11,02,03,04,05,06,07,08,09,10", "range 11"},
		{draw.Keno, "00,01,02,03,04,05,06,07,08,09,10,11,12,13,14,15,16,17,18,19", "range 00"},
		{draw.Form("x"), "1", "form x"},
	} {
		if _, err := draw.Parse(tt.form, tt.text); reasonOf(err) != tt.want {
			t.Errorf("%s %q: %s, want %s", tt.form, tt.text, reasonOf(err), tt.want)
		}
	}
}

func TestClientSeedPanicsOnABadSalt(t *testing.T) {
	t.Parallel()
	for _, bad := range [][2]string{{"", "k3-1"}, {strings.ToUpper(salt), "k3-1"}, {salt, ""}, {salt, "k3:1"}, {salt, strings.Repeat("x", 32)}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("salt %q, game %q: no panic", bad[0], bad[1])
				}
			}()
			draw.ClientSeed(bad[0], bad[1])
		}()
	}
	if !draw.GoodSalt(salt) || draw.GoodSalt(salt+"0") {
		t.Error("GoodSalt is wrong")
	}
}

// Formatting and parsing a valid result again does not change it.
func FuzzParse(f *testing.F) {
	for _, form := range draw.Forms() {
		f.Add(draw.FromSeed(form, seedOf("fuzz"), salt, "test", 1).Text())
	}
	f.Add(`{"prizes":{"DB":["12345"]}}`)
	f.Add(`{"DB":["1"]}{`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range draw.Forms() {
			r, err := draw.Parse(form, text)
			if err != nil {
				if !errors.Is(err, draw.ErrResult) {
					t.Fatalf("Parse(%s) = %v, want ErrResult", form, err)
				}
				continue
			}
			again, err := draw.Parse(form, r.Text())
			if err != nil || again.Text() != r.Text() {
				t.Fatalf("%s: %s and then %s, %v", form, r.Text(), again.Text(), err)
			}
		}
	})
}
