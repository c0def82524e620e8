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
	// The content security policy allows images only from this site and the merchant's CDN.
	iconAddress = regexp.MustCompile(`^(?:/[A-Za-z0-9]|https://[A-Za-z0-9])[!-~]{0,255}$`)
)

// maxClasses is the number of classes that the filter sheet has room for.
const maxClasses = 32

func (v Vendor) check() error {
	for i, c := range v.Categories {
		if !slices.Contains(categories, c) {
			return ErrUnknownCategory.With("category", c).Because(fmt.Errorf("vendor %s: %s", v.Code, c))
		}
		if slices.Contains(v.Categories[:i], c) {
			return ErrMalformed.Because(fmt.Errorf("vendor %s: category %s occurs twice", v.Code, c))
		}
	}
	switch {
	case !vendorCode.MatchString(v.Code):
		return ErrMalformed.Because(fmt.Errorf("vendor %q: code must be 1 to 32 letters, digits, dashes or underscores", v.Code))
	case !readable(v.DisplayName):
		return ErrMalformed.Because(fmt.Errorf("vendor %s: displayName must be 1 to 64 printable characters", v.Code))
	case v.Icon != "" && !iconAddress.MatchString(v.Icon):
		return ErrMalformed.Because(fmt.Errorf("vendor %s: icon must be a path of this site or an address below system.cdn", v.Code))
	case !vendorCode.MatchString(v.AccountType):
		return ErrMalformed.Because(fmt.Errorf("vendor %s: accountTypeName must be 1 to 32 letters, digits, dashes or underscores", v.Code))
	}
	return nil
}

func (g Game) check() error {
	if !slices.Contains(categories, g.Category) {
		return ErrUnknownCategory.With("category", g.Category).Because(fmt.Errorf("game %s: %s", g.Code, g.Category))
	}
	for _, l := range languages {
		if g.Names[l] == "" {
			return ErrNameMissing.With("game", g.Code).With("language", l).Because(fmt.Errorf("game %s: %s", g.Code, l))
		}
	}
	malformed := func(what string) error { return ErrMalformed.Because(fmt.Errorf("game %s: %s", g.Code, what)) }
	if !gameCode.MatchString(g.Code) {
		return ErrMalformed.Because(fmt.Errorf("game %q: gameId must be 1 to 64 letters, digits, dots, dashes or underscores", g.Code))
	}
	for l, name := range g.Names {
		if !slices.Contains(languages, l) {
			return malformed("there is no language " + l)
		}
		if !readable(name) {
			return malformed("the name in " + l + " must be 1 to 64 printable characters")
		}
		if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			return malformed("the name in " + l + " has no letter or digit, so searches cannot find it")
		}
	}
	if len(g.Classes) > maxClasses {
		return malformed(fmt.Sprintf("it has more than %d classes", maxClasses))
	}
	for _, class := range g.Classes {
		if !className.MatchString(class) {
			return malformed("a class must be 1 to 32 letters, digits, dashes or underscores")
		}
	}
	switch {
	case !gameCode.MatchString(g.LaunchCode):
		return malformed("gameCode must be 1 to 64 letters, digits, dots, dashes or underscores")
	case !iconAddress.MatchString(g.Icon):
		return malformed("icon must be a path of this site or an address below system.cdn")
	case len(g.GroupID) > 64:
		return malformed("gameGroupId must be at most 64 characters")
	case !validLottoMode(g.LottoMode):
		return malformed("lottoMode must be empty, " + strings.Join(playTypes, ", ") + " or both separated by a comma")
	case g.MinBet < 0 || g.MinLines < 0 || g.HotRank < 0:
		return malformed("minBet, minLines and hotRank must not be negative")
	}
	return nil
}

// checkIcon rejects icons of other sites that are not below the merchant's system.cdn.
func (s *Service) checkIcon(ctx context.Context, merchantID int64, owner, icon string) error {
	if !strings.HasPrefix(icon, "https:") {
		return nil
	}
	ok := false
	if s.o.Images != nil {
		var err error
		if ok, err = s.o.Images.AllowsImage(ctx, merchantID, icon); err != nil {
			return err
		}
	}
	if !ok {
		return ErrMalformed.Because(fmt.Errorf("%s: icon is not below an address of system.cdn: add its folder there first", owner))
	}
	return nil
}

func validLottoMode(mode string) bool {
	if mode == "" {
		return true
	}
	types := strings.Split(mode, ",")
	for i, t := range types {
		if !slices.Contains(playTypes, t) || slices.Contains(types[:i], t) {
			return false
		}
	}
	return true
}

func readable(name string) bool {
	if !utf8.ValidString(name) || strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > 64 {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		// Urdu needs the two joiners. Other invisible characters can disguise a name.
		return !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d'
	})
}
