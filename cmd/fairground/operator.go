package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/server"
)

type operatorGroup struct {
	List     operatorListCommand     `cmd:"" help:"List operators."`
	Create   operatorCreateCommand   `cmd:"" help:"Create an operator. The password is generated and shown once."`
	Password operatorPasswordCommand `cmd:"" help:"Replace an operator's password. The new one is generated and shown once."`
}

type operatorListCommand struct {
	config.Storage

	JSON bool `name:"json" help:"Print one JSON object per operator."`
}

type listedOperator struct {
	Name    string    `json:"name"`
	Role    string    `json:"role"`
	Created time.Time `json:"created"`
}

// Run prints the operators by name.
func (o *operatorListCommand) Run(c *console) error {
	var all []listedOperator
	err := readDatabase(c, o.Storage, func(store *db.Store) error {
		rows, err := store.Q().ListOperators(c.ctx)
		for _, r := range rows {
			all = append(all, listedOperator{r.Name, r.Role, timeOf(r.CreatedAt)})
		}
		return err
	})
	if err != nil {
		return err
	}
	return printRows(c, o.JSON, all, func(r listedOperator) []string { return []string{r.Name, r.Role, r.Created.Format(time.DateTime)} })
}

type operatorCreateCommand struct {
	config.Storage

	Name string `arg:"" help:"Name of the operator: a letter followed by letters, digits, dots, dashes or underscores."`
}

type operatorRef struct{ Name string }

type operatorPassword struct{ Password string }

var createOperator = operation[operatorRef, operatorPassword]{"operator.create", func(ctx context.Context, p *server.Server, in operatorRef) (operatorPassword, error) {
	password, err := p.Operators.Create(ctx, in.Name)
	return operatorPassword{password}, err
}}

// Run creates the operator.
func (o *operatorCreateCommand) Run(c *console) error {
	created, err := perform(c, o.Storage, createOperator, operatorRef{o.Name})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "Operator %s created, password %s (shown only once)\n", strings.ToLower(o.Name), created.Password)
	return err
}

type operatorPasswordCommand struct {
	config.Storage

	Name string `arg:"" help:"Name of the operator."`
}

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
