package server

import "fairground/internal/finance/limits"

// inboxOf returns the inbox, or a nil interface if there is none because only the OpenAPI document is generated.
func inboxOf(s *Server) limits.Inbox {
	if s.Inbox == nil {
		return nil
	}
	return s.Inbox
}

// pushContact returns the contact address that this server sends to push services.
func (o Options) pushContact() string {
	if o.Providers.MailFrom != "" {
		return o.Providers.MailFrom
	}
	if o.SiteOrigin != "" {
		return o.SiteOrigin
	}
	return "push@fairground.invalid"
}
