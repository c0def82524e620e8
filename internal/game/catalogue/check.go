package catalogue

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	vendorCode = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)
	gameCode   = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	className  = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)
	// A picture comes from the site itself or from the merchant's CDN: the app's page allows no other.
	iconPlace = regexp.MustCompile(`^(?:/[A-Za-z0-9]|https://[A-Za-z0-9])[!-~]{0,255}$`)
)

// classesMost is how many classes one game can have: a sheet shows them all.
const classesMost = 32

// check refuses a vendor that lists could not show.
func (v Vendor) check() error {
	for i, c := range v.Categories {
		if !slices.Contains(categories, c) {
			return ErrUnknownCategory.With("category", c).Because(fmt.Errorf("vendor %s: %s", v.Code, c))
		}
		if slices.Contains(v.Categories[:i], c) {
			return ErrMalformed.Because(fmt.Errorf("vendor %s: its category %s stands twice", v.Code, c))
		}
	}
	switch {
	case !vendorCode.MatchString(v.Code):
		return ErrMalformed.Because(fmt.Errorf("vendor %q: its code is 1 to 32 letters, digits, dashes or underscores", v.Code))
	case !readable(v.DisplayName):
		return ErrMalformed.Because(fmt.Errorf("vendor %s: its displayName is 1 to 64 characters that can all be seen", v.Code))
	case v.Icon != "" && !iconPlace.MatchString(v.Icon):
		return ErrMalformed.Because(fmt.Errorf("vendor %s: its icon is a path of the site, or an address at system.cdn", v.Code))
	case !vendorCode.MatchString(v.AccountType):
		return ErrMalformed.Because(fmt.Errorf("vendor %s: its accountTypeName is 1 to 32 letters, digits, dashes or underscores", v.Code))
	}
	return nil
}

// check refuses a game that lists could not show or members not find.
func (g Game) check() error {
	if !slices.Contains(categories, g.Category) {
		return ErrUnknownCategory.With("category", g.Category).Because(fmt.Errorf("game %s: %s", g.Code, g.Category))
	}
	for _, l := range languages {
		if g.Names[l] == "" {
			return ErrNameMissing.With("game", g.Code).With("language", l).Because(fmt.Errorf("game %s: %s", g.Code, l))
		}
	}
	wrong := func(what string) error { return ErrMalformed.Because(fmt.Errorf("game %s: %s", g.Code, what)) }
	if !gameCode.MatchString(g.Code) {
		return ErrMalformed.Because(fmt.Errorf("game %q: its gameId is 1 to 64 letters, digits, dots, dashes or underscores", g.Code))
	}
	for l, name := range g.Names {
		if !slices.Contains(languages, l) {
			return wrong("there is no language " + l)
		}
		if !readable(name) {
			return wrong("its name in " + l + " is 1 to 64 characters that can all be seen")
		}
		if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			return wrong("its name in " + l + " has no letter or digit, and no search would find it")
		}
	}
	if len(g.Classes) > classesMost {
		return wrong(fmt.Sprintf("it has more than %d classes", classesMost))
	}
	for _, class := range g.Classes {
		if !className.MatchString(class) {
			return wrong("a class is 1 to 32 letters, digits, dashes or underscores")
		}
	}
	switch {
	case !gameCode.MatchString(g.LaunchCode):
		return wrong("its gameCode is 1 to 64 letters, digits, dots, dashes or underscores")
	case !iconPlace.MatchString(g.Icon):
		return wrong("its icon is a path of the site, or an address at system.cdn")
	case len(g.GroupID) > 64:
		return wrong("its gameGroupId is at most 64 characters")
	case !played(g.LottoMode):
		return wrong("its lottoMode is empty, or " + strings.Join(playTypes, " and ") + " with a comma between, each once")
	case g.MinBet < 0 || g.MinLines < 0 || g.HotRank < 0:
		return wrong("minBet, minLines and hotRank are not below zero")
	}
	return nil
}

// shown refuses a picture from where the app's page lets none be shown.
func (s *Service) shown(ctx context.Context, merchantID int64, whose, icon string) error {
	if !strings.HasPrefix(icon, "https:") {
		return nil
	}
	ok := false
	if s.o.Pictures != nil {
		var err error
		if ok, err = s.o.Pictures.Shows(ctx, merchantID, icon); err != nil {
			return err
		}
	}
	if !ok {
		return ErrMalformed.Because(fmt.Errorf("%s: its icon is not at an address of system.cdn", whose))
	}
	return nil
}

// played tells whether a lottery's ways of playing are ways that there are.
func played(mode string) bool {
	if mode == "" {
		return true
	}
	ways := strings.Split(mode, ",")
	for i, w := range ways {
		if !slices.Contains(playTypes, w) || slices.Contains(ways[:i], w) {
			return false
		}
	}
	return true
}

// readable tells names that a list can show.
func readable(name string) bool {
	if !utf8.ValidString(name) || strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > 64 {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		// The joiners are part of how Urdu is written; other unseen signs only deceive.
		return !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d'
	})
}
