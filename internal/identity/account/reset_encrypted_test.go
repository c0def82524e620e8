package account_test

import (
	"net/http"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func (h *testServer) seal(t *testing.T, nonce string, b body) body {
	t.Helper()
	return body{"data": h.Seal(t, nonce, b)}
}

func TestEncryptedReset(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		h.setContacts(t, id, "+84912345678", "A@b.co")
		h.requestReset(t, channels["sms"].path, channels["sms"].bound)
		proof := h.Call(t, "POST", channels["sms"].path+"/verification", channels["sms"].bound.with("verificationCode", h.code(t, channels["sms"].to)))
		plain := body{
			"ticket":      merchanttest.Value[struct{ Ticket string }](t, proof).Ticket,
			"newPassword": "qua-do-999", "confirmNewPassword": "qua-do-999",
		}
		for name, c := range map[string]struct {
			body   body
			status int
			want   string // after success and message
		}{
			"sealed a day ago":             {h.seal(t, "nonce-nonce-nonce-1", plain.with("time", db.Millis(h.Clock.Now().Add(-24*time.Hour)))), http.StatusBadRequest, `"errorCode":"jwe.time","args":{"now":"(varies)"}`},
			"unknown field inside":         {h.seal(t, "nonce-nonce-nonce-2", plain.with("memberId", 7)), http.StatusBadRequest, `"errorCode":"request_param_err"`},
			"different confirmation":       {h.seal(t, "nonce-nonce-nonce-3", plain.with("confirmNewPassword", "qua-do-998")), http.StatusBadRequest, `"errorCode":"member.password_confirm","field":"confirmNewPassword"`},
			"sealed data inside":           {h.seal(t, "nonce-nonce-nonce-4", body{"data": "x"}), http.StatusBadRequest, `"errorCode":"request_param_err","field":"data"`},
			"nothing":                      {body{}, http.StatusBadRequest, `"errorCode":"jwe.invalid","field":"data"`},
			"plain field next to the data": {h.seal(t, "nonce-nonce-nonce-5", plain).with("ticket", plain["ticket"]), http.StatusBadRequest, `"errorCode":"request_param_err","field":"data"`},
			"not a JWE":                    {body{"data": "nonsense"}, http.StatusBadRequest, `"errorCode":"jwe.invalid","field":"data"`},
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Want(t, h.Call(t, "PUT", resetPath, c.body, "Encryption", "jwe"), c.status, `{"success":false,"message":"(varies)",`+c.want+`}`, "message", "now")
			})
		}
		encrypted := h.seal(t, "nonce-nonce-nonce-6", plain)
		merchanttest.Want(t, h.Call(t, "PUT", resetPath, encrypted), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"request_param_err","field":"data"}`)
		if !h.isLoggedIn(t.Context(), token) {
			t.Fatal("a refused reset ended a session")
		}
		merchanttest.Want(t, h.Call(t, "PUT", resetPath, encrypted, "Encryption", "jwe"), http.StatusOK,
			`{"success":true,"value":{"userName":"minhanh92"}}`)
		merchanttest.Want(t, h.Call(t, "PUT", resetPath, encrypted, "Encryption", "jwe"), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"jwe.invalid","field":"data"}`)
		if h.isLoggedIn(t.Context(), token) {
			t.Error("an old session is still active")
		}
		h.login(t, "minhanh92", "qua-do-999")
	})
}
