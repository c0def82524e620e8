package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/server"
	"fairground/internal/site/ops"
)

type operatorGroup struct {
	List      operatorListCommand     `cmd:"" help:"List operators."`
	Create    operatorCreateCommand   `cmd:"" help:"Create an operator. The password is generated and shown once."`
	Password  operatorPasswordCommand `cmd:"" help:"Replace an operator's password. The new one is generated and shown once."`
	Roles     operatorRolesCommand    `cmd:"" help:"Replace an operator's roles. All sessions of the operator end."`
	Disable   operatorDisableCommand  `cmd:"" help:"Disable an operator. All sessions of the operator end."`
	Enable    operatorEnableCommand   `cmd:"" help:"Enable a disabled operator."`
	ResetTOTP operatorTOTPCommand     `cmd:"" name:"reset-totp" help:"Remove an operator's second factor. The operator enrols again at the next login."`
}

type operatorListCommand struct {
	config.Storage

	JSON bool `name:"json" help:"Print one JSON object per operator."`
}

type listedOperator struct {
	Name     string    `json:"name"`
	Roles    []string  `json:"roles"`
	Enrolled bool      `json:"enrolled"`
	Disabled bool      `json:"disabled"`
	Created  time.Time `json:"created"`
}

func (o listedOperator) columns() []string {
	state := "active"
	if o.Disabled {
		state = "disabled"
	}
	return []string{o.Name, strings.Join(o.Roles, ","), state, o.Created.Format(time.DateTime)}
}

// Run prints the operators by name.
func (o *operatorListCommand) Run(c *console) error {
	var all []listedOperator
	err := readDatabase(c, o.Storage, func(store *db.Store) error {
		rows, err := store.Q().Operators(c.ctx)
		if err != nil {
			return err
		}
		roles, err := store.Q().OperatorRoles(c.ctx)
		for _, r := range rows {
			all = append(all, listedOperator{r.Name, rolesOf(roles, r.ID), r.Enrolled != 0, r.DisabledAt.Valid, timeOf(r.CreatedAt)})
		}
		return err
	})
	if err != nil {
		return err
	}
	return printRows(c, o.JSON, all, listedOperator.columns)
}

func rolesOf(all []query.OperatorRole, id int64) (roles []string) {
	for _, r := range all {
		if r.OperatorID == id {
			roles = append(roles, r.Role)
		}
	}
	return roles
}

type operatorCreateCommand struct {
	config.Storage

	Name     string   `arg:"" help:"Name of the operator: a letter followed by letters, digits, dots, dashes or underscores."`
	Merchant string   `help:"Code of the only merchant that the operator may see. Default: all." placeholder:"CODE"`
	Role     []string `help:"Role of the operator: owner, finance, risk, support, content, games, auditor, or one that an owner defined. May be repeated." default:"support"`
}

type operatorRef struct{ Name string }

type operatorParams struct {
	Name  string
	Roles []string
	Only  string // code of the only merchant, or empty
}

// operatorCreated is printed as JSON.
type operatorCreated struct {
	Name     string            `json:"name"`
	Password string            `json:"password"`
	Approval *operatorApproval `json:"approval,omitempty"`
}

// An operatorApproval is a change that waits for a second person.
type operatorApproval struct {
	ID    string `json:"id"`
	State string `json:"state"`
}

func approvalOf(a *ops.Approval) *operatorApproval {
	if a == nil {
		return nil
	}
	return &operatorApproval{strconv.FormatInt(a.ID, 10), a.State}
}

var createOperator = operation[operatorParams, operatorCreated]{"operator.create", func(ctx context.Context, p *server.Server, in operatorParams) (operatorCreated, error) {
	merchantID, err := p.Operators.MerchantFor(ctx, namedActor(ctx), in.Only)
	if err != nil {
		return operatorCreated{}, err
	}
	draft, password, err := p.Operators.NewDraft(ctx, in.Name, in.Roles, merchantID)
	if err != nil {
		return operatorCreated{}, err
	}
	waiting, err := p.Operators.Request(ctx, merchantID, ops.ActionCreate, "operator/"+draft.Name, draft)
	return operatorCreated{draft.Name, password, approvalOf(waiting)}, err
}}

// Run creates the operator. If there are two owners, it only requests the approval of the second.
func (o *operatorCreateCommand) Run(c *console) error {
	created, err := perform(c, o.Storage, createOperator, operatorParams{o.Name, o.Role, o.Merchant})
	if err != nil {
		return err
	}
	return json.NewEncoder(c.out).Encode(created) //nolint:gosec // the password is shown once, here
}

type operatorPasswordCommand struct {
	config.Storage

	Name string `arg:"" help:"Name of the operator."`
}

type operatorPassword struct{ Password string }

var resetOperator = operation[operatorRef, operatorPassword]{"operator.password", func(ctx context.Context, p *server.Server, in operatorRef) (operatorPassword, error) {
	password, err := p.Operators.ResetPassword(ctx, in.Name)
	return operatorPassword{password}, err
}}

// Run replaces the password.
func (o *operatorPasswordCommand) Run(c *console) error {
	reset, err := perform(c, o.Storage, resetOperator, operatorRef{o.Name})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "Operator %s has the new password %s (shown only once)\n", strings.ToLower(o.Name), reset.Password)
	return err
}

// An operatorChange changes an operator: roles, disable, enable or reset-totp.
type operatorChange struct {
	Name, Change string
	Roles        []string
}

var changeOperator = operation[operatorChange, *operatorApproval]{"operator.change", func(ctx context.Context, p *server.Server, in operatorChange) (*operatorApproval, error) {
	waiting, err := p.Operators.RequestChange(ctx, in.Name, in.Change, 0, in.Roles)
	return approvalOf(waiting), err
}}

func (o operatorChange) run(c *console, storage config.Storage, done string) error {
	waiting, err := perform(c, storage, changeOperator, o)
	if err != nil {
		return err
	}
	if waiting != nil {
		_, err = fmt.Fprintf(c.out, "Requested: another owner must approve change %s in the console.\n", waiting.ID)
		return err
	}
	_, err = fmt.Fprintf(c.out, "Operator %s %s.\n", strings.ToLower(o.Name), done)
	return err
}

type operatorRolesCommand struct {
	config.Storage

	Name string   `arg:"" help:"Name of the operator."`
	Role []string `help:"New role. May be repeated." required:""`
}

// Run replaces the roles.
func (o *operatorRolesCommand) Run(c *console) error {
	return operatorChange{o.Name, "roles", o.Role}.run(c, o.Storage, "has the roles "+strings.Join(o.Role, ", "))
}

type operatorDisableCommand struct {
	config.Storage

	Name string `arg:"" help:"Name of the operator."`
}

// Run disables the operator.
func (o *operatorDisableCommand) Run(c *console) error {
	return operatorChange{Name: o.Name, Change: "disable"}.run(c, o.Storage, "disabled")
}

type operatorEnableCommand struct {
	config.Storage

	Name string `arg:"" help:"Name of the operator."`
}

// Run enables the operator.
func (o *operatorEnableCommand) Run(c *console) error {
	return operatorChange{Name: o.Name, Change: "enable"}.run(c, o.Storage, "enabled")
}

type operatorTOTPCommand struct {
	config.Storage

	Name string `arg:"" help:"Name of the operator."`
}

// Run removes the second factor.
func (o *operatorTOTPCommand) Run(c *console) error {
	return operatorChange{Name: o.Name, Change: "reset-totp"}.run(c, o.Storage, "enrols again at the next login")
}
