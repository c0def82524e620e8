package events

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"fairground/internal/fault"
)

// Limits of open streams.
const (
	MaxStreams                 = 20000 // per process
	MaxStreamsPerMember        = 8
	maxPublicStreams           = MaxStreams / 2 // of viewers and visitors, who need no session
	maxPublicStreamsPerNetwork = 200            // a mobile network may hold many viewers
	streamBuffer               = 64             // messages; a reader that falls further behind is disconnected and reconnects
)

// ErrFull reports that this process has the maximum number of streams.
var ErrFull = fault.New(fault.Unavailable, "system.unavailable")

// A Hub sends messages to the open streams of this process.
type Hub struct {
	log       *slog.Logger
	stops     []func()
	open      atomic.Int64
	mu        sync.Mutex
	closed    bool
	members   map[string][]*stream // by member id, oldest first
	operators map[string]struct{}  // the keys of members that are operators
	public    int                  // number of public streams
	networks  map[string][]*stream // public streams by network, oldest first
}

type stream struct {
	merchant, member, session string // an empty merchant means an operator who sees all merchants; the session of a public stream is its network
	operator                  bool
	public                    bool
	wake                      chan struct{} // there is something to take
	done                      chan struct{}
	lastEvent                 []byte // sent before the stream ends, if not nil
	once                      sync.Once

	mu         sync.Mutex
	waiting    [][]byte // encoded events; a slice, because a channel would take its full size in every idle stream
	recheckDue bool     // the site may be closed, or the session ended
}

func (s *stream) end(lastEvent []byte) {
	s.once.Do(func() {
		s.lastEvent = lastEvent
		close(s.done)
	})
}

// add adds an event. It returns false if too many are waiting.
func (s *stream) add(event []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) >= streamBuffer {
		return false
	}
	s.waiting = append(s.waiting, event)
	s.notify()
	return true
}

func (s *stream) recheck() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recheckDue = true
	s.notify()
}

func (s *stream) notify() {
	select {
	case s.wake <- struct{}{}:
	default: // already notified
	}
}

// take returns what was added since the last call.
func (s *stream) take() (events [][]byte, recheckDue bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	events, recheckDue = s.waiting, s.recheckDue
	s.waiting, s.recheckDue = nil, false
	return events, recheckDue
}

// These events are the last of a stream. The client of a replaced stream must not reconnect by itself, because the new
// stream would replace another stream of the member, and so on.
var (
	sessionEnded = frame("session", []byte(`{"state":"ended"}`))
	replaced     = frame("replaced", []byte(`{}`))
)

// NewHub returns a Hub that subscribes to the bus.
func NewHub(bus *Bus, log *slog.Logger) (*Hub, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	h := &Hub{log: log, members: make(map[string][]*stream), operators: make(map[string]struct{}), networks: make(map[string][]*stream)}
	for subject, fn := range map[string]func([]byte){subjectMessages: h.deliver, SubjectSessionEnded: h.endSession} {
		stop, err := bus.Subscribe(subject, fn)
		if err != nil {
			h.Close()
			return nil, err
		}
		h.stops = append(h.stops, stop)
	}
	return h, nil
}

// Close ends every stream. Browsers reconnect to another replica, or to this one after a restart.
func (h *Hub) Close() {
	for _, stop := range h.stops {
		stop()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for _, streams := range h.members {
		for _, s := range streams {
			s.end(nil)
		}
	}
}

// Recheck makes every stream check whether the site is still open to its client.
func (h *Hub) Recheck() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, streams := range h.members {
		for _, s := range streams {
			s.recheck()
		}
	}
}

// Open returns the number of open streams.
func (h *Hub) Open() int64 { return h.open.Load() }

func (h *Hub) add(merchant, member, session string) (*stream, error) {
	s := &stream{
		merchant: merchant, member: member, session: session, operator: strings.HasPrefix(member, operatorPrefix), public: isRoom(member) || isVisitor(member),
		wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.open.Load() >= MaxStreams || s.public && h.public >= maxPublicStreams {
		return nil, ErrFull
	}
	if streams := h.members[member]; !isRoom(member) && len(streams) >= MaxStreamsPerMember {
		h.replace(streams[0]) // it may be a phone that lost its network
	}
	if s.public {
		if streams := h.networks[session]; len(streams) >= maxPublicStreamsPerNetwork {
			h.replace(streams[0])
		}
		h.networks[session] = append(h.networks[session], s)
		h.public++
	}
	h.members[member] = append(h.members[member], s)
	if s.operator {
		h.operators[member] = struct{}{}
	}
	h.open.Add(1)
	return s, nil
}

// replace ends a stream in favour of a new one. The caller locks the hub.
func (h *Hub) replace(s *stream) {
	s.end(replaced)
	h.drop(s)
}

func (h *Hub) remove(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(s)
}

// drop removes a stream, unless it was replaced before. The caller locks the hub.
func (h *Hub) drop(s *stream) {
	if !without(h.members, s.member, s) {
		return
	}
	h.open.Add(-1)
	if len(h.members[s.member]) == 0 {
		delete(h.operators, s.member)
	}
	if s.public {
		without(h.networks, s.session, s)
		h.public--
	}
}

// without removes a stream from the list of a key, and reports whether it was there.
func without(lists map[string][]*stream, key string, s *stream) bool {
	i := slices.Index(lists[key], s)
	if i < 0 {
		return false
	}
	if lists[key] = slices.Delete(lists[key], i, i+1); len(lists[key]) == 0 {
		delete(lists, key)
	}
	return true
}

func (h *Hub) deliver(payload []byte) {
	if h.open.Load() == 0 {
		return
	}
	var messages []Message
	if err := json.Unmarshal(payload, &messages); err != nil {
		h.log.Error("read messages from the bus", "error", err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range messages {
		if m.Member != "" {
			if streams := h.members[m.Member]; len(streams) > 0 {
				send(streams, m, frame(m.Event, m.Data))
			}
			continue
		}
		encoded := frame(m.Event, m.Data)
		if m.Operators {
			for operator := range h.operators {
				send(h.members[operator], m, encoded)
			}
			continue
		}
		for _, streams := range h.members {
			send(streams, m, encoded)
		}
	}
}

func send(to []*stream, m Message, encoded []byte) {
	for _, s := range to {
		if m.Member == "" && s.public {
			continue // visitors receive messages of their own conversation only, and rooms their own messages
		}
		if s.operator != m.Operators || m.Merchant != "" && s.merchant != "" && m.Merchant != s.merchant {
			continue
		}
		if !s.add(encoded) {
			s.end(nil) // the client is too slow: it will reconnect and reload
		}
	}
}

func (h *Hub) endSession(payload []byte) {
	var e SessionEnded
	if err := json.Unmarshal(payload, &e); err != nil {
		h.log.Error("read session end from the bus", "error", err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.members[e.Member] {
		switch e.Session {
		case s.session:
			s.end(sessionEnded)
		case "":
			s.recheck() // not end: the session may be newer than this message
		}
	}
}

// frame encodes an event in the event stream format, with the JSON on one line.
func frame(event string, data []byte) []byte {
	var b bytes.Buffer
	b.WriteString("event: ")
	b.WriteString(strings.Map(dropLineBreak, event))
	b.WriteString("\ndata: ")
	if err := json.Compact(&b, data); err != nil {
		b.WriteString("null")
	}
	b.WriteString("\n\n")
	return b.Bytes()
}

func dropLineBreak(r rune) rune {
	if r == '\n' || r == '\r' {
		return -1
	}
	return r
}
