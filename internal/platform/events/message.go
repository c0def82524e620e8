package events

import (
	"encoding/json"
	"net"
	"strconv"
)

// A Message is one event for open browsers.
type Message struct {
	Merchant string          `json:"merchant,omitempty"` // id; empty means every merchant
	Member   string          `json:"member,omitempty"`   // id; empty means all members of the merchant
	Event    string          `json:"event"`              // name of the event, such as balance
	Data     json.RawMessage `json:"data"`
	// Operators sends the message to operators instead of members.
	Operators bool `json:"operators,omitempty"`
}

// subjectMessages carries arrays of Message from the outbox to every replica's hub.
const subjectMessages = "messages"

// SubjectSessionEnded carries a SessionEnded for each session that ended before it expired. All replicas then remove the
// session from their caches and close its streams.
const SubjectSessionEnded = "session.ended"

// SessionEnded identifies an ended session. An empty Session means all sessions of the member.
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
