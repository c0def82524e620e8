package account_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
)

type acceptAllCodes struct{}

func (acceptAllCodes) Send(context.Context, notify.Subject, rest.Visitor, bool) (notify.Delivery, error) {
	return notify.Delivery{}, nil
}

func (acceptAllCodes) SendToMember(context.Context, int64, notify.Subject, rest.Visitor, bool) (notify.Delivery, error) {
	return notify.Delivery{}, nil
}

func (acceptAllCodes) Check(context.Context, notify.Subject, string, string) error {
	return nil
}

func (acceptAllCodes) CheckCodeIn(context.Context, *db.Tx, notify.Subject, string, string) (refused, err error) {
	return nil, nil
}

func TestConcurrentBindings(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]struct {
		path, field string
		spellings   []string // one per member
	}{
		"number":  {"/wps/member/mobile", "mobileNum", []string{"0912345678", "912345678", " 0912345678"}},
		"address": {"/wps/member/email", "email", []string{"minh@b.co", "Minh@b.co", "minh@B.co"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				h := newServer(t, store)
				h.acceptAnyCode(t)
				var tokens []string
				for _, username := range []string{"minhanh92", "other001", "other002"} {
					_, token := h.member(t, username, "qua-xanh7", member.Player)
					tokens = append(tokens, token)
				}
				var all sync.WaitGroup
				var bound atomic.Int64
				for i, token := range tokens {
					b := body{target.field: target.spellings[i], "verificationCode": "000000", "password": "qua-xanh7"}
					if target.field == "mobileNum" {
						b = b.with("countryDialingCode", "84")
					}
					all.Go(func() {
						switch reply := h.Call(t, "PUT", target.path, b, "Authorization", token); reply.Status {
						case http.StatusOK:
							bound.Add(1)
						case http.StatusConflict:
						default:
							t.Errorf("got %d %s, want 200 or 409", reply.Status, reply.Body)
						}
					})
				}
				all.Wait()
				if n := h.count(t, "member WHERE mobile IS NOT NULL OR email IS NOT NULL"); n != 1 || bound.Load() != 1 {
					t.Errorf("%d members have it, %d responses were OK, want 1 and 1", n, bound.Load())
				}
			})
		})
	}
}
