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

// credulous takes every code for right: the moment between the proof and the row is what is tried here.
type credulous struct{}

func (credulous) Send(context.Context, notify.Subject, rest.Visitor, bool) (notify.Delivery, error) {
	return notify.Delivery{}, nil
}

func (credulous) SendToMember(context.Context, int64, notify.Subject, rest.Visitor, bool) (notify.Delivery, error) {
	return notify.Delivery{}, nil
}

func (credulous) Check(context.Context, notify.Subject, string, string) error {
	return nil
}

func (credulous) CheckIn(context.Context, *db.Tx, notify.Subject, string, string) (refused, err error) {
	return nil, nil
}

// Of members who prove one number or one address at once, one has it and the others are told that it is taken.
func TestBindingsAtOnce(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]struct {
		path, field string
		as          []string // the same target, as each of them writes it
	}{
		"number":  {"/wps/member/mobile", "mobileNum", []string{"0912345678", "912345678", " 0912345678"}},
		"address": {"/wps/member/email", "email", []string{"minh@b.co", "Minh@b.co", "minh@B.co"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				h := newSite(t, store)
				h.trustAnyCode(t)
				var tokens []string
				for _, username := range []string{"minhanh92", "other001", "other002"} {
					_, token := h.member(t, username, "qua-xanh7", member.Player)
					tokens = append(tokens, token)
				}
				var all sync.WaitGroup
				var bound atomic.Int64
				for i, token := range tokens {
					b := body{way.field: way.as[i], "verificationCode": "000000", "password": "qua-xanh7"}
					if way.field == "mobileNum" {
						b = b.with("countryDialingCode", "84")
					}
					all.Go(func() {
						switch reply := h.Call(t, "PUT", way.path, b, "Authorization", token); reply.Status {
						case http.StatusOK:
							bound.Add(1)
						case http.StatusConflict:
						default:
							t.Errorf("%d %s", reply.Status, reply.Body)
						}
					})
				}
				all.Wait()
				if n := h.count(t, "member WHERE mobile IS NOT NULL OR email IS NOT NULL"); n != 1 || bound.Load() != 1 {
					t.Errorf("%d have it, %d were told so", n, bound.Load())
				}
			})
		})
	}
}
