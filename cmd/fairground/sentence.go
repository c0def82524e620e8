package main

import (
	"errors"
	"fmt"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/platform/validation"
)

// sentences say to whoever runs a command what a fault means; players read theirs in the app, by the same code.
var sentences = map[string]string{
	"blob.name":                     "that name cannot stand for an uploaded file",
	"blob.unknown":                  "there is no such uploaded file",
	"catalogue.game_exists":         "a game of this merchant has that code already: give another",
	"catalogue.malformed":           "the catalogue is not as it should be",
	"catalogue.name_missing":        "a game has a name in each language: vi, en, ur and pt",
	"catalogue.too_many_favourites": "the member has as many favourites as there may be",
	"catalogue.unknown_category":    "there is no such category",
	"catalogue.unknown_game":        "there is no such game",
	"catalogue.unknown_vendor":      "there is no such vendor",
	"content.malformed":             "this does not fit: content show prints what does",
	"content.unknown":               "there is no such content: content list says what there is",
	"flag.unknown":                  "there is no such switch: merchant show lists them",
	"ledger.account_mismatch":       "these two accounts do not belong together: another merchant, another currency, or money on hold",
	"ledger.adjust_amount":          "the amount must not be zero",
	"ledger.bad_cursor":             "that is no place in the list",
	"ledger.closed":                 "the server is stopping: try again when it runs",
	"ledger.insufficient_funds":     "the member does not have that much",
	"ledger.key_conflict":           "this key was used before for something else: a new correction needs a new key",
	"ledger.malformed":              "the books do not take this",
	"ledger.not_reversible":         "holds, their settlements and reversals are not reversed",
	"ledger.overflow":               "the balance would be larger than can be counted",
	"ledger.row_refused":            "it contradicts what is in the database already",
	"ledger.settled":                "it was settled or reversed already",
	"ledger.tombstone":              "this key was taken back before it came: a new correction needs a new key",
	"ledger.unavailable":            "nothing was posted, the database does not take it just now: try again with the same key",
	"ledger.unknown":                "it is not known whether this was posted: run it again with the same key, which never posts twice",
	"ledger.unknown_account":        "there is no such account",
	"ledger.unknown_transfer":       "there is no such transfer",
	"member.nickname_format":        "a nickname is 1 to 20 characters that can all be seen",
	"member.password_common":        "that password is among those that are guessed first",
	"member.password_format":        lengths("that password does not fit the merchant's rules: %d to %d characters with a letter and a digit, unless set otherwise", validation.StandardLimits().Password),
	"member.password_required":      "a password is needed",
	"member.type_unknown":           "there is no such type of member: see --help",
	"member.unknown":                "this merchant has no member of that name",
	"member.username_format":        lengths("that username does not fit the merchant's rules: a letter, then letters or digits, %d to %d in all, unless set otherwise", validation.StandardLimits().Username),
	"member.username_taken":         "there is a member of that name already",
	"merchant.bad_code":             "a merchant's code is a lower-case letter, then 1 to 31 lower-case letters, digits, dashes or underscores",
	"merchant.unknown":              "there is no merchant with that code: name it with --merchant",
	"money.malformed":               "that is no amount of this currency: want digits, with a point before as many decimals as it has",
	"money.overflow":                "that is more than can be counted",
	"money.unknown_currency":        "that currency is not known here",
	"operator.name_format":          "an operator's name is a letter, then 2 to 31 letters, digits, dots, dashes or underscores",
	"operator.name_taken":           "there is an operator of that name already: see operator password for a lost password",
	"operator.unknown":              "there is no operator of that name",
	"setting.bad_value":             "that value does not fit the setting",
	"setting.unknown":               "there is no such setting: merchant show lists them",
	"system.maintenance":            "the site is closed for maintenance",
	"system.restricted":             "the site is closed to that region",
	"validation.required":           "a name is needed",
	"vendor.exists":                 "a vendor of this merchant has that code already: give another, or see vendor rotate for a new key",
	"vendor.game_unavailable":       "that game cannot be played now",
	"vendor.maintenance":            "the vendor works on its games just now",
	"vendor.malformed":              "the vendor is not as it should be",
	"vendor.no_trial":               "that game cannot be tried with play money",
	"vendor.not_open":               "that game is not open yet",
	"vendor.period":                 "that is no period, or one that is too long",
	"vendor.round_over":             "that round has a win or an end: its stake is not returned",
	"vendor.unknown":                "there is no such vendor with games of its own, or no such key of its",
	"vendor.unknown_play":           "there is no such play",
	"vendor.unknown_round":          "that member has no such round at this vendor: see vendor open-rounds",
	"system.unavailable":            "a part of the server is not available just now: try again",
}

// lengths fills the bounds of a length into a sentence.
func lengths(sentence string, r validation.Range) string { return fmt.Sprintf(sentence, r.Min, r.Max) }

// explainFault says what the fault in err means, and its code to search for. The rest of the error says where
// it came from, which whoever typed the command knows.
func explainFault(err error) (line string, ok bool) {
	var f *fault.Fault
	if !errors.As(err, &f) || f.Code == "" {
		return "", false
	}
	if said, ok := sentences[f.Code]; ok {
		return said + " (" + f.Code + ")" + which(f), true
	}
	return "refused, " + strings.NewReplacer(".", " ", "_", " ").Replace(f.Code) + ": " + oneLine(err), true
}

// which says what of it was wrong, where a fault that the caller can mend says so.
func which(f *fault.Fault) string {
	if code := f.Args["code"]; f.Kind == fault.Conflict && code != "" {
		return ": " + code
	}
	if f.Kind != fault.Invalid {
		return ""
	}
	said := ""
	if f.Field != "" {
		said += ": " + f.Field
	}
	if cause := f.Unwrap(); cause != nil {
		said += ": " + oneLine(cause)
	}
	return said
}
