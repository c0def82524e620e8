package series

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// An OpsSeries is the operators' view of a series.
type OpsSeries struct {
	Reply
	Status  string   `json:"status" enum:"waiting,running,ended"`
	Version int64    `json:"version"`
	Actions []string `json:"actions" doc:"What can be done: announce, value, end."`

	index int
}

type announceInput struct {
	Body struct {
		Kind   string `json:"kind" enum:"table,jackpot,lottery"`
		Name   string `json:"name" minLength:"1" maxLength:"64"`
		Detail string `json:"detail" minLength:"1" maxLength:"300" doc:"Which public result, so that everyone can find it."`
		Digits int    `json:"digits,omitempty" minimum:"1" maximum:"20" doc:"How many digits the result has, with leading zeros. The default is 5, unless detail ends with a number such as (6 digits)."`
		DueAt  int64  `json:"dueAt" minimum:"1" doc:"When the result becomes public, in Unix milliseconds: at least 24 hours ahead."`
	}
}

type valueInput struct {
	ID   int64 `path:"id"`
	Body struct {
		Version int64  `json:"version"`
		Value   string `json:"value" minLength:"1" maxLength:"200" doc:"The result: up to 100 letters and digits."`
		Reason  string `json:"reason,omitempty" maxLength:"500"`
	}
}

type endInput struct {
	ID   int64 `path:"id"`
	Body struct {
		Version int64  `json:"version"`
		Reason  string `json:"reason,omitempty" maxLength:"500"`
	}
}

// An OpsEntered is the reply after a result was entered.
type OpsEntered struct {
	Approval *Approval `json:"approval,omitempty" doc:"Present while the change waits for a second person."`
}

func scopeOf(ctx context.Context) scope {
	operator, _ := rest.OperatorOf(ctx)
	return scope{merchantID: rest.MerchantOf(ctx).ID, all: operator.Merchant.ID == 0}
}

// OpsRoutes registers the operator endpoints.
func OpsRoutes(a *rest.API, s *Service) {
	op := func(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
		return rest.Op{Method: method, Path: path, ID: id, Tag: "fairness", Access: rest.Operators, Permission: permission.HouseRepair, Summary: summary, Faults: faults}
	}
	type seriesInput struct{ oplist.Params }
	allow := func(context.Context, string) error { return nil }
	oplist.Register(a, allow, oplist.List[seriesInput, OpsSeries]{
		Op: op(http.MethodGet, "/ops/v1/fairness", "opsSeries", "Series of seeds"), Permission: string(permission.HouseRepair),
		Sorts: []string{"name"}, States: []string{Waiting, Running, Ended}, File: "series.csv",
		Columns: []oplist.Column[OpsSeries]{
			{Name: "id", Text: func(info OpsSeries) string { return info.ID }}, {Name: "kind", Text: func(info OpsSeries) string { return info.Kind }},
			{Name: "name", Text: func(info OpsSeries) string { return info.Name }}, {Name: "generation", Text: func(info OpsSeries) string { return strconv.FormatInt(info.Generation, 10) }},
			{Name: "state", Text: func(info OpsSeries) string { return info.State }}, {Name: "source", Text: func(info OpsSeries) string { return info.Source }},
			{Name: "detail", Text: func(info OpsSeries) string { return info.Detail }}, {Name: "value", Text: func(info OpsSeries) string { return info.Value }},
			{Name: "end", Text: func(info OpsSeries) string { return info.End }}, {Name: "salt", Text: func(info OpsSeries) string { return info.Salt }},
		},
		Select: func(ctx context.Context, in *seriesInput, after page.Key, limit int) ([]OpsSeries, error) {
			all, err := s.List(ctx, "")
			by, found, search := scopeOf(ctx), []OpsSeries{}, strings.ToLower(in.Q)
			for _, info := range all {
				if by.maySee(info.Kind, info.Name) && (in.State == "" || in.State == info.State) && strings.Contains(strings.ToLower(info.Kind+" "+info.Name), search) {
					row := opsReply(info, s.o.Now(), by)
					row.index = len(found)
					found = append(found, row)
				}
			}
			return oplist.Slice(found, after, limit), err
		},
		Key: func(info OpsSeries, _ string) page.Key { return oplist.IndexKey(info.index) },
	})
	type oneInput struct {
		ID int64 `path:"id"`
	}
	rest.Typed(a, op(http.MethodGet, "/ops/v1/fairness/{id}", "opsOneSeries", "One series of seeds", ErrNotFound), func(ctx context.Context, in *oneInput) (OpsSeries, error) {
		info, err := s.findFor(ctx, scopeOf(ctx), in.ID)
		return opsReply(info, s.o.Now(), scopeOf(ctx)), err
	})
	rest.Typed(a, op(http.MethodPost, "/ops/v1/fairness", "opsAnnounceSeries", "Publish the next series of a name, which waits for a public result", ErrNotFound, ErrTooSoon, ErrAnnounced), func(ctx context.Context, in *announceInput) (OpsSeries, error) {
		b := in.Body
		info, err := s.announce(ctx, scopeOf(ctx), announcement{b.Kind, b.Name, b.Detail, b.Digits, time.UnixMilli(b.DueAt)})
		return opsReply(info, s.o.Now(), scopeOf(ctx)), err
	})
	rest.Typed(a, op(http.MethodPost, "/ops/v1/fairness/{id}/value", "opsEnterSeriesValue", "Enter the announced result, which needs two people", ErrNotFound, ErrNotWaiting, ErrNotDue, ErrValue, rest.ErrStale), func(ctx context.Context, in *valueInput) (OpsEntered, error) {
		approval, err := s.enterResult(ctx, scopeOf(ctx), in.ID, in.Body.Version, in.Body.Value, in.Body.Reason)
		return OpsEntered{approval}, err
	})
	rest.Typed(a, op(http.MethodPost, "/ops/v1/fairness/{id}/end", "opsEndSeries", "End a series that waits for its salt", ErrNotFound, ErrNotWaiting, rest.ErrStale), func(ctx context.Context, in *endInput) (OpsSeries, error) {
		info, err := s.endWaiting(ctx, scopeOf(ctx), in.ID, in.Body.Version, in.Body.Reason)
		return opsReply(info, s.o.Now(), scopeOf(ctx)), err
	})
}

func opsReply(info Info, now time.Time, by scope) OpsSeries {
	out := OpsSeries{Reply: ReplyOf(info), Status: info.State, Version: info.Version, Actions: []string{}}
	switch {
	case !by.mayChange(info.Kind, info.Name):
	case info.State == Running:
		out.Actions = []string{"announce"}
	case info.State == Waiting && info.Source == Announced && !now.Before(info.DueAt):
		out.Actions = []string{"value", "end"}
	case info.State == Waiting:
		out.Actions = []string{"end"}
	}
	return out
}
