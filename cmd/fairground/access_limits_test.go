package main

import "net/http"

// limitRows are the rows of the matrix about members' own limits.
var limitRows = []accessRow{
	{
		// Whoever has seen a reality check has seen it in a game of their own that is open.
		call: "POST /wps/member/limits/realityCheck/acknowledge", field: "playId",
		object: func(p *callers) string { return p.play() },
		send: func(p *callers, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/member/limits/realityCheck/acknowledge", body(map[string]any{"playId": id}))
		},
		want: except(everyone("request_param_err"), map[string]string{"visitor": noSession, "trial": trialRefused, "owner": ""}),
	},
}
