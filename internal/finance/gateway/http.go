package gateway

import (
	"net/http"

	"fairground/internal/platform/rest"
)

const tag = "payment gateway"

// noticeInput describes a notice in the API document. The handler parses the request itself.
type noticeInput struct {
	Gateway   string `path:"gateway" doc:"The gateway's code, the same as in X-Gateway."`
	Code      string `header:"X-Gateway" required:"true" doc:"The gateway's code."`
	Key       string `header:"X-Key" required:"true" doc:"The key's id."`
	Timestamp string `header:"X-Timestamp" required:"true" pattern:"^[0-9]{1,15}$" doc:"Unix milliseconds, at most 300 seconds from the server's time."`
	Signature string `header:"X-Signature" required:"true" pattern:"^[0-9a-f]{64}$" doc:"Lower-case hexadecimal HMAC-SHA256 of the timestamp, a full stop, the path, a full stop and the raw body."`
	Body      noticeBody
}

// NoticeRoutes declares the routes that gateways call.
func NoticeRoutes(a *rest.API, s *Service) {
	for _, kind := range []string{KindPayment, KindPayout} {
		op := rest.Op{Method: http.MethodPost, Path: "/pay/v1/{gateway}/" + kind, ID: kind + "Notice", Tag: tag, Summary: "A gateway reports the state of a " + kind}
		op.MaxBody, op.OnReject, op.WhileClosed = maxBody, reject, true
		op.Description = "OK: the notice took effect, or needs none. AMOUNT_MISMATCH, LATE and CONFLICT: nothing moves, and an operator decides. " +
			"UNKNOWN: the reference is not one of this gateway's. A status of 5xx means that the result is unknown: repeat the notice."
		rest.Plain[noticeInput, noticeReply, noticeFailure](a, op, s.serve(kind), http.StatusBadRequest, http.StatusUnauthorized, http.StatusServiceUnavailable)
	}
}
