package withdraw

// Replace replaces the identity and payment password checks.
func (s *Service) Replace(i Identity, p Passwords) { s.o.Identity, s.o.Passwords = i, p }

// DayStart is dayStart.
var DayStart = dayStart
