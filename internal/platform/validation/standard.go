package validation

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Limits contains the limits that a merchant can configure.
type Limits struct {
	Username, Password, Feedback Range
	Email                        int // maximum length
}

// A Range is a minimum and a maximum length.
type Range struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// CodeDigits limits the number of digits of a verification code.
var CodeDigits = Range{6, 8}

// MaxPassword is the maximum length of a password.
const MaxPassword = 64

// StandardLimits returns the default limits.
func StandardLimits() Limits {
	return Limits{Username: Range{6, 16}, Password: Range{8, MaxPassword}, Feedback: Range{10, 140}, Email: maxEmail}
}

// invisible lists characters that are invisible or change the text direction, which could disguise a name. They appear
// literally in patterns, because Go and JavaScript escape them differently.
const invisible = "\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\ufffd"

const (
	usernamePattern = "^[A-Za-z][A-Za-z0-9]*$"
	visiblePattern  = "^[^" + invisible + "]*$"
	noOuterSpaces   = "^[^ \u00a0\u3000](?:.*[^ \u00a0\u3000])?$"
	mailChars       = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-]+"
	mailLabel       = "[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?"
	mailPattern     = "^" + mailChars + "(?:\\." + mailChars + ")*@(?:" + mailLabel + "\\.)+" + mailLabel + "$"
	mailLocal       = "^[^@]{1,64}@"
)

var usernameRegexp = regexp.MustCompile(usernamePattern)

// ValidUsernameCharacters reports whether a username has only valid characters. It ignores the length, because the limits
// may have changed since an account was created.
func ValidUsernameCharacters(name string) bool { return usernameRegexp.MatchString(name) }

// FoldUsername returns the canonical, lowercase form of a username.
func FoldUsername(username string) string { return strings.ToLower(username) }

// Standard returns the rules for all fields.
func Standard(l Limits) Set {
	password := []Rule{
		{Required: true, Message: "member.password_required"},
		{Min: l.Password.Min, Max: l.Password.Max, Message: "member.password_format"},
		{Pattern: "[A-Za-z]", Message: "member.password_format"},
		{Pattern: "[0-9]", Message: "member.password_format"},
		{Pattern: "^[^\u0000-\u001f\u007f\ufffd]*$", Message: "member.password_format"},
		{ServerOnly: true, Message: "member.password_common"},
	}
	currentPassword := []Rule{ // the password may be older than the limits for new passwords
		{Required: true, Message: "member.password_required"},
		{Max: MaxPassword, Message: "member.password_format"},
	}
	mobile := []Rule{
		required(),
		{Trim: true, Max: 20, Message: "member.mobile_format"},
		{Trim: true, Pattern: "^[0-9]+$", Message: "member.mobile_format"},
	}
	email := func(maxLength int) []Rule {
		return []Rule{
			required(),
			{Trim: true, Max: maxLength, Message: ErrEmail.Code},
			{Trim: true, Pattern: mailLocal, Message: ErrEmail.Code},
			{Trim: true, Type: Mail, Pattern: mailPattern, Message: ErrEmail.Code},
		}
	}
	return Set{
		"loginUsername":    {required(), {Trim: true, Max: 64, Message: ErrMax.Code}},
		"loginPassword":    currentPassword,
		"loginMobileNum":   mobile,
		"loginEmail":       email(maxEmail), // the address may be older than the merchant's limit
		"verificationCode": {required(), {Trim: true, Max: 10, Pattern: "^[0-9]+$", Message: "verification.incorrect"}},
		"captcha": {
			{Trim: true, Required: true, Message: "captcha.required"},
			{Trim: true, Max: 6, Pattern: "^[0-9]+$", Message: "captcha.incorrect"},
		},
		"username": {
			required(),
			{Trim: true, Min: l.Username.Min, Max: l.Username.Max, Message: "member.username_format"},
			{Trim: true, Pattern: usernamePattern, Message: "member.username_format"},
		},
		"password":        password,
		"confirmPassword": confirm("password"),
		"newPassword":     append(password, Rule{Differs: "oldPassword", Message: "member.password_same"}),
		"oldPassword":     currentPassword,

		"confirmNewPassword": confirm("newPassword"),
		"email":              email(l.Email),
		"mobileNum":          mobile,
		"paymentPassword": {
			required(),
			{Pattern: "^[0-9]{6}$", Message: "member.payment_password_format"},
			{Pattern: notSequence(0), Message: "member.payment_password_format"},  // not 000000
			{Pattern: notSequence(1), Message: "member.payment_password_format"},  // not 123456
			{Pattern: notSequence(-1), Message: "member.payment_password_format"}, // not 654321
		},

		"confirmPaymentPassword": confirm("paymentPassword"),
		"nickname": {
			required(),
			{Max: 20, Message: "member.nickname_format"},
			{Pattern: visiblePattern, Message: "member.nickname_format"},
			{Pattern: noOuterSpaces, Message: "member.nickname_format"},
		},
		"securityAnswer": {
			required(),
			{Min: 2, Max: 64, Message: ErrRange.Code},
			{Pattern: visiblePattern, Message: ErrPattern.Code},
		},
		"feedback": {
			required(),
			{Min: l.Feedback.Min, Max: l.Feedback.Max, Message: ErrRange.Code},
		},
		"affiliateCode": invitationCode("member.affiliate_unknown"),
		"recommenderId": invitationCode("member.affiliate_unknown"),
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

// WithCode returns a copy of set for the app, in which a verification code needs at least the given number of digits. The
// server does not check this, because a code may be older than a change of the setting.
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

func invitationCode(message string) []Rule {
	return []Rule{required(), {Trim: true, Max: 32, Pattern: "^[A-Za-z0-9]+$", Message: message}}
}

func contact(pattern string) []Rule {
	return []Rule{required(), {Trim: true, Pattern: pattern, Message: "member.contact_format"}}
}

// notSequence returns a pattern that rejects a sequence of digits in which each digit is the previous one plus step. Go has
// no negative lookahead, so the pattern matches two adjacent digits that break the sequence.
func notSequence(step int) string {
	var pairs []string
	for digit := range 10 {
		others := ""
		for next := range 10 {
			if next != digit+step {
				others += strconv.Itoa(next)
			}
		}
		pairs = append(pairs, strconv.Itoa(digit)+"["+others+"]")
	}
	return strings.Join(pairs, "|")
}
