package validation

import (
	"net/mail"
	"strings"

	"fairground/internal/fault"
)

// ErrEmail refuses what is no e-mail address.
var ErrEmail = fault.New(fault.Invalid, "member.email_format")

const emailLongest = 254

// Email checks an address as mail servers take it: plain ASCII, a local part and a domain with a dot, nothing around
// it. Surrounding spaces are dropped; nothing else is changed.
func Email(text string) (string, error) {
	text = Trim(text)
	if text == "" || len(text) > emailLongest {
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
	if len(local) > 64 || !host(domain) {
		return "", ErrEmail
	}
	return text, nil
}

// host tells a domain name of at least two labels.
func host(name string) bool {
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
