package validation

import (
	"net/mail"
	"strings"

	"fairground/internal/fault"
)

// ErrEmail reports a malformed e-mail address.
var ErrEmail = fault.New(fault.Invalid, "member.email_format")

const maxEmail = 254

// Email trims an e-mail address and checks that it is ASCII with a local part and a domain with a dot.
func Email(text string) (string, error) {
	text = Trim(text)
	if text == "" || len(text) > maxEmail {
		return "", ErrEmail
	}
	for _, c := range []byte(text) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),:;<>[\]`, c) >= 0 {
			return "", ErrEmail
		}
	}
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text {
		return "", ErrEmail
	}
	local, domain, _ := strings.Cut(text, "@")
	if len(local) > 64 || !isDomain(domain) {
		return "", ErrEmail
	}
	return text, nil
}

// isDomain reports whether name is a domain name of at least two labels.
func isDomain(name string) bool {
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range []byte(strings.ToLower(label)) {
			if c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
				return false
			}
		}
	}
	return len(labels) > 1
}
