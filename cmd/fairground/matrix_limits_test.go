package main

import "net/http"

// limitMatrix are the rows of the matrix about members' own limits.
var limitMatrix = []row{
	{
		// Whoever has seen a reality check has seen it in a game of their own that is open.
		call: "POST /wps/member/limits/realityCheck/acknowledge", field: "playId",
		object: func(p *people) string { return p.play() },
		send: func(p *people, actor, id string) answer {
			return p.as(actor, http.MethodPost, "/wps/member/limits/realityCheck/acknowledge", body(map[string]any{"playId": id}))
		},
		want: but(all("request_param_err"), map[string]string{"visitor": noSession, "trial": refusedTo, "owner": ""}),
	},
}
