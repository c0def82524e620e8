package main

import "net/http"

var limitRows = []accessRow{
	{
		// Members can acknowledge reality checks only for their own open plays.
		call: "POST /wps/member/limits/realityCheck/acknowledge", field: "playId",
		object: func(p *actorServer) string { return p.play() },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/member/limits/realityCheck/acknowledge", body(map[string]any{"playId": id}))
		},
		want: except(everyone("request_param_err"), map[string]string{"visitor": noSession, "trial": trialRefused, "owner": ""}),
	},
}
