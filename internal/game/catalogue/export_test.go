package catalogue

// SearchText is the statement that a search of so many words runs.
var SearchText = searchText

// Words are those of a typed name that count.
var Words = words

// PagesWeight is how much the kept pages weigh, and how much they may.
func (s *Service) PagesWeight() (weight, most uint64) {
	s.pages.CleanUp()
	return s.pages.WeightedSize(), pagesWeight
}
