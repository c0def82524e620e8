package ledger

// Queued returns the number of posts waiting in queues.
func (l *Ledger) Queued() int { return l.queue.Queued() }

// PostSingle posts with the single SQL statement only. It returns false if the statement did not post the transfer.
func (l *Ledger) PostSingle(t Transfer) (result Posted, posted bool, err error) {
	conn := l.idle.take()
	defer l.idle.put(conn)
	if err := conn.connect(); err != nil {
		return Posted{}, false, err
	}
	p := &post{Transfer: &t, digest: t.hash()}
	posted, _, err = conn.single(p)
	return p.result, posted, err
}

// PostBatch posts a batch of one, with the rules of book and without the single SQL statement.
func (l *Ledger) PostBatch(t Transfer) (Posted, error) {
	conn := l.idle.take()
	defer l.idle.put(conn)
	if err := conn.connect(); err != nil {
		return Posted{}, err
	}
	p := &post{Transfer: &t, digest: t.hash()}
	if _, err := conn.batch([]*post{p}); err != nil {
		return Posted{}, err
	}
	return p.result, p.err
}
