package events

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

func received(s *stream) (out []string) {
	events, _ := s.take()
	for _, event := range events {
		out = append(out, string(event))
	}
	return out
}

func TestViewersReceiveOnlyTheirRoom(t *testing.T) {
	t.Parallel()
	h := newHub()
	viewer, err := h.add("7", RoomKey(1), "192.0.2.1/32")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []Message{
		{Merchant: "7", Member: RoomKey(1), Event: "mine", Data: json.RawMessage(`1`)},
		{Merchant: "7", Member: RoomKey(2), Event: "other", Data: json.RawMessage(`1`)},
		{Merchant: "7", Event: "everyone", Data: json.RawMessage(`1`)},
		{Merchant: "7", Member: "1", Event: "member", Data: json.RawMessage(`1`)},
	} {
		publish(h, m)
	}
	if got, want := fmt.Sprintf("%q", received(viewer)), `["event: mine\ndata: 1\n\n"]`; got != want {
		t.Errorf("the viewer received %s, want %s", got, want)
	}
}

func TestMaxPublicStreamsOfANetwork(t *testing.T) {
	t.Parallel()
	h := newHub()
	join := func(key, network string) *stream {
		t.Helper()
		s, err := h.add("7", key, network)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	other, first := join(RoomKey(1), "192.0.2.2/32"), join(RoomKey(1), "192.0.2.1/32")
	join(VisitorKey(1), "192.0.2.1/32")
	var last *stream
	for room := range int64(maxPublicStreamsPerNetwork - 1) {
		last = join(RoomKey(room), "192.0.2.1/32")
	}
	if n := h.Open(); n != maxPublicStreamsPerNetwork+1 {
		t.Errorf("%d streams are open, want %d", n, maxPublicStreamsPerNetwork+1)
	}
	select {
	case <-first.done:
	default:
		t.Error("the oldest stream of the network is open, want it ended")
	}
	select {
	case <-other.done:
		t.Error("the stream of another network has ended, want it open")
	default:
	}
	h.remove(first) // its request ends after it was replaced
	h.remove(last)
	join(RoomKey(1), "192.0.2.1/32")
	if n := h.Open(); n != maxPublicStreamsPerNetwork+1 {
		t.Errorf("%d streams are open after one left and one joined, want %d", n, maxPublicStreamsPerNetwork+1)
	}
}

func TestPublicStreamsLeaveRoomForMembers(t *testing.T) {
	t.Parallel()
	h := newHub()
	var last *stream
	for i := range maxPublicStreams {
		var err error
		if last, err = h.add("7", RoomKey(int64(i%3)), fmt.Sprint("network ", i/maxPublicStreamsPerNetwork)); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{RoomKey(1), VisitorKey(1)} {
		if _, err := h.add("7", key, "another network"); !errors.Is(err, ErrFull) {
			t.Errorf("%s: got %v, want %v", key, err, ErrFull)
		}
	}
	if _, err := h.add("7", "1", "1"); err != nil {
		t.Errorf("a member: got %v, want a stream", err)
	}
	h.remove(last)
	if _, err := h.add("7", RoomKey(1), "another network"); err != nil {
		t.Errorf("a viewer after another left: got %v, want a stream", err)
	}
}
