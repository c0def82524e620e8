package main

// trialTry is an attempt of a trial user, who has no account functions.
var trialTry = attempt{name: "trial", want: "403 member.trial_refused", actor: "trial"}

// messageCalls test feedback, notifications and the check-in.
func messageCalls() []callTest {
	return []callTest{
		{id: "feedback", attempts: []attempt{trialTry, {name: "done", want: "200"}}},
		{id: "feedbackImage", path: "/wps/member/feedback/7/image/1", attempts: []attempt{trialTry, {name: "unknown picture", want: "404 feedback.no_image"}}},
		sendFeedbackCall(),
		{id: "notifications", attempts: []attempt{trialTry, {name: "done", want: "200"}}},
		{
			id: "chooseNotifications", valid: func(*actorServer) (map[string]any, []string) {
				return map[string]any{"choices": []any{map[string]any{"topic": "promotion", "way": "email", "allowed": true}}}, nil
			},
			attempts: []attempt{
				trialTry, {name: "done", want: "200"}, {name: "none", want: "400 request_param_err on choices", with: map[string]any{"choices": nil}},
				{name: "unknown topic", want: "400 request_param_err on choices[0].topic", with: map[string]any{"choices": []any{map[string]any{"topic": "<b>", "way": "inbox", "allowed": true}}}},
				{name: "fixed", want: "422 message.choice", with: map[string]any{"choices": []any{map[string]any{"topic": "security", "way": "inbox", "allowed": false}}}},
			},
		},
		{
			id: "subscribeToPush", valid: func(*actorServer) (map[string]any, []string) {
				return map[string]any{"endpoint": "https://push.example/1", "p256dh": "x", "auth": "y"}, nil
			},
			attempts: []attempt{trialTry, {name: "malformed key", want: "400 message.subscription on p256dh"}, {name: "no address", want: "400 request_param_err on endpoint", with: map[string]any{"endpoint": nil}}},
		},
		{
			id: "unsubscribeFromPush", valid: func(*actorServer) (map[string]any, []string) {
				return map[string]any{"endpoint": "https://push.example/1"}, nil
			},
			attempts: []attempt{trialTry, {name: "done", want: "200"}},
		},
		{id: "checkIn", attempts: []attempt{trialTry, {name: "done", want: "200"}, {name: "malformed month", want: "400 request_param_err on month", path: "/wps/checkIn?month=13"}, {name: "no month", want: "400 checkin.month on month", path: "/wps/checkIn?month=2026-13"}}, untested: map[string]string{"loyalty.off": "internal/finance/loyalty"}},
		{
			id: "doCheckIn", attempts: []attempt{trialTry, {name: "done", want: "200"}, {name: "twice", want: "409 checkin.done"}},
			untested: map[string]string{
				"loyalty.off": "internal/finance/loyalty", "checkin.person": "internal/finance/loyalty", "limits.excluded": "internal/finance/loyalty",
				"limits.held": "internal/finance/loyalty", "idempotency.conflict": "the call has no content",
			},
		},
	}
}

func sendFeedbackCall() callTest {
	valid := map[string]any{"category": "other", "content": "The picture is too dark"}
	try := func(name, want string, changed map[string]any) attempt {
		fields := map[string]any{"image": nil}
		for _, each := range []map[string]any{valid, changed} {
			for key, value := range each {
				fields[key] = value
			}
		}
		return attempt{name: name, want: want, headers: []string{"Content-Type", formType}, body: func(*actorServer) string { return imageForm(fields) }}
	}
	withKey := func(a attempt) attempt {
		a.headers = append([]string{"Idempotency-Key", "tap-1"}, a.headers...)
		return a
	}
	trial := try("trial", "403 member.trial_refused", nil)
	trial.actor = "trial"
	return callTest{
		id: "sendFeedback", untested: map[string]string{"rate.limited": "internal/site/feedback", "feedback.images": "internal/site/feedback"},
		attempts: []attempt{
			trial,
			try("no category", "400 feedback.category on category", map[string]any{"category": nil}),
			try("no text", "400 validation.required on content", map[string]any{"content": nil}),
			try("unknown category", "400 feedback.category on category", map[string]any{"category": "<b>"}),
			try("too short", "400 validation.range on content max=140 min=10", map[string]any{"content": "dark"}),
			try("not a picture", "400 feedback.format on image", map[string]any{"image": "<svg/>"}),
			try("too many pixels", "413 feedback.too_large on image", map[string]any{"image": hugePNG()}),
			withKey(try("done", "200", nil)),
			withKey(try("another content", "409 idempotency.conflict", map[string]any{"content": "The sound is too loud"})),
		},
	}
}
