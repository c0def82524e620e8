package account_test

import (
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
		h := newSite(t, store)
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
		for name, headers := range map[string][]string{
			"info":            {"Authorization", "hers"},
			"info_bearer":     {"Authorization", "Bearer hers"},
			"info_no_session": nil,
			"info_bad_token":  {"Authorization", "nonsense"},
			"info_elsewhere":  {"Authorization", "away"},
			"info_gone":       {"Authorization", "gone"},
		} {
			merchanttest.Golden(t, name, h.Call(t, "GET", "/wps/member/info", nil, headers...))
		}
	})
}
