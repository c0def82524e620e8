package notify

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"fairground/internal/platform/rest"
)

// A letter is a message in the local outbox.
type letter struct {
	ID        string `json:"id"`
	Channel   string `json:"channel"`
	To        string `json:"to"`
	Subject   string `json:"subject"`
	Text      string `json:"text"`
	Kind      string `json:"kind"`
	State     string `json:"state"`
	CreatedAt int64  `json:"createdAt" doc:"Unix milliseconds."`
}

// Routes registers the endpoint of the local outbox.
func Routes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/dev/outbox", ID: "devOutbox", Tag: "dev",
		Summary: "List the messages in the local outbox of a demo, newest first; only for requests from the same machine or with the token for metrics", Access: rest.Public,
	}, s.outbox)
}

// outbox returns messages that contain codes. It therefore fails with ErrRouteUnknown outside a demo, and for requests from
// other machines without the token.
func (s *Service) outbox(ctx context.Context, _ *struct{}) ([]letter, error) {
	if !s.o.Local || !rest.IsLocal(ctx) && !rest.HasMetricsToken(ctx) {
		return nil, rest.ErrRouteUnknown
	}
	rows, err := s.o.Store.Q().LocalDispatches(ctx)
	if err != nil {
		return nil, fmt.Errorf("read outbox: %w", err)
	}
	letters := make([]letter, len(rows))
	for i, row := range rows {
		letters[i] = letter{
			ID: strconv.FormatInt(row.ID, 10), Channel: row.Channel, To: row.Recipient, Subject: row.Subject,
			Text: row.Body, Kind: row.Kind, State: row.State, CreatedAt: row.CreatedAt,
		}
	}
	return letters, nil
}
