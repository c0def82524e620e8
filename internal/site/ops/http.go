package ops

import (
	"context"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

const tag = "operators"

// Routes declares the endpoints for operators, approvals, tasks and the audit log.
func Routes(a *rest.API, s *Service) {
	sessionRoutes(a, s)
	operatorRoutes(a, s)
	approvalRoutes(a, s)
	auditRoutes(a, s)
	taskRoutes(a, s)
}

type loginBody struct {
	Name     string `json:"name" minLength:"1" maxLength:"64"`
	Password string `json:"password" minLength:"1" maxLength:"256"`
}

type codeBody struct {
	Code string `json:"code" minLength:"6" maxLength:"32" doc:"Code of the authenticator app, or a recovery code."`
}

type passwordBody struct {
	OldPassword string `json:"oldPassword" minLength:"1" maxLength:"256"`
	NewPassword string `json:"newPassword" minLength:"12" maxLength:"256"`
}

type stepReply struct {
	Step    string `json:"step" enum:"enrol,code,done"`
	Secret  string `json:"secret,omitempty" doc:"With enrol: the TOTP secret in base32."`
	OTPAuth string `json:"otpauth,omitempty" doc:"With enrol: the same as an otpauth address, for a QR code."`

	Operator      *operatorReply `json:"operator,omitempty" doc:"With done."`
	RecoveryCodes []string       `json:"recoveryCodes,omitempty" doc:"After the enrolment, once."`
}

type operatorReply struct {
	Name           string            `json:"name"`
	Merchant       string            `json:"merchant,omitempty" doc:"Code of the only merchant that the operator may see."`
	Roles          []string          `json:"roles"`
	Permissions    []permission.Name `json:"permissions"`
	MustChange     bool              `json:"mustChangePassword" doc:"Another person has set the password. The console asks for a new one."`
	ConfirmedUntil int64             `json:"confirmedUntil" doc:"Until when dangerous calls are accepted, Unix milliseconds; 0 or a past time: they are not."`
}

func replyOf(o rest.Operator) *operatorReply {
	return &operatorReply{o.Name, o.Merchant.Code, o.Roles, o.Permissions, o.GivenPassword, max(0, o.ConfirmedUntil.UnixMilli())}
}

type confirmReply struct {
	ConfirmedUntil int64 `json:"confirmedUntil" doc:"Unix milliseconds."`
}

var loginRate = ratelimit.Limit{Every: time.Second, Burst: 30}

func sessionRoutes(a *rest.API, s *Service) {
	type loginInput struct{ Body loginBody }
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/ops/v1/session", ID: "opsLogin", Tag: tag, Rate: &loginRate, WhileClosed: true,
		Summary: "Log an operator in: name and password", Faults: append(ratelimitFaults(), ErrLogin, rest.ErrForbidden),
		Description: "Sets a cookie without access. Continue with opsEnterCode.",
	}, func(ctx context.Context, in *loginInput) (stepReply, error) {
		login, err := s.Login(ctx, rest.ClientOf(ctx), rest.VisitorOf(ctx), in.Body.Name, in.Body.Password)
		if err != nil {
			return stepReply{}, err
		}
		setCookie(ctx, login.Token)
		return stepReply{Step: login.Step, Secret: login.Secret, OTPAuth: login.OTPAuth}, nil
	})
	type codeInput struct{ Body codeBody }
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/ops/v1/session/code", ID: "opsEnterCode", Tag: tag, Rate: &loginRate, WhileClosed: true,
		Summary: "Log an operator in: code", Faults: append(ratelimitFaults(), rest.ErrNoSession, ErrCode),
	}, func(ctx context.Context, in *codeInput) (stepReply, error) {
		login, err := s.EnterCode(ctx, rest.ClientOf(ctx), rest.VisitorOf(ctx), rest.OperatorToken(ctx), in.Body.Code)
		if err != nil {
			return stepReply{}, err
		}
		setCookie(ctx, login.Token)
		return stepReply{Step: login.Step, Operator: replyOf(login.Operator), RecoveryCodes: login.RecoveryCodes}, nil
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/session", ID: "opsSession", Tag: tag, Access: rest.Operators, Permission: permission.OwnSession,
		Summary: "The operator who is logged in",
	}, func(ctx context.Context, _ *struct{}) (stepReply, error) {
		operator, _ := rest.OperatorOf(ctx)
		return stepReply{Step: stepDone, Operator: replyOf(operator)}, nil
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodDelete, Path: "/ops/v1/session", ID: "opsLogout", Tag: tag, WhileClosed: true, Summary: "Log out",
	}, func(ctx context.Context, _ *struct{}) (struct{}, error) {
		err := s.Logout(ctx, rest.OperatorToken(ctx))
		setCookie(ctx, "")
		return struct{}{}, err
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/ops/v1/session/confirm", ID: "opsConfirm", Tag: tag, Access: rest.Operators, Permission: permission.OwnSession,
		Summary: "Allow dangerous calls for five minutes", Faults: append(ratelimitFaults(), ErrCode),
	}, func(ctx context.Context, in *codeInput) (confirmReply, error) {
		operator, _ := rest.OperatorOf(ctx)
		until, err := s.Confirm(ctx, operator, rest.VisitorOf(ctx), in.Body.Code)
		return confirmReply{until.UnixMilli()}, err
	})
	type passwordInput struct{ Body passwordBody }
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/ops/v1/session/password", ID: "opsChangePassword", Tag: tag, Access: rest.Operators, Permission: permission.OwnSession,
		Summary: "Change the own password", Faults: append(ratelimitFaults(), rest.ErrConfirm, ErrPasswordWrong, ErrPasswordSame, ErrStale),
		Description: "Ends the operator's other sessions. It needs a confirmed code, except directly after a login with a password that another person has set.",
	}, func(ctx context.Context, in *passwordInput) (stepReply, error) {
		by, _ := rest.OperatorOf(ctx)
		if err := s.ChangePassword(ctx, by, rest.VisitorOf(ctx), in.Body.OldPassword, in.Body.NewPassword); err != nil {
			return stepReply{}, err
		}
		by.GivenPassword = false
		return stepReply{Step: stepDone, Operator: replyOf(by)}, nil
	})
}

// AllowsConsole reports whether the client's network may open the console.
func (s *Service) AllowsConsole(ctx context.Context) bool {
	allowed, err := s.reaches(ctx, rest.ClientOf(ctx))
	return allowed && err == nil
}

// setCookie stores a session token in the browser until it closes. An empty token removes it.
func setCookie(ctx context.Context, token string) {
	c := &http.Cookie{Name: rest.OperatorCookie, Value: token, Path: "/ops", SameSite: http.SameSiteStrictMode} //nolint:gosec // rest.SetCookie sets the rest
	if token == "" {
		c.MaxAge = -1
	}
	rest.SetCookie(ctx, c)
}

// An approvalReply is an approval. Every endpoint whose change may need a second person returns one.
type approvalReply struct {
	ID          string          `json:"id"`
	State       string          `json:"state" enum:"waiting,approved,refused,failed"`
	Permission  permission.Name `json:"permission"`
	Action      string          `json:"action"`
	Object      string          `json:"object"`
	Payload     any             `json:"payload" doc:"The requested change."`
	Digest      string          `json:"digest" doc:"SHA-256 of action, object and payload, hexadecimal. Only this change is carried out."`
	Status      string          `json:"status" doc:"The same as state."`
	RequestedBy string          `json:"requestedBy"`
	RequestedAt int64           `json:"requestedAt"`
	DecidedBy   string          `json:"decidedBy,omitempty"`
	DecidedAt   int64           `json:"decidedAt,omitempty"`
	Reason      string          `json:"reason,omitempty"`
	Version     int64           `json:"version"`
}

func approvalOf(a *Approval) *approvalReply {
	if a == nil {
		return nil
	}
	out := &approvalReply{
		ID: strconv.FormatInt(a.ID, 10), State: a.State, Permission: a.Permission, Action: a.Action, Object: a.Object, Payload: a.Payload,
		Digest: hex.EncodeToString(a.Digest), Status: a.State,
		RequestedBy: a.RequestedBy, RequestedAt: a.RequestedAt.UnixMilli(), DecidedBy: a.DecidedBy, Reason: a.Reason, Version: a.Version,
	}
	if !a.DecidedAt.IsZero() {
		out.DecidedAt = a.DecidedAt.UnixMilli()
	}
	return out
}

// changed is the response to a change that may need a second person.
type changed struct {
	Approval *approvalReply `json:"approval,omitempty" doc:"Present while the change waits for a second person."`
}

type operatorRow struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Merchant  string   `json:"merchantId,omitempty" doc:"Id of the only merchant that the operator may see."`
	Roles     []string `json:"roles"`
	Enrolled  bool     `json:"enrolled" doc:"Has a second factor."`
	Status    string   `json:"status" enum:"active,disabled"`
	CreatedAt int64    `json:"createdAt"`
	Version   int64    `json:"version"`

	fromEnd int64 // position in the list, counted from its end
}

func rowOf(o Operator) operatorRow {
	row := operatorRow{
		ID: strconv.FormatInt(o.ID, 10), Name: o.Name, Roles: o.Roles, Enrolled: o.Enrolled, Status: "active",
		CreatedAt: o.CreatedAt.UnixMilli(), Version: o.Version,
	}
	if o.MerchantID != 0 {
		row.Merchant = strconv.FormatInt(o.MerchantID, 10)
	}
	if o.Disabled {
		row.Status = "disabled"
	}
	return row
}

type operatorInput struct{ oplist.Params }

type createBody struct {
	Name     string   `json:"name" minLength:"3" maxLength:"32"`
	Roles    []string `json:"roles" minItems:"1" maxItems:"8"`
	Merchant string   `json:"merchant,omitempty" maxLength:"32" doc:"Code of the only merchant that the operator may see. Without it: all, or the caller's own. An operator of one merchant may name no other."`
}

type createReply struct {
	Name     string         `json:"name"`
	Password string         `json:"password" doc:"Shown once. It works as soon as the change is in effect."`
	Approval *approvalReply `json:"approval,omitempty" doc:"Present while the change waits for a second person."`
}

func operatorRoutes(a *rest.API, s *Service) {
	base := rest.Op{Tag: tag, Access: rest.Operators, Permission: permission.OperatorEdit}
	list := base
	list.Path, list.ID, list.Summary = "/ops/v1/operators", "opsOperators", "All operators by name"
	list.Description = "q finds a part of a name."
	oplist.Register(a, anyOperator, oplist.List[operatorInput, operatorRow]{
		Op: list, Permission: string(permission.OperatorEdit), Sorts: []string{"name"}, States: []string{"active", "disabled"}, File: "operators.csv",
		Columns: []oplist.Column[operatorRow]{
			{Name: "id", Text: func(o operatorRow) string { return o.ID }},
			{Name: "name", Text: func(o operatorRow) string { return o.Name }},
			{Name: "roles", Text: func(o operatorRow) string { return strings.Join(o.Roles, " ") }},
			{Name: "status", Text: func(o operatorRow) string { return o.Status }},
			{Name: "createdAt", Text: func(o operatorRow) string { return timeText(o.CreatedAt) }},
		},
		Select: func(ctx context.Context, in *operatorInput, after page.Key, limit int) ([]operatorRow, error) {
			all, err := s.visible(ctx)
			rows := []operatorRow{}
			for i, o := range all {
				row := rowOf(o)
				row.fromEnd = int64(len(all) - i)
				if row.fromEnd < after.At && strings.Contains(o.Name, strings.ToLower(strings.TrimSpace(in.Q))) && (in.State == "" || in.State == row.Status) && len(rows) < limit {
					rows = append(rows, row)
				}
			}
			return rows, err
		},
		Key: func(o operatorRow, _ string) page.Key { return page.Key{At: o.fromEnd} },
	})
	show := base
	show.Method, show.Path, show.ID, show.Summary = http.MethodGet, "/ops/v1/operators/{id}", "opsOperator", "One operator"
	show.Faults = []*fault.Fault{ErrUnknown}
	type oneInput struct {
		ID int64 `path:"id"`
	}
	rest.Typed(a, show, func(ctx context.Context, in *oneInput) (operatorRow, error) {
		o, err := s.visibleByID(ctx, in.ID)
		return rowOf(o), err
	})
	create := base
	create.Method, create.Path, create.ID, create.Summary = http.MethodPost, "/ops/v1/operators", "opsCreateOperator", "Create an operator"
	create.Dangerous, create.Faults = true, []*fault.Fault{ErrNameFormat, ErrNameTaken, ErrRoleUnknown, rest.ErrMerchantUnknown}
	type createInput struct{ Body createBody }
	rest.Typed(a, create, func(ctx context.Context, in *createInput) (createReply, error) {
		by, _ := rest.OperatorOf(ctx)
		merchantID, err := s.merchantFor(ctx, by.Merchant, in.Body.Merchant)
		if err != nil {
			return createReply{}, err
		}
		draft, password, err := s.NewDraft(ctx, in.Body.Name, in.Body.Roles, merchantID)
		if err != nil {
			return createReply{}, err
		}
		waiting, err := s.Request(ctx, merchantID, ActionCreate, objectOf(draft.Name), draft)
		return createReply{draft.Name, password, approvalOf(waiting)}, err
	})
	act := base
	act.Method, act.Path, act.ID, act.Summary = http.MethodPost, "/ops/v1/operators/{id}/{action}", "opsChangeOperator", "Change an operator"
	act.Dangerous, act.Faults = true, []*fault.Fault{ErrUnknown, ErrStale, ErrLastOwner, ErrRoleUnknown}
	act.Description = "Actions: disable, enable, roles, reset-totp. All but disable may need a second person."
	type actInput struct {
		ID     int64  `path:"id"`
		Action string `path:"action" enum:"disable,enable,roles,reset-totp"`
		Body   struct {
			Version int64    `json:"version"`
			Roles   []string `json:"roles,omitempty"`
			Reason  string   `json:"reason,omitempty" maxLength:"500"`
		}
	}
	rest.Typed(a, act, func(ctx context.Context, in *actInput) (changed, error) {
		o, err := s.visibleByID(ctx, in.ID)
		if err != nil {
			return changed{}, err
		}
		if o.Version != in.Body.Version {
			return changed{}, ErrStale
		}
		waiting, err := s.RequestChange(ctx, o.Name, in.Action, in.Body.Version, in.Body.Roles)
		return changed{approvalOf(waiting)}, err
	})
	merchants := base
	merchants.Permission = permission.OwnSession
	merchants.Method, merchants.Path, merchants.ID, merchants.Summary = http.MethodGet, "/ops/v1/merchants", "opsMerchants", "The merchants that the operator may see"
	rest.Typed(a, merchants, func(ctx context.Context, _ *struct{}) (merchantList, error) {
		by, _ := rest.OperatorOf(ctx)
		return s.merchantList(ctx, by.Merchant)
	})
	roles := base
	roles.Method, roles.Path, roles.ID, roles.Summary = http.MethodGet, "/ops/v1/roles", "opsRoles", "All roles with their permissions"
	rest.Typed(a, roles, func(ctx context.Context, _ *struct{}) ([]roleReply, error) { return s.roleList(ctx) })
	put := base
	put.Method, put.Path, put.ID, put.Summary = http.MethodPut, "/ops/v1/roles/{name}", "opsPutRole", "Define a role; without permissions, delete it"
	put.Dangerous, put.Faults = true, []*fault.Fault{ErrNameFormat, ErrNameTaken, ErrRoleUnknown}
	type roleInput struct {
		Name string `path:"name" maxLength:"32"`
		Body RoleDraft
	}
	rest.Typed(a, put, func(ctx context.Context, in *roleInput) (changed, error) {
		by, _ := rest.OperatorOf(ctx)
		if by.Merchant.ID != 0 {
			return changed{}, rest.ErrForbidden.With("permission", permission.OperatorEdit) // roles belong to the installation
		}
		waiting, err := s.Request(ctx, 0, ActionRole, "role/"+in.Name, in.Body)
		return changed{approvalOf(waiting)}, err
	})
}

type merchantList struct {
	List []merchantRow `json:"list"`
	Next string        `json:"next" doc:"Always empty: the list is complete."`
}

type merchantRow struct {
	ID        string `json:"id"`
	Code      string `json:"code" doc:"Value of the header Merchant."`
	IsDefault bool   `json:"isDefault" doc:"Requests without the header Merchant use it."`
}

// merchantList returns all merchants, or only own if it is not the zero value.
func (s *Service) merchantList(ctx context.Context, own rest.Merchant) (out merchantList, err error) {
	standard, err := s.o.Merchants.Find(ctx, "")
	if err != nil {
		return out, err
	}
	ids := []int64{own.ID}
	if own.ID == 0 {
		if ids, err = s.o.Merchants.IDs(ctx); err != nil {
			return out, err
		}
	}
	for _, id := range ids {
		m, err := s.o.Merchants.FindByID(ctx, id)
		if err != nil {
			return out, err
		}
		out.List = append(out.List, merchantRow{strconv.FormatInt(id, 10), m.Code, id == standard.ID})
	}
	return out, nil
}

type roleReply struct {
	Name        string            `json:"name"`
	BuiltIn     bool              `json:"builtIn"`
	Permissions []permission.Name `json:"permissions"`
}

func (s *Service) roleList(ctx context.Context) ([]roleReply, error) {
	all, err := s.roles(ctx, s.o.Store.Q())
	out := []roleReply{}
	for name, permissions := range all {
		_, builtIn := permission.Roles[name]
		out = append(out, roleReply{name, builtIn, permissions})
	}
	slices.SortFunc(out, func(a, b roleReply) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return out, err
}

// visible returns the operators that the caller may see: all, or those of the caller's merchant.
func (s *Service) visible(ctx context.Context) ([]Operator, error) {
	all, err := s.List(ctx)
	by, _ := rest.OperatorOf(ctx)
	return slices.DeleteFunc(all, func(o Operator) bool { return by.Merchant.ID != 0 && o.MerchantID != by.Merchant.ID }), err
}

func (s *Service) visibleByID(ctx context.Context, id int64) (Operator, error) {
	all, err := s.visible(ctx)
	if err != nil {
		return Operator{}, err
	}
	i := slices.IndexFunc(all, func(o Operator) bool { return o.ID == id })
	if i < 0 {
		return Operator{}, ErrUnknown
	}
	return all[i], nil
}
