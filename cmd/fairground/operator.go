package main

import (
	"context"
	"fmt"
	"strings"

	"fairground/internal/config"
)

type operatorGroup struct {
	Create operatorCreateCommand `cmd:"" help:"Make an operator. The password is generated and shown once."`
}

type operatorCreateCommand struct {
	config.Storage

	Name string `arg:"" help:"A letter, then letters, digits, dots or dashes."`
}

type operatorDraft struct{ Name string }

type operatorMade struct{ Password string }

var createOperator = change[operatorDraft, operatorMade]{"operator.create", func(ctx context.Context, p *parts, in operatorDraft) (operatorMade, error) {
	password, err := p.operators.Create(ctx, in.Name)
	return operatorMade{password}, err
}}

// Run makes the operator.
func (o *operatorCreateCommand) Run(c *console) error {
	made, err := perform(c, o.Storage, createOperator, operatorDraft{o.Name})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "Operator %s made, password %s (shown this once)\n", strings.ToLower(o.Name), made.Password)
	return err
}
