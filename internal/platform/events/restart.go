package events

// Restart ends every stream. Browsers reconnect and reload the data whose changes they may have missed.
func (h *Hub) Restart() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, streams := range h.members {
		for _, s := range streams {
			s.end(nil)
		}
	}
}
