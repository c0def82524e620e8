package vendor

import (
	"net/http"
	"strings"

	"fairground/internal/platform/rest"
)

// What the document says of each call's body. The types are read by nobody else: read takes bodies apart, by needs and forms,
// and a test holds these against it.
type (
	authenticateBody struct {
		RequestID string `json:"requestId,omitempty" pattern:"^[!-~]{1,128}$" doc:"Yours. The same again with the same ticket, while that is good, gives the same session."`
		Ticket    string `json:"ticket" pattern:"^[!-~]{1,128}$" doc:"As it stood in the launch address."`
	}

	// SessionBody is what every other call has.
	SessionBody struct {
		RequestID string `json:"requestId,omitempty" pattern:"^[!-~]{1,128}$" doc:"Yours; not part of a call's content."`
		SessionID string `json:"sessionId" pattern:"^[!-~]{1,128}$" doc:"As authenticate gave it; not part of a call's content."`
	}

	balanceBody struct {
		SessionBody

		Currency string `json:"currency,omitempty" pattern:"^[A-Z0-9]{3,8}$"`
		GameCode string `json:"gameCode,omitempty" pattern:"^[A-Za-z0-9._-]{1,64}$"`
	}

	// RoundBody is a movement in a round of the game that was launched.
	RoundBody struct {
		SessionBody

		Currency string `json:"currency" pattern:"^[A-Z0-9]{3,8}$" doc:"What the player plays in, as authenticate said."`
		GameCode string `json:"gameCode" pattern:"^[A-Za-z0-9._-]{1,64}$" doc:"The game that was launched."`
		RoundID  string `json:"roundId" pattern:"^[A-Za-z0-9._:-]{1,64}$" doc:"Yours; unique for the player."`
		TxID     string `json:"txId" pattern:"^[A-Za-z0-9._:-]{1,64}$" doc:"Yours; unique among all your calls. The same again with the same content is answered as the first time."`
	}

	betBody struct {
		RoundBody

		Amount string `json:"amount" pattern:"^[0-9]{1,40}(\\.[0-9]{1,18})?$" doc:"More than 0, in the currency's unit, with at most its decimals; at most 10^15."`
	}

	winBody struct {
		RoundBody

		Amount   string `json:"amount" pattern:"^[0-9]{1,40}(\\.[0-9]{1,18})?$" doc:"0 is a lost round. In the currency's unit, with at most its decimals; at most 10^15 of its smallest unit."`
		EndRound bool   `json:"endRound,omitempty" doc:"The round is closed by this win."`
	}

	rollbackBody struct {
		SessionBody

		Currency string `json:"currency,omitempty" pattern:"^[A-Z0-9]{3,8}$"`
		GameCode string `json:"gameCode,omitempty" pattern:"^[A-Za-z0-9._-]{1,64}$"`
		RoundID  string `json:"roundId,omitempty" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
		TxID     string `json:"txId" pattern:"^[A-Za-z0-9._:-]{1,64}$" doc:"Of the rollback itself."`
		RefTxID  string `json:"refTxId" pattern:"^[A-Za-z0-9._:-]{1,64}$" doc:"Of the bet that is taken back; another than txId."`
	}

	endRoundBody struct {
		SessionBody

		Currency string `json:"currency,omitempty" pattern:"^[A-Z0-9]{3,8}$"`
		GameCode string `json:"gameCode,omitempty" pattern:"^[A-Za-z0-9._-]{1,64}$"`
		RoundID  string `json:"roundId" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
		TxID     string `json:"txId" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
	}

	promoBody struct {
		SessionBody

		Currency string `json:"currency" pattern:"^[A-Z0-9]{3,8}$"`
		GameCode string `json:"gameCode,omitempty" pattern:"^[A-Za-z0-9._-]{1,64}$"`
		RoundID  string `json:"roundId,omitempty" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
		TxID     string `json:"txId" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
		Amount   string `json:"amount" pattern:"^[0-9]{1,40}(\\.[0-9]{1,18})?$" doc:"More than 0, in the currency's unit, with at most its decimals; at most 10^15 of its smallest unit."`
		Reason   string `json:"reason" minLength:"1" maxLength:"200" pattern:"^[^\\x00-\\x1f\\x7f]+$" doc:"What it is for; at most 200 bytes."`
	}
)

// signedInput is what the document says of every call: its headers, and a body of its own.
type signedInput[B any] struct {
	Vendor    string `header:"X-Vendor" required:"true" doc:"The vendor's code."`
	Key       string `header:"X-Key" required:"true" doc:"The key's id."`
	Timestamp string `header:"X-Timestamp" required:"true" pattern:"^[0-9]{1,15}$" doc:"Unix milliseconds; at most 300 s from the server's."`
	Signature string `header:"X-Signature" required:"true" pattern:"^[0-9a-f]{64}$" doc:"Lower-case hexadecimal HMAC-SHA256 of timestamp, a full stop and the raw body, under the key as it was printed."`
	Body      B
}

// ProtocolRoutes adds the vendors' calls to the API.
func ProtocolRoutes(a *rest.API, s *Service) {
	register[authenticateBody](a, s, callAuthenticate, "Exchange a launch ticket for a session")
	register[balanceBody](a, s, callBalance, "What the player has")
	register[betBody](a, s, callBet, "Stake: opens the round or adds to it")
	register[winBody](a, s, callWin, "Credit a round that has a standing bet; 0 is a lost one")
	register[rollbackBody](a, s, callRollback, "Reverse a bet, once; one that has not come is refused for ever")
	register[endRoundBody](a, s, callEndRound, "Close a round; nothing moves")
	register[promoBody](a, s, callPromo, "Credit a promotion of the vendor's, outside any round")
	// Whoever calls something else speaks the protocol, and is answered in it.
	a.Mount("POST /vendor/v1/{call...}", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		send(w, http.StatusBadRequest, refusal{invalidRequest, "call"})
	}))
}

func register[B any](a *rest.API, s *Service, c call, summary string) {
	rest.Plain[signedInput[B], answer, refusal](a, rest.Op{
		Method: http.MethodPost, Path: "/vendor/v1/" + string(c), ID: "vendor" + strings.ToUpper(string(c[:1])) + string(c[1:]),
		Tag: "vendor protocol", Summary: summary, MaxBody: maxBody, WhileClosed: true,
		Description: "For game vendors' servers, not for the app; docs/vendor-guide.md says how. What was understood is answered 200 with a `code`, refusals too. " +
			"400: malformed, with the field that is. 401: not signed as it should be. 503, like any 5xx or no answer: the outcome is unknown, send the same request again. " +
			"Fields of other calls are taken and not read; any other is refused.",
		OnReject: refuse,
	}, s.serve(c), http.StatusBadRequest, http.StatusUnauthorized, http.StatusServiceUnavailable)
}
