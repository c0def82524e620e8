package books

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

func nullable(id int64) sql.NullInt64 { return sql.NullInt64{Int64: id, Valid: id != 0} }

func endParams(id, finishedAt int64, state, report string) query.EndLedgerCheckParams {
	return query.EndLedgerCheckParams{ID: id, FinishedAt: finishedAt, State: state, Report: report}
}

const tag = "ledger"

type transfersInput struct {
	oplist.Params
	Member int64  `query:"member" minimum:"0" doc:"Id of a member."`
	Kind   string `query:"kind" maxLength:"64" doc:"Such as adjustment, deposit or hold."`
}

// A TransferRow is a transfer in a list.
type TransferRow struct {
	ID         string      `json:"id"`
	Kind       string      `json:"kind"`
	Status     string      `json:"status" enum:"posted,refused"`
	Amount     rest.Amount `json:"amount"`
	Currency   string      `json:"currency"`
	From       string      `json:"from" doc:"Kind of the account that pays."`
	FromMember string      `json:"fromMember,omitempty" doc:"Username of its owner."`
	To         string      `json:"to"`
	ToMember   string      `json:"toMember,omitempty"`
	MemberID   string      `json:"memberId,omitempty"`
	Reference  string      `json:"reference"`
	Note       string      `json:"note"`
	CreatedAt  int64       `json:"createdAt"`
	Version    int64       `json:"version" doc:"Always 1: a transfer never changes."`
}

func rowOf(t Transfer) (TransferRow, error) {
	currency, err := money.Find(t.Currency)
	if err != nil {
		return TransferRow{}, rest.ErrSystem.Because(err)
	}
	row := TransferRow{
		ID: strconv.FormatInt(t.ID, 10), Kind: t.Kind, Status: "posted", Amount: rest.AmountOf(currency, t.Amount), Currency: t.Currency, From: t.From, FromMember: t.FromName,
		To: t.To, ToMember: t.ToName, Reference: t.RefID, Note: t.Note, CreatedAt: t.At, Version: 1,
	}
	if t.Refusal != "" {
		row.Status = "refused"
	}
	if id := max(t.FromMember, t.ToMember); id != 0 {
		row.MemberID = strconv.FormatInt(id, 10)
	}
	return row, nil
}

type ledgerEntry struct {
	Account string       `json:"account"`
	Member  string       `json:"member,omitempty"`
	Amount  rest.Amount  `json:"amount" doc:"Negative if it left the account."`
	After   *rest.Amount `json:"after,omitempty" doc:"Balance afterwards, of a member's account."`
}

type transferDetail struct {
	TransferRow

	Key     string        `json:"key" doc:"Idempotency key."`
	Refusal string        `json:"refusal,omitempty"`
	Origin  string        `json:"origin,omitempty" doc:"Transfer that it settles or reverses."`
	Entries []ledgerEntry `json:"entries"`
}

type adjustBody struct {
	MemberID string      `json:"memberId" pattern:"^[0-9]{1,19}$"`
	Amount   rest.Amount `json:"amount" doc:"In the currency's unit. Negative amounts are debited."`
	Reason   string      `json:"reason" minLength:"1" maxLength:"500"`
	Key      string      `json:"key" pattern:"^[A-Za-z0-9._:-]+$" maxLength:"64" doc:"Names the correction. The same key is posted once."`
}

type adjustReply struct {
	Approval *Approval `json:"approval,omitempty" doc:"Present if the correction needs a second person."`
}

type walletRow struct {
	Kind     string      `json:"kind"`
	Currency string      `json:"currency"`
	Balance  rest.Amount `json:"balance"`
}

type ledgerCheckRow struct {
	State       string          `json:"state" enum:"waiting,ok,broken,failed"`
	RequestedBy string          `json:"requestedBy"`
	RequestedAt int64           `json:"requestedAt"`
	FinishedAt  int64           `json:"finishedAt,omitempty"`
	Report      json.RawMessage `json:"report,omitempty" doc:"Counts and findings, for operators of the installation."`
}

type ledgerCheckBody struct {
	Reason string `json:"reason,omitempty" maxLength:"500"`
}

type ledgerReply struct {
	Checks []ledgerCheckRow `json:"checks" doc:"Newest first."`
}

// Routes declares the operators' calls about the ledger. faults are the faults of Members.Info.
func Routes(a *rest.API, s *Service, faults ...*fault.Fault) {
	oplist.Register(a, func(context.Context, string) error { return nil }, oplist.List[transfersInput, TransferRow]{
		Op: rest.Op{
			Path: "/ops/v1/transfers", ID: "opsTransfers", Tag: tag, Access: rest.Operators, Permission: permission.ReportRead, Summary: "Transfers", Faults: faults,
			Description: "q is the id, the idempotency key, or the key of a correction. Without a member and a kind the list has the transfers between members and the house; holds are in the lists of the member and of their kind.",
		},
		Permission: string(permission.ReportRead), Sorts: []string{"id"}, File: "transfers.csv",
		Columns: []oplist.Column[TransferRow]{
			{Name: "id", Text: func(r TransferRow) string { return r.ID }},
			{Name: "kind", Text: func(r TransferRow) string { return r.Kind }},
			{Name: "status", Text: func(r TransferRow) string { return r.Status }},
			{Name: "amount", Text: func(r TransferRow) string { return string(r.Amount) }},
			{Name: "currency", Text: func(r TransferRow) string { return r.Currency }},
			{Name: "from", Text: func(r TransferRow) string { return r.From }},
			{Name: "fromMember", Text: func(r TransferRow) string { return r.FromMember }},
			{Name: "to", Text: func(r TransferRow) string { return r.To }},
			{Name: "toMember", Text: func(r TransferRow) string { return r.ToMember }},
			{Name: "reference", Text: func(r TransferRow) string { return r.Reference }},
			{Name: "note", Text: func(r TransferRow) string { return r.Note }},
			{Name: "createdAt", Text: func(r TransferRow) string { return time.UnixMilli(r.CreatedAt).UTC().Format(time.RFC3339) }},
		},
		Select: func(ctx context.Context, in *transfersInput, after page.Key, limit int) ([]TransferRow, error) {
			merchantID := rest.MerchantOf(ctx).ID
			if in.Member != 0 {
				if _, _, err := s.o.Members.Info(ctx, merchantID, in.Member); err != nil {
					return nil, err
				}
			}
			all, err := s.Transfers(ctx, Search{MerchantID: merchantID, Text: in.Q, MemberID: in.Member, Kind: in.Kind, From: in.From, To: in.To}, after.ID, limit)
			if err != nil {
				return nil, err
			}
			list := make([]TransferRow, len(all))
			for i, t := range all {
				if list[i], err = rowOf(t); err != nil {
					return nil, err
				}
			}
			return list, nil
		},
		Key: func(r TransferRow, _ string) page.Key {
			id, _ := strconv.ParseInt(r.ID, 10, 64) // written by rowOf
			return page.Key{At: id, ID: id}
		},
	})
	type idInput struct {
		ID int64 `path:"id"`
	}
	readOp := rest.Op{Method: http.MethodGet, Tag: tag, Access: rest.Operators, Permission: permission.ReportRead}
	detailOp := readOp
	detailOp.Path, detailOp.ID, detailOp.Summary, detailOp.Faults = "/ops/v1/transfers/{id}", "opsTransfer", "A transfer with its entries", []*fault.Fault{ErrUnknown}
	rest.Typed(a, detailOp, func(ctx context.Context, in *idInput) (transferDetail, error) {
		return s.detail(ctx, rest.MerchantOf(ctx).ID, in.ID)
	})
	walletsOp := readOp
	walletsOp.Path, walletsOp.ID, walletsOp.Summary, walletsOp.Permission, walletsOp.Faults = "/ops/v1/members/{id}/wallets", "opsMemberWallets", "Balances of a member", permission.MemberRead, faults
	rest.Typed(a, walletsOp, func(ctx context.Context, in *idInput) ([]walletRow, error) {
		if _, _, err := s.o.Members.Info(ctx, rest.MerchantOf(ctx).ID, in.ID); err != nil {
			return nil, err
		}
		return s.wallets(ctx, in.ID)
	})
	adjustOp := rest.Op{
		Method: http.MethodPost, Path: "/ops/v1/transfers", ID: "opsAdjust", Tag: tag, Access: rest.Operators, Permission: permission.LedgerAdjust, Dangerous: true,
		Summary: "Request a correction of a member's balance; it needs a second person",
		Faults:  append([]*fault.Fault{ErrAmount, money.ErrMalformed, money.ErrOverflow, ledger.ErrConflict, ledger.ErrInsufficient, ledger.ErrOverflow}, faults...),
	}
	type adjustInput struct{ Body adjustBody }
	rest.Typed(a, adjustOp, func(ctx context.Context, in *adjustInput) (adjustReply, error) {
		member, err := strconv.ParseInt(in.Body.MemberID, 10, 64)
		if err != nil {
			return adjustReply{}, rest.ErrParam.On("memberId")
		}
		waiting, err := s.Adjust(ctx, rest.MerchantOf(ctx).ID, Adjustment{MemberID: member, Amount: string(in.Body.Amount), Reason: in.Body.Reason, Key: in.Body.Key})
		return adjustReply{waiting}, err
	})
	statusOp := readOp
	statusOp.Path, statusOp.ID, statusOp.Summary = "/ops/v1/ledger", "opsLedger", "The last checks of the ledger"
	rest.Typed(a, statusOp, func(ctx context.Context, _ *struct{}) (ledgerReply, error) {
		operator, _ := rest.OperatorOf(ctx)
		rows, err := s.o.Store.Q().LedgerChecks(ctx, 10)
		out := ledgerReply{Checks: []ledgerCheckRow{}}
		for _, r := range rows {
			row := ledgerCheckRow{State: r.State, RequestedBy: r.RequestedBy, RequestedAt: r.RequestedAt, FinishedAt: r.FinishedAt}
			if operator.Merchant.ID == 0 && r.Report != "" { // findings may name other merchants' accounts
				row.Report = json.RawMessage(r.Report)
			}
			out.Checks = append(out.Checks, row)
		}
		return out, err
	})
	verifyOp := readOp
	verifyOp.Method, verifyOp.Path, verifyOp.ID, verifyOp.Summary, verifyOp.Faults = http.MethodPost, "/ops/v1/ledger/verify", "opsVerifyLedger", "Start a check of the ledger", []*fault.Fault{ErrRunning}
	type verifyInput struct{ Body ledgerCheckBody }
	rest.Typed(a, verifyOp, func(ctx context.Context, in *verifyInput) (struct{}, error) {
		return struct{}{}, s.StartCheck(ctx, rest.MerchantOf(ctx).ID, in.Body.Reason)
	})
}

func (s *Service) detail(ctx context.Context, merchantID, id int64) (transferDetail, error) {
	matching, err := s.readTransfers(ctx, transferByText, merchantID, int64(math.MaxInt64), id, "", "", 1)
	if err != nil {
		return transferDetail{}, err
	}
	if len(matching) == 0 {
		return transferDetail{}, ErrUnknown
	}
	t := matching[0]
	row, err := rowOf(t)
	if err != nil {
		return transferDetail{}, err
	}
	out := transferDetail{TransferRow: row, Key: t.Key, Refusal: t.Refusal, Entries: []ledgerEntry{}}
	if t.Origin != 0 {
		out.Origin = strconv.FormatInt(t.Origin, 10)
	}
	entries, err := s.o.Store.Q().EntriesOfTransfer(ctx, id)
	if err != nil {
		return transferDetail{}, fmt.Errorf("read entries: %w", err)
	}
	currency, err := money.Find(t.Currency)
	if err != nil {
		return transferDetail{}, rest.ErrSystem.Because(err)
	}
	for _, e := range entries {
		entry := ledgerEntry{Account: t.From, Member: t.FromName, Amount: rest.AmountOf(currency, money.Minor(e.Amount))}
		if e.AccountID == t.CreditID {
			entry.Account, entry.Member = t.To, t.ToName
		}
		if e.BalanceAfter.Valid {
			after := rest.AmountOf(currency, money.Minor(e.BalanceAfter.Int64))
			entry.After = &after
		}
		out.Entries = append(out.Entries, entry)
	}
	return out, nil
}

func (s *Service) wallets(ctx context.Context, memberID int64) ([]walletRow, error) {
	accounts, err := s.o.Ledger.Balances(ctx, memberID)
	out := make([]walletRow, 0, len(accounts))
	for _, a := range accounts {
		currency, err := money.Find(a.Currency)
		if err != nil {
			return nil, rest.ErrSystem.Because(err)
		}
		out = append(out, walletRow{a.Kind, a.Currency, rest.AmountOf(currency, a.Balance)})
	}
	return out, err
}
