package session

import (
	"context"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// seen is the response form of an ActiveSession. The web app refers to it by its schema name.
type seen struct {
	ID        string `json:"id"`
	Device    string `json:"device"`
	Address   string `json:"address" doc:"Masked IP address."`
	Country   string `json:"country,omitempty" doc:"ISO 3166 code of the country of the address, if known."`
	CreatedAt int64  `json:"createdAt" doc:"Time of the login in Unix milliseconds."`
	SeenAt    int64  `json:"seenAt" doc:"Time of the last use in Unix milliseconds."`
	Current   bool   `json:"current" doc:"Whether this is the session of the request."`
}

type endInput struct {
	ID string `path:"id" maxLength:"20"`
}

func listRoutes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: "GET", Path: "/wps/session/list", ID: "listSessions", Tag: "session",
		Summary: "List the active sessions of the member", Access: rest.Session,
	}, s.list)
	rest.Typed(a, rest.Op{
		Method: "DELETE", Path: "/wps/session/{id}", ID: "endSession", Tag: "session",
		Summary: "End one of the member's sessions", Access: rest.Session, Faults: []*fault.Fault{ErrUnknown},
	}, s.endOwn)
	rest.Typed(a, rest.Op{
		Method: "DELETE", Path: "/wps/session/others", ID: "endOtherSessions", Tag: "session",
		Summary: "End all other sessions of the member", Access: rest.Session,
	}, s.endOthers)
}

func (s *Service) list(ctx context.Context, _ *struct{}) ([]seen, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return nil, rest.ErrNoSession
	}
	rows, err := s.List(ctx, caller)
	list := make([]seen, len(rows))
	for i, r := range rows {
		list[i] = seen{
			ID: formatID(r.ID), Device: r.Device, Address: r.Address, Country: r.Country,
			CreatedAt: db.Millis(r.Created), SeenAt: db.Millis(r.Used), Current: r.ID == caller.SessionID,
		}
	}
	return list, err
}

func (s *Service) endOwn(ctx context.Context, in *endInput) (struct{}, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return struct{}{}, rest.ErrNoSession
	}
	id, err := strconv.ParseInt(in.ID, 10, 64)
	if err != nil {
		return struct{}{}, ErrUnknown
	}
	return struct{}{}, s.EndOwn(ctx, caller, id)
}

func (s *Service) endOthers(ctx context.Context, _ *struct{}) (struct{}, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return struct{}{}, rest.ErrNoSession
	}
	return struct{}{}, s.EndOthers(ctx, caller)
}
