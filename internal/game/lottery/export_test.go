package lottery

// SetChunkSize sets the number of rounds that are settled together.
func SetChunkSize(s *Service, n int) { s.o.ChunkSize = n }

// WrapLedger replaces the service's ledger, so that tests can make payments fail.
func WrapLedger(s *Service, wrap func(Ledger) Ledger) { s.o.Ledger = wrap(s.o.Ledger) }
