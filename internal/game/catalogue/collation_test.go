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

// The library that knows every language is the judge of our four.
func TestNamesStandAsInADictionary(t *testing.T) {
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
			judge := collate.New(language.Make(tag))
			var names []string
			for _, g := range games {
				names = append(names, g.Names[tag])
			}
			want := slices.SortedStableFunc(slices.Values(names), judge.CompareString)
			book := dictionaryOf(tag)
			got := slices.SortedStableFunc(slices.Values(names), func(a, b string) int { return cmp.Compare(book.key(a), book.key(b)) })
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("at %d: %q, want %q", i, got[i], want[i])
				}
			}
		})
	}
}

func TestWordsStandAsInADictionary(t *testing.T) {
	t.Parallel()
	letters := map[string]string{
		"vi": "aàảãáạăằẳẵắặâầẩẫấậbcdđeèẻẽéẹêềểễếệghiìỉĩíịoòỏõóọôồổỗốộơờởỡớợuùủũúụưừửữứựvxyỳỷỹýỵAĐÊƠ 019-",
		"en": "abcdđexyzABXYZ 019-",
		"pt": "aáàâãbcçdeéêghiíoóôõuúzAÁÇÕ 019-",
		"ur": alphabet + "ئؤھھھھھ 019",
	}
	for _, tag := range languages {
		t.Run(tag, func(t *testing.T) {
			t.Parallel()
			judge, book := collate.New(language.Make(tag)), dictionaryOf(tag)
			word := rapid.StringOfN(rapid.SampledFrom([]rune(letters[tag])), 1, 6, -1)
			rapid.Check(t, func(t *rapid.T) {
				a, b := word.Draw(t, "a"), word.Draw(t, "b")
				if got, want := cmp.Compare(book.key(a), book.key(b)), judge.CompareString(a, b); got != want {
					t.Fatalf("%q and %q: %d, want %d", a, b, got, want)
				}
			})
		})
	}
}
