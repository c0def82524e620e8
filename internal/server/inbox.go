package server

import (
	"net/mail"
	"strings"

	"fairground/internal/finance/limits"
)

// inboxOf returns the inbox, or a nil interface if there is none because only the OpenAPI document is generated.
func inboxOf(s *Server) limits.Inbox {
	if s.Inbox == nil {
		return nil
	}
	return s.Inbox
}

// pushContact returns the contact that this server sends to push services: an e-mail address without a name, or an https URL. Some push
// services refuse other contacts.
func (o Options) pushContact() string {
	if from, err := mail.ParseAddress(o.Providers.MailFrom); err == nil {
		return from.Address
	}
	if strings.HasPrefix(o.SiteOrigin, "https:") {
		return o.SiteOrigin
	}
	return "push@fairground.invalid"
}
