package verification_test

import (
	"context"
	"net/http"

	"fairground/internal/identity/verification"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
)

type doorInput struct {
	Body struct {
		Target string `json:"target"`
		Code   string `json:"code"`
	}
}

// registerDoor is a call that takes a code, as login and registration do.
func registerDoor(a *rest.API, s *verification.Service) {
	rest.Wps(a, rest.Op{Method: http.MethodPost, Path: "/wps/door", ID: "door", Summary: "A door"},
		func(ctx context.Context, in *doorInput) (struct{}, error) {
			return struct{}{}, s.Verify(ctx, rest.MerchantOf(ctx).ID, notify.SMS, in.Body.Target, "login", "", in.Body.Code)
		})
}
