package chat_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/events"
	"fairground/internal/server/servertest"
	"fairground/internal/site/chat"
	"fairground/internal/site/merchant/merchanttest"
)

func TestTypingIsShownToTheOtherSideOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newChatSite(t, store)
		h.Register(t, member.NewMember{Username: "quocbao88", Password: "qua-xanh7"})
		second, err := h.Merchants.Ensure(t.Context(), "second", "Second", "VND")
		if err != nil {
			t.Fatal(err)
		}
		call, cookie := h.OperatorSession(t, h.ID, "minh", "support")
		h.operator = call
		_, colleague := h.OperatorSession(t, h.ID, "lan", "support")
		_, stranger := h.OperatorSession(t, second, "other", "support")
		h.send("a1", "xin chào")
		row := h.latest()

		baseURL, _ := h.Streams(t)
		customer := servertest.Listen(t, baseURL, "/wps/events", "Authorization", h.token)
		otherMember := servertest.Listen(t, baseURL, "/wps/events", "Authorization", h.Login(t, "quocbao88", "qua-xanh7"))
		operator := servertest.Listen(t, baseURL, "/ops/v1/events", "Cookie", cookie)
		secondOperator := servertest.Listen(t, baseURL, "/ops/v1/events", "Cookie", colleague)
		otherMerchant := servertest.Listen(t, baseURL, "/ops/v1/events", "Cookie", stranger)

		type typing struct {
			name string
			call func(method, path string, body any) merchanttest.Reply
			path string
		}
		byCustomer, byOperator := typing{"customer", h.call, "/wps/chat/typing"}, typing{"operator", h.operator, "/ops/v1/chats/" + row.ID + "/typing"}
		write := func(sides ...typing) {
			t.Helper()
			for _, side := range sides {
				if r := side.call(http.MethodPost, side.path, nil); r.Status != http.StatusOK {
					t.Errorf("typing of the %s: got %d %s, want 200", side.name, r.Status, r.Body)
				}
			}
		}
		write(byCustomer, byOperator) // no operator has the conversation yet
		row = h.act(row, "claim")
		write(byOperator, byCustomer, byOperator)
		h.act(row, "close")
		write(byCustomer, byOperator) // the conversation is over
		h.SendLast(t)

		typings := []string{"typing", "chat.typing"}
		customer.Want(t, "the customer", typings, `chat.typing {"operator":"minh"}`, `chat.typing {"operator":"minh"}`)
		otherMember.Want(t, "another member", typings)
		operator.Want(t, "the operator", typings, `typing {"chat":"`+row.ID+`"}`)
		secondOperator.Want(t, "a colleague", typings, `typing {"chat":"`+row.ID+`"}`)
		otherMerchant.Want(t, "another merchant's operator", typings)
	})
}

// A visitor is someone without an account whose cookie identifies the conversation.
type visitor struct {
	*chatSite

	cookie string
	row    opsRow
}

// newVisitor starts a visitor's conversation with a message.
func (h *chatSite) newVisitor(name, text string) *visitor {
	h.t.Helper()
	response := h.Call(h.t, http.MethodGet, "/wps/visitor/chat", nil)
	cookies := (&http.Response{Header: response.Header}).Cookies()
	if len(cookies) != 1 {
		h.t.Fatalf("cookies = %v, want one", cookies)
	}
	v := &visitor{chatSite: h, cookie: cookies[0].Name + "=" + cookies[0].Value}
	merchanttest.Value[chat.Message](h.t, v.call(http.MethodPost, "/wps/visitor/chat/messages", map[string]any{"clientId": "v-" + name, "text": text, "name": name}))
	list := merchanttest.Value[struct{ List []opsRow }](h.t, h.operator(http.MethodGet, "/ops/v1/chats", nil)).List
	i := slices.IndexFunc(list, func(r opsRow) bool { return r.Name == name })
	if i < 0 {
		h.t.Fatalf("the operators' list lacks the chat of %s", name)
	}
	v.row = list[i]
	return v
}

// call sends a request with the visitor's cookie.
func (v *visitor) call(method, path string, body any) merchanttest.Reply {
	v.t.Helper()
	return v.Call(v.t, method, path, body, "Cookie", v.cookie)
}

func (v *visitor) texts() (out []string) {
	v.t.Helper()
	for _, m := range merchanttest.Value[chat.Messages](v.t, v.call(http.MethodGet, "/wps/visitor/chat/messages?after=0", nil)).List {
		if m.Kind != "event" {
			out = append(out, m.From+": "+m.Text)
		}
	}
	return out
}

func TestOperatorsReplyReachesOnlyItsVisitor(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newChatSite(t, store)
		lan, bao := h.newVisitor("Lan", "không đăng nhập được"), h.newVisitor("Bao", "hello")
		baseURL, _ := h.Streams(t)
		lanNews := servertest.Listen(t, baseURL, "/wps/visitor/events", "Cookie", lan.cookie)
		baoNews := servertest.Listen(t, baseURL, "/wps/visitor/events", "Cookie", bao.cookie)
		memberNews := servertest.Listen(t, baseURL, "/wps/events", "Authorization", h.token)
		for name, cookie := range map[string]string{
			"no cookie": "", "the cookie of no conversation": chat.VisitorCookie + "=" + strings.Repeat("A", 26), "a malformed cookie": chat.VisitorCookie + "=" + lan.row.ID,
		} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, baseURL+"/wps/visitor/events", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Cookie", cookie)
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != http.StatusUnauthorized {
				t.Errorf("event stream with %s: got %d, want 401", name, response.StatusCode)
			}
		}

		claimed := h.act(lan.row, "claim")
		reply := h.reply(claimed.ID, "o1", "Chào Lan")
		merchanttest.Value[struct{}](t, h.operator(http.MethodPost, "/ops/v1/chats/"+claimed.ID+"/typing", nil))
		var visitors []events.Message
		for _, v := range []*visitor{lan, bao} {
			id, err := strconv.ParseInt(v.row.ID, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			visitors = append(visitors, events.Message{Merchant: strconv.FormatInt(h.ID, 10), Member: events.VisitorKey(id)})
		}
		h.SendLast(t, append(visitors, events.Message{})...)

		chats := []string{"chat"}
		lanNews.Want(t, "Lan", chats, fmt.Sprintf(`chat {"seq":%d}`, reply.Seq-1), fmt.Sprintf(`chat {"seq":%d}`, reply.Seq), `chat.typing {"operator":"thuha"}`)
		baoNews.Want(t, "another visitor", chats)
		memberNews.Want(t, "a member", chats)
		wantTexts(t, lan.texts(), "customer: không đăng nhập được", "operator: Chào Lan")
		wantTexts(t, bao.texts(), "customer: hello")
	})
}
