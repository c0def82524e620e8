package validation

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Limits are the bounds that a merchant may move.
type Limits struct {
	Username, Password, Feedback Range
	Email                        int // the greatest length
}

// Range is the least and the greatest length.
type Range struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// CodeDigits is how many digits a merchant may give the codes that are sent to numbers and addresses.
var CodeDigits = Range{6, 8}

// LongestPassword is the longest password that a login takes.
const LongestPassword = 64

// StandardLimits are the bounds until a merchant says otherwise.
func StandardLimits() Limits {
	return Limits{Username: Range{6, 16}, Password: Range{8, LongestPassword}, Feedback: Range{10, 140}, Email: emailLongest}
}

// unseen are characters that show nothing or turn the reading direction: a name must not hide what it is. They stand
// in patterns as themselves, for Go and JavaScript write them differently.
const unseen = "\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\ufffd"

const (
	nameSigns = "^[A-Za-z][A-Za-z0-9]*$"
	visible   = "^[^" + unseen + "]*$"
	blankless = "^[^ \u00a0\u3000](?:.*[^ \u00a0\u3000])?$"
	mailChars = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-]+"
	mailLabel = "[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?"
	mailForm  = "^" + mailChars + "(?:\\." + mailChars + ")*@(?:" + mailLabel + "\\.)+" + mailLabel + "$"
	mailLocal = "^[^@]{1,64}@"
)

var usernameSigns = regexp.MustCompile(nameSigns)

// UsernameSigns tells whether an account could have this name, of whatever length: it may be older than today's bounds.
func UsernameSigns(name string) bool { return usernameSigns.MatchString(name) }

// FoldUsername gives the form under which a username is stored, looked up and counted, whatever case was typed.
func FoldUsername(username string) string { return strings.ToLower(username) }

// Standard is the rules of every field of the product's forms.
func Standard(l Limits) Set {
	password := []Rule{
		{Required: true, Message: "member.password_required"},
		{Min: l.Password.Min, Max: l.Password.Max, Message: "member.password_format"},
		{Pattern: "[A-Za-z]", Message: "member.password_format"},
		{Pattern: "[0-9]", Message: "member.password_format"},
		{Pattern: "^[^\u0000-\u001f\u007f\ufffd]*$", Message: "member.password_format"},
		{ServerOnly: true, Message: "member.password_common"},
	}
	held := []Rule{ // one that is in use: it may be older than today's rules
		{Required: true, Message: "member.password_required"},
		{Max: LongestPassword, Message: "member.password_format"},
	}
	mobile := []Rule{
		required(),
		{Trim: true, Max: 20, Message: "member.mobile_format"},
		{Trim: true, Pattern: "^[0-9]+$", Message: "member.mobile_format"},
	}
	email := func(longest int) []Rule {
		return []Rule{
			required(),
			{Trim: true, Max: longest, Message: ErrEmail.Code},
			{Trim: true, Pattern: mailLocal, Message: ErrEmail.Code},
			{Trim: true, Type: Mail, Pattern: mailForm, Message: ErrEmail.Code},
		}
	}
	return Set{
		"loginUsername":    {required(), {Trim: true, Max: 64, Message: ErrMax.Code}},
		"loginPassword":    held,
		"loginMobileNum":   mobile,
		"loginEmail":       email(emailLongest), // one that is somebody's may be older than today's bound
		"verificationCode": {required(), {Trim: true, Max: 10, Pattern: "^[0-9]+$", Message: "verification.incorrect"}},
		"captcha": {
			{Trim: true, Required: true, Message: "captcha.required"},
			{Trim: true, Max: 6, Pattern: "^[0-9]+$", Message: "captcha.incorrect"},
		},
		"username": {
			required(),
			{Trim: true, Min: l.Username.Min, Max: l.Username.Max, Message: "member.username_format"},
			{Trim: true, Pattern: nameSigns, Message: "member.username_format"},
		},
		"password":        password,
		"confirmPassword": confirm("password"),
		"newPassword":     append(password, Rule{Differs: "oldPassword", Message: "member.password_same"}),
		"oldPassword":     held,

		"confirmNewPassword": confirm("newPassword"),
		"email":              email(l.Email),
		"mobileNum":          mobile,
		"paymentPassword": {
			required(),
			{Pattern: "^[0-9]{6}$", Message: "member.payment_password_format"},
			{Pattern: step(0), Message: "member.payment_password_format"},  // not 000000
			{Pattern: step(1), Message: "member.payment_password_format"},  // not 123456
			{Pattern: step(-1), Message: "member.payment_password_format"}, // not 654321
		},

		"confirmPaymentPassword": confirm("paymentPassword"),
		"nickname": {
			required(),
			{Max: 20, Message: "member.nickname_format"},
			{Pattern: visible, Message: "member.nickname_format"},
			{Pattern: blankless, Message: "member.nickname_format"},
		},
		"securityAnswer": {
			required(),
			{Min: 2, Max: 64, Message: ErrRange.Code},
			{Pattern: visible, Message: ErrPattern.Code},
		},
		"feedback": {
			required(),
			{Min: l.Feedback.Min, Max: l.Feedback.Max, Message: ErrRange.Code},
		},
		"affiliateCode": codeLike("member.affiliate_unknown"),
		"recommenderId": codeLike("member.affiliate_unknown"),
		"payeeName": {
			required(),
			{Min: 2, Max: 50, Message: "member.payee_format"},
			{Pattern: "^[A-Za-z]+(?: [A-Za-z]+)*$", Message: "member.payee_format"},
		},
		"idNumber": {required(), {Pattern: "^[A-Za-z0-9]{5,20}$", Message: "member.id_number_format"}},
		"qqNum":    contact("^[1-9][0-9]{4,11}$"),
		"facebook": contact("^[A-Za-z0-9.]{5,50}$"),
		"wechat":   contact("^[A-Za-z][A-Za-z0-9_\\-]{5,19}$"),
		"line":     contact("^[A-Za-z0-9._\\-]{4,20}$"),
		"whatsapp": contact("^[0-9]{6,20}$"),
		"zalo":     contact("^[0-9]{6,20}$"),
	}
}

// WithCode adds to a set that a code has so many digits, for a form to say before one is sent. The server judges a code by
// what was sent: it may be from before the merchant changed that.
func WithCode(set Set, digits int) Set {
	served := maps.Clone(set)
	served["verificationCode"] = append(slices.Clone(set["verificationCode"]), Rule{Trim: true, Min: digits, Message: "verification.incorrect"})
	return served
}

func required() Rule { return Rule{Trim: true, Required: true, Message: ErrRequired.Code} }

func confirm(field string) []Rule {
	return []Rule{
		{Required: true, Message: "member.password_required"},
		{Equal: field, Message: "member.password_confirm"},
	}
}

func codeLike(message string) []Rule {
	return []Rule{required(), {Trim: true, Max: 32, Pattern: "^[A-Za-z0-9]+$", Message: message}}
}

func contact(pattern string) []Rule {
	return []Rule{required(), {Trim: true, Pattern: pattern, Message: "member.contact_format"}}
}

// step is a pattern that fits digits unless each is by so much more than the one before: those are guessed first. Go knows
// no pattern for what must not be, so it is one for two neighbours that break the row.
func step(by int) string {
	var pairs []string
	for digit := range 10 {
		others := ""
		for next := range 10 {
			if next != digit+by {
				others += strconv.Itoa(next)
			}
		}
		pairs = append(pairs, strconv.Itoa(digit)+"["+others+"]")
	}
	return strings.Join(pairs, "|")
}
