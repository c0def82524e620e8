package withdraw

// Replace replaces the checks of identity and payment password.
func (s *Service) Replace(i Identity, p Passwords) { s.o.Identity, s.o.Passwords = i, p }
