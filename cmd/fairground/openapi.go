package main

import (
	"fmt"

	"fairground/internal/platform/rest"
	"fairground/internal/server"
)

type openAPICommand struct{}

// Run prints the OpenAPI document. It needs no database.
func (openAPICommand) Run(c *console) error {
	api, err := rest.New(rest.Options{Version: version})
	if err != nil {
		return err
	}
	(&server.Server{}).Routes(api, nil)
	document, err := api.OpenAPI()
	if err != nil {
		return fmt.Errorf("write the document: %w", err)
	}
	_, err = c.out.Write(document)
	return err
}
