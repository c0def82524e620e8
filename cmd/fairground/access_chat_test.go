package main

import (
	"encoding/json"
	"net/http"
)

func chatPicture(p *actorServer) string {
	p.t.Helper()
	a := p.as("owner", http.MethodPost, "/wps/chat/images", imageForm(map[string]any{"clientId": "picture"}), "Content-Type", formType)
	var sent struct{ Image string }
	if err := json.Unmarshal(a.Value, &sent); err != nil || sent.Image == "" {
		p.t.Fatalf("got %+v, want a picture", a)
	}
	return sent.Image
}

// ofChat is the expected response to a call that members make in their own chat, by actor.
var ofChat = except(everyone(""), map[string]string{"visitor": noSession, "trial": trialRefused})

// sendChat returns a function that sends a message with an id. The same id in another chat is a new message.
func sendChat(path string) func(p *actorServer, actor, id string) response {
	return func(p *actorServer, actor, id string) response {
		fields := map[string]any{"clientId": id, "text": "hello"}
		if path == "/wps/visitor/chat/offline" {
			fields["contact"] = "lan@example.com"
		}
		return p.as(actor, http.MethodPost, path, body(fields))
	}
}

var chatRows = []accessRow{
	{
		call: "GET /wps/chat/images/{name}", field: "name", object: chatPicture,
		send: func(p *actorServer, actor, name string) response {
			return p.as(actor, http.MethodGet, "/wps/chat/images/"+name, "")
		},
		want: map[string]string{"visitor": noSession, "owner": "", "other": "chat.unknown", "trial": trialRefused, "agent": "chat.unknown"},
	},
	{
		call: "GET /wps/visitor/chat/images/{name}", field: "name", object: chatPicture,
		send: func(p *actorServer, actor, name string) response {
			return p.as(actor, http.MethodGet, "/wps/visitor/chat/images/"+name, "")
		},
		want: everyone("chat.unknown"),
	},
	{
		call: "POST /wps/chat/messages", field: "clientId", object: func(*actorServer) string { return "m1" }, send: sendChat("/wps/chat/messages"), want: ofChat,
	},
	{
		call: "POST /wps/chat/offline", field: "clientId", object: func(*actorServer) string { return "m2" }, send: sendChat("/wps/chat/offline"), want: ofChat,
	},
	{
		call: "POST /wps/visitor/chat/messages", field: "clientId", object: func(*actorServer) string { return "m3" }, send: sendChat("/wps/visitor/chat/messages"), want: everyone(""),
	},
	{
		call: "POST /wps/visitor/chat/offline", field: "clientId", object: func(*actorServer) string { return "m4" }, send: sendChat("/wps/visitor/chat/offline"), want: everyone(""),
	},
}
