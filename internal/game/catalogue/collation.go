package catalogue

import (
	"encoding/binary"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A collation is the dictionary order of a language. golang.org/x/text/collate would add two percent to the binary
// for the four languages of the lists.
type collation struct {
	letters map[rune]byte // marks that turn a letter into a different letter, with their rank
	tones   map[rune]byte // marks that only order names with the same letters
}

// stroke turns d into đ, which has no Unicode decomposition.
const stroke = '\u0335'

var decomposeStroke = strings.NewReplacer("đ", "d\u0335", "Đ", "D\u0335")

// In Vietnamese ă, â, đ, ê, ô, ơ and ư are separate letters.
var vietnamese = collation{
	letters: map[rune]byte{stroke: 1, '\u0306': 1, '\u0302': 2, '\u031b': 3},
	tones:   map[rune]byte{'\u0300': 1, '\u0309': 2, '\u0303': 3, '\u0301': 4, '\u0323': 5},
}

// Of the other languages, only Urdu has such letters: آ, and the aspirated letters, which are written as two characters.
var defaultCollation = collation{
	letters: map[rune]byte{'\u0653': 1, aspirate: 1},
	tones:   map[rune]byte{'\u0301': 1, '\u0300': 2, '\u0306': 3, '\u0302': 4, '\u030a': 5, '\u0308': 6, '\u0303': 7, '\u0327': 8, stroke: 9, '\u0654': 10},
}

func collationOf(tag string) collation {
	if tag == "vi" {
		return vietnamese
	}
	return defaultCollation
}

// urduAlphabet lists the Urdu letters in dictionary order, which differs from code point order.
const urduAlphabet = "اآبپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھءیے"

// aspirate turns a preceding letter of aspirated into a different letter.
const (
	aspirate  = 'ھ'
	aspirated = "بپتٹجچدڈرڑکگلمنںوی"
)

var urduRanks = func() map[rune]int32 {
	ranks := map[rune]int32{}
	for _, r := range urduAlphabet {
		ranks[r] = int32(len(ranks))
	}
	// Variants that Arabic keyboards produce.
	ranks['ي'], ranks['ى'], ranks['ك'], ranks['ه'], ranks['ة'] = ranks['ی'], ranks['ی'], ranks['ک'], ranks['ہ'], ranks['ہ']
	return ranks
}()

// Groups of characters, in dictionary order.
const (
	symbols = iota << 24
	digits
	latin
	arabic
	others
)

func rank(r rune) uint32 {
	urdu, isUrdu := urduRanks[r]
	switch {
	case isUrdu:
		return arabic | uint32(urdu)<<4
	case unicode.IsDigit(r):
		return digits | uint32(r)<<4
	case r <= unicode.MaxLatin1 && unicode.IsLetter(r):
		return latin | uint32(r)<<4
	case unicode.IsLetter(r):
		return others | uint32(r)<<2
	default:
		return symbols | uint32(r)&0xfffff<<4
	}
}

// key returns a sort key: comparing keys as bytes orders names by letters, then by tones, then lower case first.
func (c collation) key(name string) string {
	var letters, tones, cases []byte
	var previous rune
	for _, r := range norm.NFD.String(decomposeStroke.Replace(name)) {
		if tone := c.tones[r]; tone > 0 {
			tones = append(tones, tone+1)
			continue
		}
		mark := c.letters[r]
		if mark > 0 && len(letters) > 0 && (r != aspirate || strings.ContainsRune(aspirated, previous)) {
			letters[len(letters)-1] |= mark
			continue
		}
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		lower := unicode.ToLower(r)
		previous = lower
		letters = binary.BigEndian.AppendUint32(letters, rank(lower)+1<<28)
		tones = append(tones, 1)
		if lower == r {
			cases = append(cases, 1)
		} else {
			cases = append(cases, 2)
		}
	}
	return string(letters) + "\x00" + string(tones) + "\x00" + string(cases)
}
