package events

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"fairground/internal/platform/rest"
)

// operators accepts two tokens: all-merchants of an operator of all merchants, and merchant-2 of an operator of the merchant 2.
type operators struct{}

func (operators) Operator(_ context.Context, token string, _ netip.Addr) (rest.Operator, error) {
	switch token {
	case "all-merchants":
		return rest.Operator{ID: 1, SessionID: 201, Name: "lan"}, nil
	case "merchant-2":
		return rest.Operator{ID: 2, SessionID: 202, Name: "hoa", Merchant: rest.Merchant{ID: 2, Code: "second"}}, nil
	default:
		return rest.Operator{}, rest.ErrNoSession
	}
}

func TestSE03EventsOfOperatorsPart(t *testing.T) {
	t.Parallel()
	h := newHub()
	authenticator := &sessions{}
	a, err := rest.New(rest.Options{Authenticator: authenticator, Operators: operators{}})
	if err != nil {
		t.Fatal(err)
	}
	Routes(a, h, authenticator, nil)
	OperatorRoutes(a, h, authenticator)
	s := httptest.NewServer(a.Handler())
	t.Cleanup(s.Close)
	t.Cleanup(h.Close)
	for _, header := range []string{"", "m1"} { // a visitor and a member
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/ops/v1/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", header)
		res, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusUnauthorized {
			t.Errorf("token %q: got %s, want 401", header, res.Status)
		}
	}
	operator, _ := openAt(t, s, "/ops/v1/events", "Cookie", "fairground_operator=all-merchants")
	member, _ := open(t, s, "m1")
	merchantOperator, _ := openAt(t, s, "/ops/v1/events", "Cookie", "fairground_operator=merchant-2")
	publish(h,
		Message{Member: "1", Event: "balance", Data: json.RawMessage(`5`)},
		Message{Event: "notice", Data: json.RawMessage(`"to members"`)},
		Message{Event: "change", Data: json.RawMessage(`{"things":"members","id":"1"}`), Operators: true},
		Message{Event: "change", Data: json.RawMessage(`{"things":"kyc","id":"5"}`), Merchant: "1", Operators: true},
		Message{Event: "change", Data: json.RawMessage(`{"things":"kyc","id":"6"}`), Merchant: "2", Operators: true},
		Message{Event: "end", Data: json.RawMessage(`null`)},
	)
	if got, _ := next(t, operator); !strings.HasPrefix(got, "event: change\n") {
		t.Errorf("operator: got %q first, want the change only", got)
	}
	for _, want := range []string{`"id":"1"`, `"id":"6"`} { // 5 belongs to another merchant
		if got, _ := next(t, merchantOperator); !strings.Contains(got, want) {
			t.Errorf("operator of one merchant: got %q, want %s", got, want)
		}
	}
	for _, want := range []string{"balance", "notice", "end"} {
		if got, _ := next(t, member); !strings.HasPrefix(got, "event: "+want+"\n") {
			t.Errorf("member: got %q, want %s", got, want)
		}
	}
}
