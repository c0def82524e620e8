package server

import "fairground/internal/finance/limits"

// inboxOf returns a nil interface, not an interface with a nil service, where only the document is made.
func inboxOf(s *Server) limits.Inbox {
	if s.Inbox == nil {
		return nil
	}
	return s.Inbox
}

// pushContact returns whom push services may contact about this server.
func (o Options) pushContact() string {
	if o.Providers.MailFrom != "" {
		return o.Providers.MailFrom
	}
	if o.SiteOrigin != "" {
		return o.SiteOrigin
	}
	return "push@fairground.invalid"
}
