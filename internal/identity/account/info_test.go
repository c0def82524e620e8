package account_test

import (
	"net/http"
	"strconv"
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
			"own":       {MemberID: id, MerchantID: h.ID, Type: 1},
			"unknown":   {MemberID: 99, MerchantID: h.ID},
			"elsewhere": {MemberID: id, MerchantID: h.ID + 1},
		}
		h.Serve(t, callers, func(a *rest.API) { h.Server.Routes(a, nil) })
		own := `{"success":true,"value":{"id":"` + strconv.FormatInt(id, 10) + `","account":"minhanh92","nickname":"Minh Anh","type":1,"affiliateCode":"minhanh92","avatar":"",
			"clubLabel":{"labelName":"VIP 3"}}}`
		for name, c := range map[string]struct {
			headers []string
			status  int
			want    string
		}{
			"token":                    {[]string{"Authorization", "own"}, http.StatusOK, own},
			"bearer token":             {[]string{"Authorization", "Bearer own"}, http.StatusOK, own},
			"no token":                 {nil, http.StatusUnauthorized, `{"success":false,"message":"a valid session is needed","errorCode":"login.not.session"}`},
			"unknown token":            {[]string{"Authorization", "nonsense"}, http.StatusUnauthorized, `{"success":false,"message":"a valid session is needed","errorCode":"user.or.token.invalid"}`},
			"another merchant's token": {[]string{"Authorization", "elsewhere"}, http.StatusUnauthorized, `{"success":false,"message":"a valid session is needed","errorCode":"user.or.token.invalid"}`},
			"member does not exist":    {[]string{"Authorization", "unknown"}, http.StatusNotFound, `{"success":false,"message":"not found","errorCode":"member.unknown"}`},
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Want(t, h.Call(t, "GET", "/wps/member/info", nil, c.headers...), c.status, c.want)
			})
		}
	})
}
