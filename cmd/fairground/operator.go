package main

import (
	"context"
	"fmt"
	"strings"

	"fairground/internal/platform/config"
	"fairground/internal/server"
)

type operatorGroup struct {
	Create   operatorCreateCommand   `cmd:"" help:"Make an operator. The password is generated and shown once."`
	Password operatorPasswordCommand `cmd:"" help:"Give an operator a new password in place of a lost one. It is generated and shown once."`
}

type operatorCreateCommand struct {
	config.Storage

	Name string `arg:"" help:"A letter, then letters, digits, dots or dashes."`
}

type operatorNamed struct{ Name string }

type operatorPassword struct{ Password string }

var createOperator = change[operatorNamed, operatorPassword]{"operator.create", func(ctx context.Context, p *server.Server, in operatorNamed) (operatorPassword, error) {
	password, err := p.Operators.Create(ctx, in.Name)
	return operatorPassword{password}, err
}}

// Run makes the operator.
func (o *operatorCreateCommand) Run(c *console) error {
	made, err := perform(c, o.Storage, createOperator, operatorNamed{o.Name})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "Operator %s made, password %s (shown this once)\n", strings.ToLower(o.Name), made.Password)
	return err
}

type operatorPasswordCommand struct {
	config.Storage

	Name string `arg:"" help:"Which operator."`
}

var resetOperator = change[operatorNamed, operatorPassword]{"operator.password", func(ctx context.Context, p *server.Server, in operatorNamed) (operatorPassword, error) {
	password, err := p.Operators.ResetPassword(ctx, in.Name)
	return operatorPassword{password}, err
}}

// Run resets the password.
func (o *operatorPasswordCommand) Run(c *console) error {
	made, err := perform(c, o.Storage, resetOperator, operatorNamed{o.Name})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "Operator %s has the new password %s (shown this once)\n", strings.ToLower(o.Name), made.Password)
	return err
}
