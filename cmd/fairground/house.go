package main

import (
	"context"
	"fmt"

	"fairground/internal/server"
)

type houseInstallCommand struct{ merchantFlags }

type installedHouse struct{ Games int }

var installHouse = operation[merchantRef, installedHouse]{"house.install", func(ctx context.Context, p *server.Server, in merchantRef) (installedHouse, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return installedHouse{}, err
	}
	games, err := p.InstallHouse(ctx, m.ID)
	return installedHouse{games}, err
}}

// Run adds the vendor and the games.
func (h *houseInstallCommand) Run(c *console) error {
	installed, err := perform(c, h.Storage, installHouse, merchantRef{h.Merchant})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "The House is installed: %d games added.\n", installed.Games)
	return err
}
