package events

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// operatorPrefix separates operators' ids from members' ids.
const operatorPrefix = "operator/"

const operatorStreamDescription = "Items `change`: {things, id}: objects of the operator's API that changed. `things` is their name in the address, such as `members`; without an id any of them may have changed.\n\n" +
	"`session`: {state: \"ended\"}: the session is over, and the stream with it."

// OperatorKey returns the value of SessionEnded.Member for an operator.
func OperatorKey(id int64) string { return operatorPrefix + strconv.FormatInt(id, 10) }

// A Desk informs operators' open screens about changes.
type Desk struct {
	Outbox *Outbox
	Now    func() time.Time
}

// Changed reports to all operators that an object of the installation changes in the transaction tx. An empty id means that
// any object of the kind may have changed.
func (d Desk) Changed(ctx context.Context, tx *db.Tx, things, id string) error {
	return d.ChangedOf(ctx, tx, 0, things, id)
}

// ChangedOf is Changed for an object of a merchant. Operators of other merchants do not receive it. The merchant 0 means all.
func (d Desk) ChangedOf(ctx context.Context, tx *db.Tx, merchantID int64, things, id string) error {
	data, err := json.Marshal(struct {
		Things string `json:"things"`
		ID     string `json:"id,omitempty"`
	}{things, id})
	if err != nil {
		return fmt.Errorf("encode change: %w", err)
	}
	m := Message{Event: "change", Data: data, Operators: true}
	if merchantID != 0 {
		m.Merchant = strconv.FormatInt(merchantID, 10)
	}
	return d.Outbox.Add(ctx, tx, d.Now(), m)
}

// OperatorRoutes adds the operators' event stream to the API.
func OperatorRoutes(a *rest.API, h *Hub, sessions Sessions) {
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/events", ID: "opsEvents", Tag: "operators",
		Summary: "Event stream: what changed on the operator's screens", Description: operatorStreamDescription,
		Access: rest.Operators, Permission: permission.OwnSession, Stream: true, ContentType: "text/event-stream",
	}, &streamer{hub: h, sessions: sessions, caller: operatorCaller})
}

// operatorCaller returns the operator who makes the request.
func operatorCaller(ctx context.Context) (reader, bool) {
	operator, ok := rest.OperatorOf(ctx)
	r := reader{key: OperatorKey(operator.ID), sessionID: operator.SessionID}
	if operator.Merchant.ID != 0 {
		r.merchant = strconv.FormatInt(operator.Merchant.ID, 10)
	}
	return r, ok
}
