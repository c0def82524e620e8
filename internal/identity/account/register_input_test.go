package account_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// badValues are sent in every text field.
var badValues = map[string]any{
	"missing":            nil,
	"empty":              "",
	"only spaces":        "   ",
	"too long":           strings.Repeat("a1", 300),
	"a number":           7,
	"a list":             []string{"a"},
	"an object":          body{"a": 1},
	"another alphabet":   "пароль日本語",
	"full-width digits":  "１２３４５６７８９",
	"emoji":              "😀😀😀😀😀😀😀😀",
	"right-to-left mark": "\u200fabc\u202e123",
	"SQL":                "x'; DROP TABLE member; --",
	"HTML":               "<script>alert(1)</script>",
	"a line break":       "abc123\r\nBcc: x",
}

// acceptedValues are the badValues that a field accepts.
var acceptedValues = map[string][]string{
	"nickname": {"another alphabet", "full-width digits", "emoji"}, "moduleId": {"missing"}, "registerMethod": {"missing"},
}

func TestVA09EveryFieldOfRegistration(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.set(t, "register.captcha", `false`)
		validForm := registration("minhanh92")
		var enabledFields []string
		for name, value := range map[string]string{
			"paymentPassword": "135790", "nickname": "Minh Anh", "payeeName": "NGUYEN VAN A", "email": "a@b.co", "idNumber": "079203001234",
			"qqNum": "12345678", "facebook": "minh.anh", "wechat": "minh_anh", "line": "minh.anh", "whatsapp": "84912345678", "zalo": "0912345678",
		} {
			validForm = validForm.with(name, value)
			enabledFields = append(enabledFields, `"`+name+`":{"enabled":true,"required":true}`)
		}
		validForm = validForm.with("mobileNum", "0912345678")
		h.set(t, "register.fields", `{"mobileNum":{"required":true},`+strings.Join(enabledFields, ",")+`}`)
		for field, valid := range validForm {
			if _, text := valid.(string); !text || slices.Contains([]string{"registerUrl", "domain"}, field) {
				continue
			}
			for name, value := range badValues {
				if slices.Contains(acceptedValues[field], name) {
					continue
				}
				h.Refill()
				reply := h.Call(t, "PUT", registerByNamePath, validForm.with(field, value))
				got := refusalOf(t, reply)
				sameField := got.Field == field || strings.HasPrefix(got.Field, field+"[") || strings.HasPrefix(got.Field, field+".")
				relatedField := field == "password" && got.Field == "confirmPassword" || field == "countryDialingCode" && got.Field == "mobileNum"
				optional := field == "moduleId" && name == "empty" || field == "registerMethod" && name == "empty"
				if reply.Status != http.StatusBadRequest || !sameField && !relatedField && !optional {
					t.Errorf("%s, %s: %d %+v, want 400 for the field", field, name, reply.Status, got)
				}
				if text, ok := value.(string); ok && len(text) > 3 && strings.TrimSpace(text) != "" && strings.Contains(string(reply.Body), text) {
					t.Errorf("%s, %s: the response repeats the value", field, name)
				}
			}
		}
		if n := h.count(t, "member"); n != 0 {
			t.Errorf("%d members, want 0", n)
		}
		t.Run("outer spaces are removed, except in passwords", func(t *testing.T) {
			b := validForm
			for _, field := range []string{"username", "mobileNum", "email", "zalo"} {
				b = b.with(field, " "+b[field].(string)+"\t")
			}
			if reply := h.Call(t, "PUT", registerByNamePath, b.with("password", " qua-xanh7")); refusalOf(t, reply).Field != "confirmPassword" {
				t.Errorf("password with a space: %s, want a different confirmation", reply.Body)
			}
			if reply := h.Call(t, "PUT", registerByNamePath, b); reply.Status != http.StatusOK {
				t.Errorf("got %s, want 200", reply.Body)
			}
			if n := h.count(t, "member_detail WHERE value LIKE ' %' OR value LIKE '%\t'"); n != 0 {
				t.Errorf("%d details have outer spaces, want 0", n)
			}
		})
	})
}

type refusal struct{ ErrorCode, Field string }

func refusalOf(t *testing.T, reply merchanttest.Reply) (f refusal) {
	t.Helper()
	if err := json.Unmarshal(reply.Body, &f); err != nil {
		t.Fatal(err)
	}
	return f
}
