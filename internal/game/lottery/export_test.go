package lottery

// SetSeriesLength makes series short, so that tests are fast.
func SetSeriesLength(s *Service, n int) { s.o.SeriesLength = n }

// SetChunkSize sets how many rounds are settled together.
func SetChunkSize(s *Service, n int) { s.o.ChunkSize = n }

// WrapLedger replaces the service's ledger, so that tests can make payments fail.
func WrapLedger(s *Service, wrap func(Ledger) Ledger) { s.o.Ledger = wrap(s.o.Ledger) }
