package verification_test

import (
	"context"
	"net/http"

	"fairground/internal/identity/verification"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
)

type checkInput struct {
	Body struct {
		Target string `json:"target"`
		Code   string `json:"code"`
	}
}

func checkRoutes(a *rest.API, s *verification.Service) {
	rest.Typed(a, rest.Op{Method: http.MethodPost, Path: "/wps/check", ID: "check", Summary: "Check a code"},
		func(ctx context.Context, in *checkInput) (struct{}, error) {
			return struct{}{}, s.Check(ctx, notify.Subject{
				MerchantID: rest.MerchantOf(ctx).ID, Channel: notify.SMS, Target: in.Body.Target, Purpose: notify.ForLogin,
			}, rest.NetworkOf(ctx), in.Body.Code)
		})
}
