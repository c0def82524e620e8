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

// Screens informs operators' open screens about changes.
type Screens struct {
	Outbox *Outbox
	Now    func() time.Time
}

// Changed reports to all operators that an object of the installation changes in the transaction tx. An empty id means that
// any object of the collection may have changed.
func (s Screens) Changed(ctx context.Context, tx *db.Tx, collection, id string) error {
	return s.ChangedOf(ctx, tx, 0, collection, id)
}

// ChangedOf is Changed for an object of a merchant. Operators of other merchants do not receive it. The merchant 0 means all.
func (s Screens) ChangedOf(ctx context.Context, tx *db.Tx, merchantID int64, collection, id string) error {
	m, err := changeOf(merchantID, collection, id)
	if err != nil {
		return err
	}
	return s.Outbox.Add(ctx, tx, s.Now(), m)
}

// ChangedIn reports to the operators of a merchant, or to all if merchantID is 0, that objects of each collection change in the
// transaction tx. Without a call of Outbox.Wake after the commit, they learn it within a second.
func ChangedIn(ctx context.Context, tx *db.Tx, now time.Time, merchantID int64, collections ...string) error {
	messages := make([]Message, len(collections))
	for i, collection := range collections {
		var err error
		if messages[i], err = changeOf(merchantID, collection, ""); err != nil {
			return err
		}
	}
	return addIn(ctx, tx, now, messages...)
}

func changeOf(merchantID int64, collection, id string) (Message, error) {
	data, err := json.Marshal(struct {
		Things string `json:"things"`
		ID     string `json:"id,omitempty"`
	}{collection, id})
	if err != nil {
		return Message{}, fmt.Errorf("encode change: %w", err)
	}
	m := Message{Event: "change", Data: data, Operators: true}
	if merchantID != 0 {
		m.Merchant = strconv.FormatInt(merchantID, 10)
	}
	return m, nil
}

// OperatorRoutes adds the operators' event stream to the API.
func OperatorRoutes(a *rest.API, h *Hub, sessions Sessions) {
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/events", ID: "opsEvents", Tag: "operators",
		Summary: "Event stream: what changed on the operator's screens", Description: operatorStreamDescription,
		Access: rest.Operators, Permission: permission.OwnSession, Stream: true, ContentType: "text/event-stream",
	}, &streamer{hub: h, sessions: sessions, caller: operatorCaller})
}

func operatorCaller(ctx context.Context) (reader, bool) {
	operator, ok := rest.OperatorOf(ctx)
	r := reader{key: OperatorKey(operator.ID), sessionID: operator.SessionID}
	if operator.Merchant.ID != 0 {
		r.merchant = strconv.FormatInt(operator.Merchant.ID, 10)
	}
	return r, ok
}
