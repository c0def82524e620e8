package main

import "net/http"

// demoStream returns the id of the demo's stream that is on air.
func demoStream(p *actorServer) string {
	p.t.Helper()
	list := value[struct{ List []struct{ ID string } }](p.program, http.MethodGet, "/wps/liveStreams?streaming=true", "", "").List
	if len(list) != 1 {
		p.t.Fatalf("got %d streams on air, want 1", len(list))
	}
	return list[0].ID
}

// Streams and their chats are public. Only members with a real account write.
var streamRows = []accessRow{
	{
		call: "GET /wps/liveStreams/{id}", field: "id", object: demoStream,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/liveStreams/"+id, "")
		},
		want: everyone(""),
	},
	{
		call: "GET /wps/liveStreams/{id}/messages", field: "id", object: demoStream,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/liveStreams/"+id+"/messages", "")
		},
		want: everyone(""),
	},
	{
		call: "GET /wps/liveStreams/{id}/events", field: "id", object: func(*actorServer) string { return "7" },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/liveStreams/"+id+"/events", "")
		},
		want: everyone("stream.unknown"),
	},
	{
		call: "POST /wps/liveStreams/{id}/messages", field: "id", object: demoStream,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/liveStreams/"+id+"/messages", body(map[string]any{"clientId": "s1", "text": "hello"}))
		},
		want: except(everyone(""), map[string]string{"visitor": noSession, "trial": trialRefused}),
	},
	{
		call: "POST /wps/liveStreams/{id}/watch", field: "id", object: demoStream,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/liveStreams/"+id+"/watch", body(map[string]any{"viewer": "w1"}))
		},
		want: everyone(""),
	},
	{
		call: "POST /wps/liveStreams/{id}/reactions", field: "id", object: demoStream,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/liveStreams/"+id+"/reactions", body(map[string]any{"kind": "fire"}))
		},
		want: except(everyone(""), map[string]string{"visitor": noSession, "trial": trialRefused}),
	},
	{
		// The same id is another message of another member.
		call: "POST /wps/liveStreams/{id}/messages", field: "clientId", object: func(*actorServer) string { return "s2" },
		send: func(p *actorServer, actor, clientID string) response {
			return p.as(actor, http.MethodPost, "/wps/liveStreams/"+demoStream(p)+"/messages", body(map[string]any{"clientId": clientID, "text": "hello"}))
		},
		want: except(everyone(""), map[string]string{"visitor": noSession, "trial": trialRefused}),
	},
}
