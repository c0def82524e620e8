package message

import (
	"cmp"
	"strings"

	"fairground/internal/money"
)

// A Kind is the kind of a system message. The database contains these values.
type Kind string

// Kinds of system messages.
const (
	DepositCredited   Kind = "deposit.credited"
	WithdrawalPaid    Kind = "withdrawal.paid"
	WithdrawalRefused Kind = "withdrawal.refused"
	IdentityVerified  Kind = "identity.verified"
	IdentityRefused   Kind = "identity.refused"
	RewardGranted     Kind = "reward.granted"
	RewardExpiring    Kind = "reward.expiring"
	RewardPaid        Kind = "reward.paid"
	RewardEnded       Kind = "reward.ended"
	LimitRaised       Kind = "limit.raised"
	LoginNew          Kind = "login.new"
	ContractOffered   Kind = "contract.offered"
	FeedbackAnswered  Kind = "feedback.answered"
	LotteryReturned   Kind = "lottery.returned"
	Notice            Kind = "notice" // an operator's plain text
)

// operatorKind is the kind of operators' messages.
const operatorKind = "operator"

// A Topic is a group of messages that a member allows or forbids together. The database contains these values.
type Topic string

// The topics, in display order.
const (
	Money     Topic = "money"
	Security  Topic = "security"
	Account   Topic = "account"
	Reward    Topic = "reward"
	Promotion Topic = "promotion"
)

// Topics lists all topics.
var Topics = []Topic{Money, Security, Account, Reward, Promotion}

var topics = map[Kind]Topic{
	DepositCredited: Money, WithdrawalPaid: Money, WithdrawalRefused: Money, IdentityVerified: Account, IdentityRefused: Account,
	RewardGranted: Reward, RewardExpiring: Reward, RewardPaid: Reward, RewardEnded: Reward, LimitRaised: Account, LoginNew: Security,
	ContractOffered: Account, FeedbackAnswered: Account, LotteryReturned: Account, Notice: Account,
}

// links holds the path of the app's screen for each kind.
var links = map[Kind]string{
	DepositCredited: "/m/member/transactions", WithdrawalPaid: "/m/withdraw", WithdrawalRefused: "/m/withdraw", IdentityVerified: "/m/member/kyc",
	IdentityRefused: "/m/member/kyc", RewardGranted: "/m/rewardCenter", RewardExpiring: "/m/rewardCenter", RewardPaid: "/m/rewardCenter",
	RewardEnded: "/m/rewardCenter", LimitRaised: "/m/member/limits", LoginNew: "/m/member/security", ContractOffered: "/m/member/agent",
	FeedbackAnswered: "/m/member/feedback", LotteryReturned: "/m/member/transactions",
}

type titleAndText struct{ title, text string }

// systemText returns the title and text of a system message. Unknown languages fall back to Vietnamese. An argument with a language, such
// as "title.en", comes before the one without.
func systemText(k Kind, language string, args map[string]string) (title, text string) {
	texts, known := systemTexts[language]
	if !known {
		language, texts = "vi", systemTexts["vi"]
	}
	w := texts[k]
	amount, named := args["amount"], cmp.Or(args["title."+language], args["title"])
	if amount != "" {
		amount = showAmount(amount, args["currency"], language)
	}
	replacer := strings.NewReplacer("{amount}", amount, "{title}", named, "{reason}", args["reason"], "{address}", args["address"],
		"{device}", args["device"], "{from}", args["from"], "{text}", args["text"])
	text = replacer.Replace(w.text)
	if args["reason"] != "" {
		text += " " + replacer.Replace(reasonTexts[language])
	}
	return replacer.Replace(w.title), strings.TrimSpace(text)
}

const noBreakSpace = "\u00a0"

// Isolates keep an amount from left to right in a text from right to left.
const (
	leftToRightIsolate = "\u2066"
	popIsolate         = "\u2069"
)

// showAmount formats a plain decimal number with its currency, as the app shows amounts.
func showAmount(number, code, language string) string {
	digits := groupDigits(number, language)
	c, err := money.Find(code)
	switch {
	case err != nil: // a message from before its currency was removed
		digits = strings.TrimSpace(digits + noBreakSpace + code)
	case c.Position == money.Behind:
		digits += noBreakSpace + c.Symbol
	case language == "pt" || c.Symbol == "Rs":
		digits = c.Symbol + noBreakSpace + digits
	default:
		digits = c.Symbol + digits
	}
	if language == "ur" {
		return leftToRightIsolate + digits + popIsolate
	}
	return digits
}

// groupDigits formats a plain decimal number with the separators of a language.
func groupDigits(number, language string) string {
	group, point := ",", "."
	if language == "vi" || language == "pt" {
		group, point = point, group
	}
	integer, fraction, hasFraction := strings.Cut(number, ".")
	sign := ""
	if strings.HasPrefix(integer, "-") {
		sign, integer = "-", integer[1:]
	}
	var out strings.Builder
	for i, digit := range integer {
		if i > 0 && (len(integer)-i)%3 == 0 {
			out.WriteString(group)
		}
		out.WriteRune(digit)
	}
	if hasFraction {
		out.WriteString(point + fraction)
	}
	return sign + out.String()
}
