package catalogue

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"pgregory.net/rapid"
)

// golang.org/x/text/collate is the reference for all four languages.
func TestDemoNamesSortAsInADictionary(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../demo/data/games.json")
	if err != nil {
		t.Fatal(err)
	}
	var games []struct {
		Names map[string]string `json:"names"`
	}
	if err := json.Unmarshal(data, &games); err != nil {
		t.Fatal(err)
	}
	for _, tag := range languages {
		t.Run(tag, func(t *testing.T) {
			t.Parallel()
			reference := collate.New(language.Make(tag))
			var names []string
			for _, g := range games {
				names = append(names, g.Names[tag])
			}
			want := slices.SortedStableFunc(slices.Values(names), reference.CompareString)
			c := collationOf(tag)
			got := slices.SortedStableFunc(slices.Values(names), func(a, b string) int { return cmp.Compare(c.key(a), c.key(b)) })
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("name %d = %q, want %q", i, got[i], want[i])
				}
			}
		})
	}
}

func TestWordsSortAsInADictionary(t *testing.T) {
	t.Parallel()
	letters := map[string]string{
		"vi": "aàảãáạăằẳẵắặâầẩẫấậbcdđeèẻẽéẹêềểễếệghiìỉĩíịoòỏõóọôồổỗốộơờởỡớợuùủũúụưừửữứựvxyỳỷỹýỵAĐÊƠ 019-",
		"en": "abcdđexyzABXYZ 019-",
		"pt": "aáàâãbcçdeéêghiíoóôõuúzAÁÇÕ 019-",
		"ur": urduAlphabet + "ئؤھھھھھ 019",
	}
	for _, tag := range languages {
		t.Run(tag, func(t *testing.T) {
			t.Parallel()
			reference, c := collate.New(language.Make(tag)), collationOf(tag)
			word := rapid.StringOfN(rapid.SampledFrom([]rune(letters[tag])), 1, 6, -1)
			rapid.Check(t, func(t *rapid.T) {
				a, b := word.Draw(t, "a"), word.Draw(t, "b")
				if got, want := cmp.Compare(c.key(a), c.key(b)), reference.CompareString(a, b); got != want {
					t.Fatalf("compare %q with %q = %d, want %d", a, b, got, want)
				}
			})
		})
	}
}
