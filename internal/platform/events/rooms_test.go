package events

import (
	"encoding/json"
	"fmt"
	"testing"
)

func received(s *stream) (out []string) {
	for {
		select {
		case wire := <-s.frames:
			out = append(out, string(wire))
		default:
			return out
		}
	}
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

func TestMaxStreamsOfANetworkInARoom(t *testing.T) {
	t.Parallel()
	h := newHub()
	join := func(network string) *stream {
		t.Helper()
		s, err := h.add("7", RoomKey(1), network)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	other, first := join("192.0.2.2/32"), join("192.0.2.1/32")
	for range maxRoomStreamsPerNetwork {
		join("192.0.2.1/32")
	}
	if n := h.Open(); n != maxRoomStreamsPerNetwork+1 {
		t.Errorf("%d streams are open, want %d", n, maxRoomStreamsPerNetwork+1)
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
}
