package ledger

// Queued is how many posts wait for a lane to take them.
func (l *Ledger) Queued() (n int) {
	for _, queue := range l.queues {
		n += len(queue)
	}
	return n
}
