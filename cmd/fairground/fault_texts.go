package main

import (
	"errors"
	"fmt"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/platform/validation"
)

// faultTexts explains faults to operators. Members read translations in the app.
var faultTexts = map[string]string{
	"blob.name":                     "invalid name for an uploaded file",
	"blob.unknown":                  "unknown uploaded file",
	"catalogue.game_exists":         "this merchant already has a game with that code: choose another code",
	"catalogue.malformed":           "the catalogue file is invalid",
	"catalogue.name_missing":        "a game needs a name in each language: vi, en, ur and pt",
	"catalogue.too_many_favourites": "the member has reached the maximum number of favourites",
	"catalogue.unknown_category":    "unknown category",
	"catalogue.unknown_game":        "unknown game",
	"catalogue.unknown_vendor":      "unknown vendor",
	"content.has_articles":          "a topic with articles cannot become an article: move its articles first",
	"content.malformed":             "the content file is invalid: run content show for an example",
	"content.unknown":               "unknown content: run content list to see what exists",
	"catalogue.missing":             "no such vendor or game",
	"content.taken":                 "another text has that name: choose another name",
	"content.missing":               "no such text",
	"content.picture":               "the picture is not a PNG or JPG of at most 5 MB",
	"setting.no_change":             "there is no change to undo",
	"vendor.missing":                "this merchant has no vendor with that id",
	"round.unknown":                 "no such round",
	"ledger.no_such_transfer":       "no such transfer",
	"deposit.method":                "this way to deposit is not available",
	"deposit.picture":               "the proof is not a picture",
	"limits.break":                  "the member is on a break",
	"deposit.amount":                "the amount is not valid for this deposit",
	"deposit.method_exists":         "this merchant already has a method with that code: choose another code",
	"deposit.method_malformed":      "the deposit method's data is invalid",
	"deposit.method_unknown":        "unknown method",
	"deposit.state":                 "the deposit is already decided",
	"deposit.unknown":               "this merchant has no deposit with that id: run cashier list",
	"flag.unknown":                  "unknown switch: run merchant show to list all switches",
	"gateway.exists":                "this merchant already has a gateway with that code: choose another code, or run gateway rotate for a new key",
	"gateway.malformed":             "the gateway's data is invalid",
	"gateway.unknown":               "this merchant has no gateway with that code: run gateway list",
	"ledger.account_mismatch":       "a transfer between these accounts is not possible: they differ in merchant, currency or kind",
	"ledger.adjust_amount":          "the amount must not be zero",
	"ledger.bad_cursor":             "invalid cursor: use the cursor of the previous page",
	"ledger.check_running":          "a check of the ledger is already running",
	"ledger.closed":                 "the server is shutting down: try again when it is running",
	"ledger.insufficient_funds":     "the member's balance is too low",
	"ledger.key_conflict":           "this key was already used for a different correction: use a new key",
	"ledger.malformed":              "the transfer is invalid",
	"ledger.not_reversible":         "holds, their settlements and reversals cannot be reversed",
	"ledger.overflow":               "the balance would exceed the maximum",
	"ledger.row_refused":            "the request conflicts with existing data",
	"ledger.settled":                "the transfer is already settled or reversed",
	"ledger.tombstone":              "this key was cancelled before it was used: use a new key",
	"ledger.unavailable":            "nothing was posted because the database is unavailable: try again with the same key",
	"ledger.unknown":                "it is unknown whether this was posted: run it again with the same key, which never posts twice",
	"ledger.unknown_account":        "unknown account",
	"ledger.unknown_transfer":       "unknown transfer",
	"lottery.bad_result":            "the result does not have the form of this draw",
	"lottery.bad_selection":         "the selection is invalid: docs/lottery.md has the entries of every play",
	"lottery.odds":                  "the odds are not positive, have more than three places, or return more than allowed",
	"lottery.stake":                 "the stake or its multiple is outside the limits",
	"lottery.too_many_lines":        "the selection has too many lines",
	"lottery.unknown_game":          "unknown lottery game: docs/lottery.md lists them",
	"lottery.unknown_numero":        "this game has no such numero",
	"lottery.unknown_play":          "this game has no such play",
	"member.nickname_format":        "invalid nickname: use 1 to 20 visible characters",
	"member.password_common":        "that password is too common: choose another",
	"member.password_format":        withLimits("the password does not match the merchant's rules: by default %d to %d characters with a letter and a digit", validation.StandardLimits().Password),
	"member.password_required":      "a password is required",
	"member.type_unknown":           "unknown member type: see --help",
	"member.unknown":                "this merchant has no member with that name",
	"limits.not_held":               "this member is not held: list held accounts with \"fairground member held\"",
	"member.username_format":        withLimits("the username does not match the merchant's rules: by default a letter followed by letters or digits, %d to %d characters", validation.StandardLimits().Username),
	"member.username_taken":         "a member with that name already exists",
	"merchant.bad_code":             "invalid merchant code: use a lower-case letter followed by 1 to 31 lower-case letters, digits, dashes or underscores",
	"merchant.unknown":              "unknown merchant: set its code with --merchant",
	"money.malformed":               "invalid amount: use digits, with at most as many decimals as the currency has",
	"money.overflow":                "the amount exceeds the maximum",
	"money.unknown_currency":        "unknown currency",
	"operator.name_format":          "invalid operator name: use a letter followed by 2 to 31 letters, digits, dots, dashes or underscores",
	"operator.name_taken":           "an operator with that name already exists: to replace a lost password, run operator password",
	"operator.last_owner":           "an installation needs an enabled owner: make another operator an owner first",
	"operator.role_unknown":         "unknown role: use owner, finance, risk, support, content, games, auditor, or a role that an owner defined",
	"ops.code":                      "the code is not valid",
	"ops.decided":                   "this change was already approved or refused",
	"ops.login":                     "the name or the password is not right",
	"ops.not_found":                 "not found",
	"ops.password_same":             "choose a password that differs from the current one and from the name",
	"ops.password_wrong":            "the current password is wrong",
	"ops.same_person":               "another person must approve this change",
	"ops.stale":                     "it was changed meanwhile: read it again, then repeat the change",
	"operator.unnamed":              "name the operator who makes this change with --operator or FAIRGROUND_OPERATOR",
	"operator.unknown":              "unknown operator",
	"setting.bad_value":             "invalid value for this setting",
	"setting.excludes_caller":       "these networks do not contain your own address",
	"setting.unknown":               "unknown setting: run merchant show to list all settings",
	"system.maintenance":            "the site is closed for maintenance",
	"system.restricted":             "the site is closed in that region",
	"validation.required":           "a value is required",
	"vendor.exists":                 "this merchant already has a vendor with that code: choose another code, or run vendor rotate for a new key",
	"vendor.game_unavailable":       "that game is currently unavailable",
	"vendor.maintenance":            "the vendor is under maintenance",
	"vendor.malformed":              "the vendor's data is invalid",
	"vendor.no_trial":               "that game does not support play money",
	"vendor.not_open":               "that game is not open yet",
	"vendor.period":                 "invalid or too long period",
	"vendor.round_over":             "that round has a win or is over: its stake cannot be refunded",
	"vendor.unknown":                "no such vendor, or it has no such key",
	"vendor.unknown_play":           "unknown play",
	"vendor.unknown_round":          "that member has no such round with this vendor: run vendor open-rounds to list open rounds",
	"system.unavailable":            "a part of the server is unavailable: try again",
}

func withLimits(format string, r validation.Range) string { return fmt.Sprintf(format, r.Min, r.Max) }

// explainFault returns the explanation and the code of the fault in err. It omits the wrapping errors, which describe
// only the command itself.
func explainFault(err error) (line string, ok bool) {
	var f *fault.Fault
	if !errors.As(err, &f) || f.Code == "" {
		return "", false
	}
	if text, ok := faultTexts[f.Code]; ok {
		return text + " (" + f.Code + ")" + details(f), true
	}
	return "rejected, " + strings.NewReplacer(".", " ", "_", " ").Replace(f.Code) + ": " + oneLine(err), true
}

// details returns the conflicting code, or the field and cause of invalid input.
func details(f *fault.Fault) string {
	if code := f.Args["code"]; f.Kind == fault.Conflict && code != "" {
		return ": " + code
	}
	if f.Kind != fault.Invalid {
		return ""
	}
	text := ""
	if f.Field != "" {
		text += ": " + f.Field
	}
	if entry, reason := f.Args["entry"], f.Args["reason"]; reason != "" {
		text += strings.TrimRight(": "+reason+" "+entry, " ")
	}
	if cause := f.Unwrap(); cause != nil {
		text += ": " + oneLine(cause)
	}
	return text
}
