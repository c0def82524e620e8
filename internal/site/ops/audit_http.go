package ops

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

func ratelimitFaults() []*fault.Fault { return []*fault.Fault{ratelimit.ErrLimited} }

const (
	defaultPage = 50
	maxPage     = 200
)

type approvalList struct {
	List []*approvalReply `json:"list"`
	Next string           `json:"next" doc:"Cursor of the next page; empty on the last."`
}

func approvalRoutes(a *rest.API, s *Service) {
	type listInput struct {
		State    string `query:"state" enum:"waiting,approved,refused,failed,"`
		Cursor   int64  `query:"cursor" doc:"The next of the page before."`
		PageSize int64  `query:"pageSize" minimum:"0" maximum:"200"`
	}
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/approvals", ID: "opsApprovals", Tag: tag, Access: rest.Operators, Permission: permission.OwnSession,
		Summary: "Changes that need a second person, newest first",
	}, func(ctx context.Context, in *listInput) (approvalList, error) {
		by, _ := rest.OperatorOf(ctx)
		rows, err := s.o.Store.Q().Approvals(ctx, query.ApprovalsParams{
			MerchantID: by.Merchant.ID, State: in.State, Before: cursor(in.Cursor), Most: int32(size(in.PageSize)) + 1,
		})
		if err != nil {
			return approvalList{}, fmt.Errorf("read approvals: %w", err)
		}
		out := approvalList{List: []*approvalReply{}}
		if int64(len(rows)) > size(in.PageSize) {
			rows = rows[:size(in.PageSize)]
			out.Next = strconv.FormatInt(rows[len(rows)-1].ID, 10)
		}
		for _, row := range rows {
			if by.Can(permission.Name(row.Permission)) {
				out.List = append(out.List, approvalOf(s.approval(row)))
			}
		}
		return out, nil
	})
	type decideInput struct {
		ID   int64 `path:"id"`
		Body struct {
			Decision string `json:"decision" enum:"approve,refuse"`
			Reason   string `json:"reason,omitempty" maxLength:"500"`
		}
	}
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/ops/v1/approvals/{id}", ID: "opsDecide", Tag: tag, Access: rest.Operators, Permission: permission.OwnSession, Dangerous: true,
		Summary: "Approve or refuse a change as the second person", Faults: []*fault.Fault{ErrNotFound, ErrSamePerson, ErrDecided, ErrStale, rest.ErrForbidden},
		Description: "Needs the permission of the approval.",
	}, func(ctx context.Context, in *decideInput) (*approvalReply, error) {
		by, _ := rest.OperatorOf(ctx)
		decided, err := s.Decide(ctx, by, in.ID, in.Body.Decision == "approve", in.Body.Reason)
		return approvalOf(decided), err
	})
}

// cursor returns the position before which a page ends.
func cursor(c int64) int64 {
	if c <= 0 {
		return math.MaxInt64
	}
	return c
}

func size(n int64) int64 {
	if n <= 0 {
		return defaultPage
	}
	return min(n, maxPage)
}

type auditRow struct {
	Seq        int64           `json:"seq"`
	At         int64           `json:"at"`
	MerchantID string          `json:"merchantId"`
	Operator   string          `json:"operator"`
	Permission string          `json:"permission"`
	Action     string          `json:"action"`
	Object     string          `json:"object"`
	Mode       string          `json:"mode" doc:"Empty, single, proposed, approved or refused."`
	Before     json.RawMessage `json:"before"`
	After      json.RawMessage `json:"after"`
	Address    string          `json:"address"`
	RequestID  string          `json:"requestId"`
	Digest     string          `json:"digest" doc:"Hexadecimal."`
}

type auditList struct {
	List []auditRow `json:"list"`
	Next string     `json:"next" doc:"Cursor of the next page; empty on the last."`
}

type verifyReply struct {
	Rows   int64  `json:"rows"`
	Head   string `json:"head" doc:"Digest of the last row, hexadecimal."`
	Broken int64  `json:"broken,omitempty" doc:"Sequence number of the first broken row."`
	Why    string `json:"why,omitempty"`
}

func auditRoutes(a *rest.API, s *Service) {
	type listInput struct {
		Operator   string `query:"operator" maxLength:"64"`
		Permission string `query:"permission" maxLength:"64"`
		Object     string `query:"object" maxLength:"128" doc:"Such as member/1234."`
		From       int64  `query:"from" minimum:"0" doc:"Unix milliseconds."`
		To         int64  `query:"to" minimum:"0" doc:"Unix milliseconds, exclusive."`
		Cursor     int64  `query:"cursor" doc:"The next of the page before."`
		PageSize   int64  `query:"pageSize" minimum:"0" maximum:"200"`
	}
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/audit", ID: "opsAudit", Tag: tag, Access: rest.Operators, Permission: permission.AuditRead,
		Summary: "The audit log, newest first",
	}, func(ctx context.Context, in *listInput) (auditList, error) {
		by, _ := rest.OperatorOf(ctx)
		rows, err := s.o.Store.Q().AuditPage(ctx, query.AuditPageParams{
			Before: cursor(in.Cursor), MerchantID: by.Merchant.ID, Operator: in.Operator, Permission: in.Permission, Object: in.Object,
			Since: in.From, Until: cursor(in.To), Most: int32(size(in.PageSize)) + 1,
		})
		if err != nil {
			return auditList{}, fmt.Errorf("read audit log: %w", err)
		}
		out := auditList{List: []auditRow{}}
		if int64(len(rows)) > size(in.PageSize) {
			rows = rows[:size(in.PageSize)]
			out.Next = strconv.FormatInt(rows[len(rows)-1].Seq, 10)
		}
		for _, r := range rows {
			out.List = append(out.List, auditRow{
				r.Seq, r.At, strconv.FormatInt(r.MerchantID, 10), r.Operator, r.Permission, r.Action, r.Object, r.Mode,
				json.RawMessage(r.Before), json.RawMessage(r.After), r.Address, r.RequestID, fmt.Sprintf("%x", r.Digest),
			})
		}
		return out, nil
	})
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/audit/verify", ID: "opsVerifyAudit", Tag: tag, Access: rest.Operators, Permission: permission.AuditRead,
		Summary: "Recompute the audit log's chain", Rate: &loginRate,
	}, func(ctx context.Context, _ *struct{}) (verifyReply, error) {
		report, err := audit.Verify(ctx, s.o.Store)
		return verifyReply(report), err
	})
}
