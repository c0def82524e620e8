package ops

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

func ratelimitFaults() []*fault.Fault { return []*fault.Fault{ratelimit.ErrLimited} }

type approvalInput struct{ oplist.Params }

func approvalRoutes(a *rest.API, s *Service) {
	list := rest.Op{
		Path: "/ops/v1/approvals", ID: "opsApprovals", Tag: tag, Access: rest.Operators, Permission: permission.OwnSession,
		Summary: "Changes that need a second person, newest first", Description: "Only those whose permission the caller has. q finds an object.",
	}
	oplist.Register(a, anyOperator, oplist.List[approvalInput, *approvalReply]{
		Op: list, Permission: string(permission.OwnSession), Sorts: []string{"id"}, States: []string{Waiting, Approved, Refused, Failed}, File: "approvals.csv",
		Columns: []oplist.Column[*approvalReply]{
			{Name: "id", Text: func(r *approvalReply) string { return r.ID }},
			{Name: "state", Text: func(r *approvalReply) string { return r.State }},
			{Name: "action", Text: func(r *approvalReply) string { return r.Action }},
			{Name: "object", Text: func(r *approvalReply) string { return r.Object }},
			{Name: "requestedBy", Text: func(r *approvalReply) string { return r.RequestedBy }},
			{Name: "requestedAt", Text: func(r *approvalReply) string { return timeText(r.RequestedAt) }},
			{Name: "decidedBy", Text: func(r *approvalReply) string { return r.DecidedBy }},
		},
		Select: func(ctx context.Context, in *approvalInput, after page.Key, limit int) ([]*approvalReply, error) {
			merchantID, sharedID := rest.ListedMerchants(ctx)
			rows, err := s.o.Store.Q().Approvals(ctx, query.ApprovalsParams{
				MerchantID: merchantID, SharedID: sharedID, State: in.State, Object: strings.TrimSpace(in.Q), Permissions: permissionText(ctx),
				Since: in.From, Until: untilOrMax(in.To), Before: after.At, Most: int32(limit),
			})
			out := make([]*approvalReply, len(rows))
			for i, row := range rows {
				out[i] = approvalOf(s.approval(row))
			}
			return out, err
		},
		Key: func(r *approvalReply, _ string) page.Key { return idKey(r.ID) },
	})
	type oneInput struct {
		ID int64 `path:"id"`
	}
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/approvals/{id}", ID: "opsApproval", Tag: tag, Access: rest.Operators, Permission: permission.OwnSession,
		Summary: "A change that needs a second person", Faults: []*fault.Fault{ErrNotFound},
	}, func(ctx context.Context, in *oneInput) (*approvalReply, error) {
		by, _ := rest.OperatorOf(ctx)
		row, err := s.o.Store.Q().Approval(ctx, in.ID)
		found, err := db.Found("read approval", err)
		if err != nil {
			return nil, err
		}
		if !found || by.Merchant.ID != 0 && row.MerchantID != by.Merchant.ID || !by.Can(permission.Name(row.Permission)) {
			return nil, ErrNotFound
		}
		return approvalOf(s.approval(row)), nil
	})
	type decideInput struct {
		ID   int64 `path:"id"`
		Body struct {
			Decision string `json:"decision" enum:"approve,refuse"`
			Reason   string `json:"reason,omitempty" maxLength:"500"`
		}
	}
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/ops/v1/approvals/{id}", ID: "opsDecide", Tag: tag, Access: rest.Operators, Permission: permission.OwnSession, Dangerous: true,
		Summary: "Approve or refuse a change as the second person", Faults: []*fault.Fault{ErrNotFound, ErrSamePerson, ErrDecided, ErrStale, rest.ErrForbidden},
		Description: "Needs the permission of the approval.",
	}, func(ctx context.Context, in *decideInput) (*approvalReply, error) {
		by, _ := rest.OperatorOf(ctx)
		decided, err := s.Decide(ctx, by, in.ID, in.Body.Decision == "approve", in.Body.Reason)
		return approvalOf(decided), err
	})
}

// untilOrMax returns the end of a time range. 0 means that it has no end.
func untilOrMax(until int64) int64 {
	if until <= 0 {
		return math.MaxInt64
	}
	return until
}

type auditRow struct {
	ID         string          `json:"id" doc:"The sequence number as text."`
	Seq        int64           `json:"seq"`
	At         int64           `json:"at"`
	MerchantID string          `json:"merchantId"`
	Operator   string          `json:"operator"`
	Permission string          `json:"permission"`
	Action     string          `json:"action"`
	Object     string          `json:"object"`
	Mode       string          `json:"mode" doc:"Empty, single, proposed, approved, refused or failed."`
	Before     json.RawMessage `json:"before"`
	After      json.RawMessage `json:"after"`
	Address    string          `json:"address"`
	RequestID  string          `json:"requestId"`
	Digest     string          `json:"digest" doc:"Hexadecimal."`
}

func auditRowOf(r query.Audit) auditRow {
	return auditRow{
		strconv.FormatInt(r.Seq, 10), r.Seq, r.At, strconv.FormatInt(r.MerchantID, 10), r.Operator, r.Permission, r.Action, r.Object, r.Mode,
		json.RawMessage(r.Before), json.RawMessage(r.After), r.Address, r.RequestID, fmt.Sprintf("%x", r.Digest),
	}
}

type auditInput struct {
	oplist.Params

	Operator   string `query:"operator" maxLength:"64"`
	Permission string `query:"permission" maxLength:"64"`
	Object     string `query:"object" maxLength:"128" doc:"Such as member/1234."`
	Action     string `query:"action" maxLength:"64" doc:"Such as member.disable."`
}

type verifyReply struct {
	Rows   int64  `json:"rows" doc:"Number of the last row that was checked."`
	Head   string `json:"head" doc:"Digest of the last row, hexadecimal."`
	Broken int64  `json:"broken,omitempty" doc:"Sequence number of the first broken row."`
	Why    string `json:"why,omitempty"`
	Partly bool   `json:"partly,omitempty" doc:"The time of one request was not enough: continue after these rows."`
}

// verifyTime is the maximum time that one request spends on checking the chain.
const verifyTime = 8 * time.Second

func auditRoutes(a *rest.API, s *Service) {
	base := rest.Op{Tag: tag, Access: rest.Operators, Permission: permission.AuditRead}
	list := base
	list.Path, list.ID, list.Summary = "/ops/v1/audit", "opsAudit", "The audit log, newest first"
	oplist.Register(a, anyOperator, oplist.List[auditInput, auditRow]{
		Op: list, Permission: string(permission.AuditRead), Sorts: []string{"seq"}, States: []string{audit.Single, audit.Proposed, audit.Approved, audit.Refused, audit.Failed}, File: "audit.csv",
		Columns: []oplist.Column[auditRow]{
			{Name: "seq", Text: func(r auditRow) string { return r.ID }},
			{Name: "at", Text: func(r auditRow) string { return timeText(r.At) }},
			{Name: "operator", Text: func(r auditRow) string { return r.Operator }},
			{Name: "permission", Text: func(r auditRow) string { return r.Permission }},
			{Name: "action", Text: func(r auditRow) string { return r.Action }},
			{Name: "object", Text: func(r auditRow) string { return r.Object }},
			{Name: "mode", Text: func(r auditRow) string { return r.Mode }},
			{Name: "before", Text: func(r auditRow) string { return string(r.Before) }},
			{Name: "after", Text: func(r auditRow) string { return string(r.After) }},
			{Name: "address", Text: func(r auditRow) string { return r.Address }},
			{Name: "requestId", Text: func(r auditRow) string { return r.RequestID }},
			{Name: "digest", Text: func(r auditRow) string { return r.Digest }},
		},
		Select: func(ctx context.Context, in *auditInput, after page.Key, limit int) ([]auditRow, error) {
			merchantID, sharedID := rest.ListedMerchants(ctx)
			rows, err := s.o.Store.Q().AuditPage(ctx, query.AuditPageParams{
				Before: after.At, MerchantID: merchantID, SharedID: sharedID, Operator: in.Operator, Permission: in.Permission, Object: cmp.Or(in.Object, strings.TrimSpace(in.Q)),
				Action: in.Action, Mode: in.State, Since: in.From, Until: untilOrMax(in.To), Most: int32(limit),
			})
			out := make([]auditRow, len(rows))
			for i, row := range rows {
				out[i] = auditRowOf(row)
			}
			return out, err
		},
		Key: func(r auditRow, _ string) page.Key { return page.Key{At: r.Seq} },
	})
	type oneInput struct {
		Seq int64 `path:"id" doc:"Sequence number."`
	}
	show := base
	show.Method, show.Path, show.ID, show.Summary = http.MethodGet, "/ops/v1/audit/{id}", "opsAuditRow", "One row of the audit log"
	show.Faults = []*fault.Fault{ErrNotFound}
	rest.Typed(a, show, func(ctx context.Context, in *oneInput) (auditRow, error) {
		by, _ := rest.OperatorOf(ctx)
		row, err := s.o.Store.Q().AuditRow(ctx, in.Seq)
		found, err := db.Found("read audit row", err)
		if err != nil {
			return auditRow{}, err
		}
		if !found || by.Merchant.ID != 0 && row.MerchantID != by.Merchant.ID {
			return auditRow{}, ErrNotFound
		}
		return auditRowOf(row), nil
	})
	type verifyInput struct {
		After int64 `query:"after" minimum:"0" doc:"Continue after this row: the rows of a reply that is partly done."`
	}
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/audit/verify", ID: "opsVerifyAudit", Tag: tag, Access: rest.Operators, Permission: permission.AuditRead,
		Summary: "Recompute the audit log's chain", Rate: &loginRate,
	}, func(ctx context.Context, in *verifyInput) (verifyReply, error) {
		report, err := audit.VerifyFrom(ctx, s.o.Store, in.After, verifyTime)
		return verifyReply(report), err
	})
}
