package chat

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

type replyRow struct {
	ID        string            `json:"id"`
	Status    string            `json:"status" enum:"active"`
	Title     string            `json:"title"`
	Texts     map[string]string `json:"texts" doc:"By language: vi, en, ur, pt."`
	UpdatedAt int64             `json:"updatedAt"`
	Version   int64             `json:"version"`
}

func replyRowOf(r SavedReply) replyRow {
	return replyRow{formatID(r.ID), "active", r.Title, r.Texts, r.UpdatedAt, r.Version}
}

type replyListInput struct{ oplist.Params }

type replyBody struct {
	Title   string            `json:"title" minLength:"1" maxLength:"80"`
	Texts   map[string]string `json:"texts" doc:"By language: vi, en, ur, pt; at least one, at most 2000 characters each."`
	Version int64             `json:"version,omitempty" doc:"The version that was edited. Not used to create."`
	Reason  string            `json:"reason,omitempty" maxLength:"500"`
}

func replyRoutes(a *rest.API, s *Service) {
	const path = "/ops/v1/replies"
	oplist.Register(a, hasPermission, oplist.List[replyListInput, replyRow]{
		Op: opsOp(http.MethodGet, path, "opsReplies", "Saved replies, last changed first"), Permission: string(permission.ChatAnswer),
		Sorts: []string{"updatedAt"}, File: "replies.csv",
		Columns: []oplist.Column[replyRow]{{Name: "id", Text: func(r replyRow) string { return r.ID }}, {Name: "title", Text: func(r replyRow) string { return r.Title }}},
		Key: func(r replyRow, _ string) page.Key {
			id, _ := strconv.ParseInt(r.ID, 10, 64)
			return page.Key{At: r.UpdatedAt, ID: id}
		},
		Select: func(ctx context.Context, in *replyListInput, after page.Key, limit int) ([]replyRow, error) {
			rows, err := s.o.Store.Q().ChatReplies(ctx, query.ChatRepliesParams{
				MerchantID: rest.MerchantOf(ctx).ID, Text: in.Q, BeforeAt: after.At, BeforeID: after.ID, Most: int32(limit),
			})
			if err != nil {
				return nil, fmt.Errorf("list replies: %w", err)
			}
			out := make([]replyRow, 0, len(rows))
			for _, row := range rows {
				r, err := savedReplyOf(row)
				if err != nil {
					return nil, err
				}
				out = append(out, replyRowOf(r))
			}
			return out, nil
		},
	})
	find := func(ctx context.Context, id int64) (replyRow, error) {
		r, err := s.FindReply(ctx, rest.MerchantOf(ctx).ID, id)
		return replyRowOf(r), err
	}
	rest.Typed(a, opsOp(http.MethodGet, path+"/{id}", "opsReply", "A saved reply", ErrReplyUnknown), func(ctx context.Context, in *ChatInput) (replyRow, error) {
		return find(ctx, in.ID)
	})
	type createInput struct {
		idempotency.Header

		Body replyBody
	}
	create := opsOp(http.MethodPost, path, "opsCreateReply", "Save a reply", ErrEmpty, ErrReplyFull, idempotency.ErrConflict)
	rest.Typed(a, create, func(ctx context.Context, in *createInput) (replyRow, error) {
		operator, _ := rest.OperatorOf(ctx)
		merchantID := rest.MerchantOf(ctx).ID
		request := idempotency.Request{Owner: idempotency.Operator(operator.ID), Call: create.ID, Key: in.IdempotencyKey, Content: []any{merchantID, in.Body}}
		id, err := s.CreateReply(ctx, request, merchantID, SavedReply{Title: in.Body.Title, Texts: in.Body.Texts})
		if err != nil {
			return replyRow{}, err
		}
		return find(ctx, id)
	})
	type changeInput struct {
		ChatInput

		Body replyBody
	}
	rest.Typed(a, opsOp(http.MethodPut, path+"/{id}", "opsChangeReply", "Change a saved reply", ErrReplyUnknown, rest.ErrStale, ErrEmpty), func(ctx context.Context, in *changeInput) (replyRow, error) {
		r := SavedReply{ID: in.ID, Title: in.Body.Title, Texts: in.Body.Texts, Version: in.Body.Version}
		if err := s.ChangeReply(ctx, rest.MerchantOf(ctx).ID, r); err != nil {
			return replyRow{}, err
		}
		return find(ctx, in.ID)
	})
	type dropReplyInput struct {
		ChatInput

		Body struct {
			Version int64  `json:"version" minimum:"1"`
			Reason  string `json:"reason,omitempty" maxLength:"500"`
		}
	}
	rest.Typed(a, opsOp(http.MethodPost, path+"/{id}/delete", "opsDeleteReply", "Delete a saved reply", ErrReplyUnknown, rest.ErrStale), func(ctx context.Context, in *dropReplyInput) (struct{}, error) {
		return struct{}{}, s.DeleteReply(ctx, rest.MerchantOf(ctx).ID, in.ID, in.Body.Version)
	})
}
