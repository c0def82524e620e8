package ledger

// Queued returns the number of posts waiting in queues.
func (l *Ledger) Queued() (n int) {
	for _, queue := range l.queues {
		n += len(queue)
	}
	return n
}
