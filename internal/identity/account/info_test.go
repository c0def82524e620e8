package account_test

import (
	"net/http"
	"testing"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestInfo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		d := draft(h, "MinhAnh92", "qua-xanh7")
		d.Nickname, d.VIPLabel, d.Type = "Minh Anh", "VIP 3", member.Agent
		id, err := h.members.Create(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		callers := merchanttest.Tokens{
			"hers": {MemberID: id, MerchantID: h.ID, Type: 1},
			"gone": {MemberID: 99, MerchantID: h.ID},
			"away": {MemberID: id, MerchantID: h.ID + 1},
		}
		h.Serve(t, callers, func(a *rest.API) { h.Server.Routes(a, nil) })
		for name, c := range map[string]struct {
			headers []string
			status  int
			want    string
		}{
			"token":                    {[]string{"Authorization", "hers"}, http.StatusOK, `{"success":true,"value":{"account":"minhanh92","affiliateCode":"minhanh92","avatar":"","clubLabel":{"labelName":"VIP 3"},"id":"1002","nickname":"Minh Anh","type":1}}`},
			"bearer token":             {[]string{"Authorization", "Bearer hers"}, http.StatusOK, `{"success":true,"value":{"account":"minhanh92","affiliateCode":"minhanh92","avatar":"","clubLabel":{"labelName":"VIP 3"},"id":"1002","nickname":"Minh Anh","type":1}}`},
			"no token":                 {nil, http.StatusUnauthorized, `{"success":false,"message":"a valid session is needed","errorCode":"login.not.session"}`},
			"unknown token":            {[]string{"Authorization", "nonsense"}, http.StatusUnauthorized, `{"success":false,"message":"a valid session is needed","errorCode":"user.or.token.invalid"}`},
			"another merchant's token": {[]string{"Authorization", "away"}, http.StatusUnauthorized, `{"success":false,"message":"a valid session is needed","errorCode":"user.or.token.invalid"}`},
			"member does not exist":    {[]string{"Authorization", "gone"}, http.StatusNotFound, `{"success":false,"message":"not found","errorCode":"member.unbound"}`},
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Want(t, h.Call(t, "GET", "/wps/member/info", nil, c.headers...), c.status, c.want)
			})
		}
	})
}
