package notify

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"fairground/internal/platform/rest"
)

// letter is a message that stayed here, as the developer of a demo sees it.
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

// Routes adds the local outbox to the API.
func Routes(a *rest.API, s *Service) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/dev/outbox", ID: "devOutbox", Tag: "dev",
		Summary: "Messages that a demo kept to itself, newest first; on the same machine only", Access: rest.Public,
	}, s.outbox)
}

// outbox does not exist outside a demo, nor for anyone who is not on this machine: it shows codes.
func (s *Service) outbox(ctx context.Context, _ *struct{}) ([]letter, error) {
	if !s.o.Local || !rest.IsLocal(ctx) {
		return nil, rest.ErrRouteUnknown
	}
	rows, err := s.o.Store.Q().LocalDispatches(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the outbox: %w", err)
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
