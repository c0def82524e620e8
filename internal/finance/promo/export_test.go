package promo

// IsBirthday is isBirthday.
var IsBirthday = isBirthday

// ReplaceBirths makes the service read birth dates from b.
func (s *Service) ReplaceBirths(b Births) { s.o.Births = b }
