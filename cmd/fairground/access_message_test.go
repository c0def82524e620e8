package main

import (
	"encoding/json"
	"net/http"
)

const inboxUnknown = "message.unknown"

func ownFeedback(p *actorServer) string {
	p.t.Helper()
	var made struct{ ID string }
	r := p.as("owner", http.MethodPost, "/wps/member/feedback", imageForm(map[string]any{"category": "other", "content": "The picture is too dark"}), "Content-Type", formType)
	if err := json.Unmarshal(r.Value, &made); err != nil || made.ID == "" {
		p.t.Fatalf("got %s (%v), want feedback", r.Value, err)
	}
	return made.ID
}

// notInInbox is the expected response to calls about a message that does not exist.
var notInInbox = map[string]string{"visitor": noSession, "owner": inboxUnknown, "other": inboxUnknown, "trial": trialRefused, "agent": inboxUnknown}

var messageRows = []accessRow{
	{
		call: "GET /wps/relay/EMFE_getInboxMessage", field: "id", object: func(*actorServer) string { return "7" },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/relay/EMFE_getInboxMessage?id="+id, "")
		},
		want: notInInbox,
	},
	{
		call: "POST /wps/relay/EMFE_markInboxMessageAsRead", field: "id", object: func(*actorServer) string { return "7" },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/relay/EMFE_markInboxMessageAsRead", body(map[string]any{"id": id}))
		},
		want: notInInbox,
	},
	{
		call: "POST /wps/relay/EMFE_deleteInboxMessage", field: "id", object: func(*actorServer) string { return "7" },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/relay/EMFE_deleteInboxMessage", body(map[string]any{"id": id}))
		},
		want: notInInbox,
	},
	{
		call: "GET /wps/member/feedback/{id}/image/{n}", field: "id", object: ownFeedback,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/member/feedback/"+id+"/image/1", "")
		},
		want: map[string]string{"visitor": noSession, "owner": "", "other": "feedback.no_image", "trial": trialRefused, "agent": "feedback.no_image"},
	},
	{
		call: "GET /wps/member/feedback/{id}/image/{n}", field: "n", object: ownFeedback,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/member/feedback/"+id+"/image/2", "")
		},
		want: map[string]string{"visitor": noSession, "owner": "feedback.no_image", "other": "feedback.no_image", "trial": trialRefused, "agent": "feedback.no_image"},
	},
}
