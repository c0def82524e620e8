package catalogue

import (
	"encoding/binary"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// dictionary tells where a name stands in a dictionary of one language. The tables of every language on earth, which a
// library for this brings along, would be a fiftieth of the binary: lists are in four.
type dictionary struct {
	letters map[rune]byte // marks that make another letter of the one below them, in their order
	tones   map[rune]byte // marks that only decide between names that are else the same
}

// stroke is what makes đ of d. Alone among these letters it does not come apart by itself.
const stroke = '\u0335'

var struck = strings.NewReplacer("đ", "d\u0335", "Đ", "D\u0335")

// Vietnamese has ă, â, đ, ê, ô, ơ and ư as letters of their own, and its tones in an order of their own.
var vietnamese = dictionary{
	letters: map[rune]byte{stroke: 1, '\u0306': 1, '\u0302': 2, '\u031b': 3},
	tones:   map[rune]byte{'\u0300': 1, '\u0309': 2, '\u0303': 3, '\u0301': 4, '\u0323': 5},
}

// The others have such letters in Urdu alone: آ, and the aspirated ones, which are written as two.
var western = dictionary{
	letters: map[rune]byte{'\u0653': 1, aspirate: 1},
	tones:   map[rune]byte{'\u0301': 1, '\u0300': 2, '\u0306': 3, '\u0302': 4, '\u030a': 5, '\u0308': 6, '\u0303': 7, '\u0327': 8, stroke: 9, '\u0654': 10},
}

func dictionaryOf(tag string) dictionary {
	if tag == "vi" {
		return vietnamese
	}
	return western
}

// alphabet is that of Urdu: code points have it in another order, the letters that Arabic lacks at its end.
const alphabet = "اآبپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھءیے"

// aspirate makes another letter of the one before it, of these.
const (
	aspirate  = 'ھ'
	aspirated = "بپتٹجچدڈرڑکگلمنںوی"
)

var urduPlace = func() map[rune]int32 {
	places := map[rune]int32{}
	for _, r := range alphabet {
		places[r] = int32(len(places))
	}
	// As other keyboards write them.
	places['ي'], places['ى'], places['ك'], places['ه'], places['ة'] = places['ی'], places['ی'], places['ک'], places['ہ'], places['ہ']
	return places
}()

// What stands before what: signs, digits, Latin letters, Urdu ones, those of other scripts.
const (
	signs = iota << 24
	digits
	latin
	arabic
	others
)

// place is where a letter or a sign stands among all; capitals stand with the small ones.
func place(r rune) uint32 {
	at, isUrdu := urduPlace[r]
	switch {
	case isUrdu:
		return arabic | uint32(at)<<4
	case unicode.IsDigit(r):
		return digits | uint32(r)<<4
	case r <= unicode.MaxLatin1 && unicode.IsLetter(r):
		return latin | uint32(r)<<4
	case unicode.IsLetter(r):
		return others | uint32(r)<<2
	default:
		return signs | uint32(r)&0xfffff<<4
	}
}

// key is such that names in the order of their keys' bytes are in the dictionary's: first by letters, then by tones, then
// small before capital.
func (d dictionary) key(name string) string {
	var letters, tones, cases []byte
	var before rune
	for _, r := range norm.NFD.String(struck.Replace(name)) {
		if tone := d.tones[r]; tone > 0 {
			tones = append(tones, tone+1)
			continue
		}
		mark := d.letters[r]
		if mark > 0 && len(letters) > 0 && (r != aspirate || strings.ContainsRune(aspirated, before)) {
			letters[len(letters)-1] |= mark
			continue
		}
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		small := unicode.ToLower(r)
		before = small
		letters = binary.BigEndian.AppendUint32(letters, place(small)+1<<28)
		tones = append(tones, 1)
		if small == r {
			cases = append(cases, 1)
		} else {
			cases = append(cases, 2)
		}
	}
	return string(letters) + "\x00" + string(tones) + "\x00" + string(cases)
}
