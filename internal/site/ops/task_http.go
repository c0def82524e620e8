package ops

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/tasks"
)

type taskReply struct {
	ID        string `json:"id"`
	Kind      string `json:"kind" doc:"Such as approval or hold."`
	Reference string `json:"reference"`
	Object    string `json:"object" doc:"Place of the object in this API, such as members/1234."`
	State     string `json:"state" enum:"open,claimed,done"`
	Status    string `json:"status"`
	ClaimedBy string `json:"claimedBy"`
	CreatedAt int64  `json:"createdAt"`
	DoneAt    int64  `json:"doneAt"`
	DoneBy    string `json:"doneBy"`
	Version   int64  `json:"version"`
}

func taskOf(t query.Task) taskReply {
	return taskReply{
		strconv.FormatInt(t.ID, 10), t.Kind, t.Reference, t.Object, t.State, t.State, t.ClaimedBy, t.CreatedAt, t.DoneAt, t.DoneBy, t.Version,
	}
}

// anyOperator accepts every operator, because the list filters its rows by permission or rest checks the endpoint's permission.
func anyOperator(context.Context, string) error { return nil }

func visitorOf(ctx context.Context) tasks.Visitor {
	by, _ := rest.OperatorOf(ctx)
	return tasks.Visitor{Name: by.Name, MerchantID: by.Merchant.ID, Can: by.Can}
}

// permissionText returns the caller's permissions between bars, as queries need them: |a|b|.
func permissionText(ctx context.Context) string {
	by, _ := rest.OperatorOf(ctx)
	var b strings.Builder
	b.WriteByte('|')
	for _, p := range by.Permissions {
		b.WriteString(string(p) + "|")
	}
	return b.String()
}

type taskInput struct {
	oplist.Params

	Kind string `query:"kind" maxLength:"32"`
}

func taskRoutes(a *rest.API, s *Service) {
	base := rest.Op{Tag: tag, Access: rest.Operators, Permission: permission.OwnSession}
	list := base
	list.Path, list.ID, list.Summary = "/ops/v1/tasks", "opsTasks", "Work that waits for the caller, newest first"
	list.Description = "Each kind of task has its own permission. q finds a reference."
	oplist.Register(a, anyOperator, oplist.List[taskInput, taskReply]{
		Op: list, Permission: string(permission.OwnSession), Sorts: []string{"id"}, States: []string{tasks.Open, tasks.Claimed, tasks.Done}, File: "tasks.csv",
		Columns: []oplist.Column[taskReply]{
			{Name: "id", Text: func(t taskReply) string { return t.ID }},
			{Name: "kind", Text: func(t taskReply) string { return t.Kind }},
			{Name: "reference", Text: func(t taskReply) string { return t.Reference }},
			{Name: "state", Text: func(t taskReply) string { return t.State }},
			{Name: "claimedBy", Text: func(t taskReply) string { return t.ClaimedBy }},
			{Name: "createdAt", Text: func(t taskReply) string { return timeText(t.CreatedAt) }},
		},
		Select: func(ctx context.Context, in *taskInput, after page.Key, limit int) ([]taskReply, error) {
			merchantID, sharedID := rest.ListedMerchants(ctx)
			rows, err := s.o.Store.Q().Tasks(ctx, query.TasksParams{
				Before: after.At, State: in.State, Kind: in.Kind, Reference: strings.TrimSpace(in.Q), MerchantID: merchantID, SharedID: sharedID,
				Since: in.From, Until: untilOrMax(in.To), Permissions: permissionText(ctx), Most: int32(limit),
			})
			out := make([]taskReply, len(rows))
			for i, row := range rows {
				out[i] = taskOf(row)
			}
			return out, err
		},
		Key: func(t taskReply, _ string) page.Key { return idKey(t.ID) },
	})
	type oneInput struct {
		ID int64 `path:"id"`
	}
	show := base
	show.Method, show.Path, show.ID, show.Summary = http.MethodGet, "/ops/v1/tasks/{id}", "opsTask", "One task"
	show.Faults = []*fault.Fault{tasks.ErrUnknown}
	rest.Typed(a, show, func(ctx context.Context, in *oneInput) (taskReply, error) {
		t, err := s.o.Tasks.Find(ctx, visitorOf(ctx), in.ID)
		return taskOf(t), err
	})
	act := base
	act.Method, act.Path, act.ID, act.Summary = http.MethodPost, "/ops/v1/tasks/{id}/{action}", "opsActOnTask", "Claim a task, give it back, or close it"
	act.Faults = []*fault.Fault{tasks.ErrUnknown, rest.ErrStale, tasks.ErrClaimed, tasks.ErrDone}
	type taskActInput struct {
		ID     int64  `path:"id"`
		Action string `path:"action" enum:"claim,release,done"`
		Body   struct {
			Version int64  `json:"version"`
			Reason  string `json:"reason,omitempty" maxLength:"500"`
		}
	}
	rest.Typed(a, act, func(ctx context.Context, in *taskActInput) (taskReply, error) {
		t, err := s.o.Tasks.Act(ctx, visitorOf(ctx), in.ID, in.Body.Version, in.Action)
		return taskOf(t), err
	})
}

func idKey(id string) page.Key {
	n, _ := strconv.ParseInt(id, 10, 64) // this package wrote the id
	return page.Key{At: n}
}

func timeText(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format(time.RFC3339)
}
