package main

import (
	"encoding/json"
	"net/http"
)

const emptyForm = "--b\r\nContent-Disposition: form-data; name=\"remark\"\r\n\r\nhello\r\n--b--\r\n"

var formHeader = []string{"Content-Type", "multipart/form-data; boundary=b"}

func promotionID(p *actorServer, code string) string {
	p.t.Helper()
	var all struct{ List []struct{ ID, Code string } }
	if err := json.Unmarshal(p.as("owner", http.MethodGet, "/wps/promotion", "").Value, &all); err != nil {
		p.t.Fatal(err)
	}
	for _, each := range all.List {
		if each.Code == code {
			return each.ID
		}
	}
	p.t.Fatalf("got %+v, want the promotion %s", all, code)
	return ""
}

// appliedReward returns the id of an application of the owner, on which no operator has decided.
func appliedReward(p *actorServer) string {
	p.t.Helper()
	p.as("owner", http.MethodPost, "/wps/promotion/"+promotionID(p, "share-story")+"/apply", emptyForm, formHeader...) // refused if it exists
	var all struct{ List []struct{ ID string } }
	if err := json.Unmarshal(p.as("owner", http.MethodGet, "/wps/reward", "").Value, &all); err != nil || len(all.List) == 0 {
		p.t.Fatalf("got %+v (%v), want an application", all, err)
	}
	return all.List[0].ID
}

// ofApplicant is the expected response to a call about the owner's application, by actor.
var ofApplicant = map[string]string{"visitor": noSession, "owner": "reward.state", "other": "reward.unknown", "trial": trialRefused, "agent": "reward.unknown"}

var promotionRows = []accessRow{
	{
		call: "POST /wps/promotion/{id}/apply", field: "id", object: func(p *actorServer) string { return promotionID(p, "hello-code") },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/promotion/"+id+"/apply", emptyForm, formHeader...)
		},
		want: map[string]string{"visitor": noSession, "owner": "promotion.not_open", "other": "promotion.not_open", "trial": trialRefused, "agent": "promotion.not_open"},
	},
	{
		call: "POST /wps/reward/{id}/claim", field: "id", object: appliedReward,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/reward/"+id+"/claim", "")
		},
		want: ofApplicant,
	},
	{
		call: "DELETE /wps/reward/{id}", field: "id", object: appliedReward,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodDelete, "/wps/reward/"+id, "")
		},
		want: ofApplicant,
	},
}
