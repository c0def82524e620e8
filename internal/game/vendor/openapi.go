package vendor

import (
	"net/http"
	"strings"

	"fairground/internal/platform/rest"
)

// The OpenAPI schemas of the calls' bodies. parseRequest does not use them; a test compares them with requiredFields
// and fieldFormats.
type (
	authenticateBody struct {
		RequestID string `json:"requestId,omitempty" pattern:"^[!-~]{1,128}$" doc:"Chosen by the vendor. Repeating it with the same ticket returns the same session while the ticket is valid."`
		Ticket    string `json:"ticket" pattern:"^[!-~]{1,128}$" doc:"From the launch URL."`
	}

	// SessionBody holds the fields of every call except authenticate.
	SessionBody struct {
		RequestID string `json:"requestId,omitempty" pattern:"^[!-~]{1,128}$" doc:"Chosen by the vendor; not part of the call's content."`
		SessionID string `json:"sessionId" pattern:"^[!-~]{1,128}$" doc:"From authenticate; not part of the call's content."`
	}

	balanceBody struct {
		SessionBody

		Currency string `json:"currency,omitempty" pattern:"^[A-Z0-9]{3,8}$"`
		GameCode string `json:"gameCode,omitempty" pattern:"^[A-Za-z0-9._-]{1,64}$"`
	}

	// RoundBody holds the fields of a bet or a win.
	RoundBody struct {
		SessionBody

		Currency string `json:"currency" pattern:"^[A-Z0-9]{3,8}$" doc:"The player's currency, from authenticate."`
		GameCode string `json:"gameCode" pattern:"^[A-Za-z0-9._-]{1,64}$" doc:"The launched game."`
		RoundID  string `json:"roundId" pattern:"^[A-Za-z0-9._:-]{1,64}$" doc:"Chosen by the vendor; unique per player."`
		TxID     string `json:"txId" pattern:"^[A-Za-z0-9._:-]{1,64}$" doc:"Chosen by the vendor; unique among all its calls. Repeating it with the same content returns the first response."`
	}

	betBody struct {
		RoundBody

		Amount string `json:"amount" pattern:"^[0-9]{1,40}(\\.[0-9]{1,18})?$" doc:"Units of the currency, greater than 0, with at most its decimals; at most 10^15."`
	}

	winBody struct {
		RoundBody

		Amount   string `json:"amount" pattern:"^[0-9]{1,40}(\\.[0-9]{1,18})?$" doc:"Units of the currency, with at most its decimals; 0 for a lost round. At most 10^15 of its smallest unit."`
		EndRound bool   `json:"endRound,omitempty" doc:"This win ends the round."`
	}

	rollbackBody struct {
		SessionBody

		Currency string `json:"currency,omitempty" pattern:"^[A-Z0-9]{3,8}$"`
		GameCode string `json:"gameCode,omitempty" pattern:"^[A-Za-z0-9._-]{1,64}$"`
		RoundID  string `json:"roundId,omitempty" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
		TxID     string `json:"txId" pattern:"^[A-Za-z0-9._:-]{1,64}$" doc:"The rollback's own ID."`
		RefTxID  string `json:"refTxId" pattern:"^[A-Za-z0-9._:-]{1,64}$" doc:"The txId of the bet to reverse; must differ from txId."`
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
		Amount   string `json:"amount" pattern:"^[0-9]{1,40}(\\.[0-9]{1,18})?$" doc:"Units of the currency, greater than 0, with at most its decimals; at most 10^15 of its smallest unit."`
		Reason   string `json:"reason" minLength:"1" maxLength:"200" pattern:"^[^\\x00-\\x1f\\x7f]+$" doc:"Why it is credited; at most 200 bytes."`
	}
)

// signedInput is the OpenAPI input of every call.
type signedInput[B any] struct {
	Vendor    string `header:"X-Vendor" required:"true" doc:"The vendor's code."`
	Key       string `header:"X-Key" required:"true" doc:"The key's ID."`
	Timestamp string `header:"X-Timestamp" required:"true" pattern:"^[0-9]{1,15}$" doc:"Unix milliseconds; at most 300 seconds from the server's time."`
	Signature string `header:"X-Signature" required:"true" pattern:"^[0-9a-f]{64}$" doc:"Lower-case hexadecimal HMAC-SHA256 of the timestamp, a full stop, the path (/vendor/v1/ and the name of the call), a full stop and the raw body. The HMAC key is the printed text."`
	Body      B
}

// ProtocolRoutes adds the vendor protocol's calls to the API.
func ProtocolRoutes(a *rest.API, s *Service) {
	register[authenticateBody](a, s, callAuthenticate, "Exchange a launch ticket for a session")
	register[balanceBody](a, s, callBalance, "Get the player's balance")
	register[betBody](a, s, callBet, "Place a bet, which opens the round or adds to it")
	register[winBody](a, s, callWin, "Credit a round that has a bet; 0 for a lost round")
	register[rollbackBody](a, s, callRollback, "Reverse a bet once; a bet that arrives later is refused")
	register[endRoundBody](a, s, callEndRound, "End a round without moving money")
	register[promoBody](a, s, callPromo, "Credit a vendor's promotion outside any round")
	// Unknown calls get an error in the protocol's format.
	a.Mount("POST /vendor/v1/{call...}", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusBadRequest, errorResponse{invalidRequest, "call"})
	}))
}

func register[B any](a *rest.API, s *Service, c call, summary string) {
	rest.Plain[signedInput[B], response, errorResponse](a, rest.Op{
		Method: http.MethodPost, Path: pathPrefix + string(c), ID: "vendor" + strings.ToUpper(string(c[:1])) + string(c[1:]),
		Tag: "vendor protocol", Summary: summary, MaxBody: maxBody, WhileClosed: true,
		Description: "For game vendors' servers, not for the app. See docs/vendor-guide.md. Valid requests are answered with status 200 and a `code`, including refusals. " +
			"400: a field is malformed. 401: the signature is not valid. 503, any other 5xx or no response: the outcome is unknown, so send the same request again. " +
			"Fields of other calls are accepted and ignored; unknown fields are rejected.",
		OnReject: writeRejection,
	}, s.serve(c), http.StatusBadRequest, http.StatusUnauthorized, http.StatusServiceUnavailable)
}
