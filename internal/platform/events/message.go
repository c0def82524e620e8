package events

import (
	"encoding/json"
	"net"
	"strconv"
)

// Message is one item for open browsers.
type Message struct {
	Merchant string          `json:"merchant,omitempty"` // id; empty means every merchant
	Member   string          `json:"member,omitempty"`   // id; empty means everyone of the merchant
	Event    string          `json:"event"`              // the stream's event name: balance, …
	Data     json.RawMessage `json:"data"`
}

// subjectMessages carries arrays of Message from the outbox to every replica's hub.
const subjectMessages = "messages"

// SubjectSessionEnded carries an Ended for each session that was ended before its time, so that caches and
// open streams of every replica let go of it.
const SubjectSessionEnded = "session.ended"

// SessionEnded names a session that is over. An empty Session means every session of the member.
type SessionEnded struct {
	Session string `json:"session,omitempty"`
	Member  string `json:"member,omitempty"`
}

func splitAddress(s string) (string, int, error) {
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return "", 0, err
	}
	n, err := strconv.Atoi(port)
	return host, n, err
}
