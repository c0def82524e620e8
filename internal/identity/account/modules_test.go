package account_test

import (
	"net/http"
	"testing"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// Operations of a disabled module are rejected (ruling 19).
func TestDisabledModules(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	h.disableModule(t, "CHNGPASSVERIF3")
	h.disableModule(t, "AFFMAN3")
	merchanttest.Want(t, h.Call(t, "PUT", changePath, change("qua-xanh7", "qua-tim-888", "qua-tim-888"), "Authorization", token), http.StatusForbidden,
		`{"success":false,"message":"not allowed","errorCode":"module.off","args":{"module":"CHNGPASSVERIF3"}}`)
	merchanttest.Want(t, h.Call(t, "GET", "/wps/agent/affiliate?code=agent88", nil), http.StatusForbidden, affiliatesOff)
	h.disableModule(t, "REG3")
	for _, path := range []string{"/wps/member/register", "/wps/member/register/mobile"} {
		merchanttest.Want(t, h.Call(t, "PUT", path, registration("new00001").with("moduleId", nil)), http.StatusForbidden, registrationClosed)
	}
}

func TestDisabledInvitations(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	h.disableModule(t, "AFFMAN3")
	merchanttest.Want(t, h.Call(t, "GET", "/wps/agent/affiliate?code=agent88", nil), http.StatusForbidden, affiliatesOff)
	h.member(t, "agent88", "qua-xanh7", member.Agent)
	h.set(t, "register.fields", `{"affiliateCode":{"enabled":true,"required":true},"recommenderId":{"enabled":true,"required":true}}`)
	h.set(t, "register.captcha", `false`)
	type form struct {
		Fields []struct {
			Name              string
			Enabled, Required bool
		}
	}
	for _, f := range merchanttest.Value[form](t, h.Call(t, "GET", "/wps/system/setting/register", nil)).Fields {
		if (f.Name == "affiliateCode" || f.Name == "recommenderId") && (f.Enabled || f.Required) {
			t.Errorf("the form has %s", f.Name)
		}
	}
	for _, path := range []string{registerByNamePath, registerByMobilePath} {
		merchanttest.Want(t, h.Call(t, "PUT", path, registration("new00001").with("affiliateCode", "agent88")), http.StatusForbidden,
			`{"success":false,"message":"not allowed","errorCode":"module.off","field":"affiliateCode","args":{"module":"AFFMAN3"}}`)
		merchanttest.Want(t, h.Call(t, "PUT", path, registration("new00001").with("recommenderId", "agent88")), http.StatusForbidden,
			`{"success":false,"message":"not allowed","errorCode":"module.off","field":"recommenderId","args":{"module":"AFFMAN3"}}`)
	}
	merchanttest.Want(t, h.Call(t, "PUT", registerByNamePath, registration("new00001")), http.StatusOK,
		`{"success":true,"value":{"firstTimeLogin":true,"token":"(varies)","type":0,"userName":"new00001"}}`, "token")
	if h.count(t, "member WHERE parent_id IS NOT NULL") != 0 {
		t.Error("a new member has a parent")
	}
}
