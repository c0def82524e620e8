package catalogue

// SearchSQL exports searchSQL.
var SearchSQL = searchSQL

// SearchWords exports searchWords.
var SearchWords = searchWords

// PagesWeight returns the weight of the cached pages and its maximum.
func (s *Service) PagesWeight() (weight, limit uint64) {
	s.pages.CleanUp()
	return s.pages.WeightedSize(), maxPagesWeight
}
