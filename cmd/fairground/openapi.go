package main

import (
	"fmt"

	"fairground/internal/platform/rest"
)

type openAPICommand struct{}

// Run prints the document. It needs no database: only the declarations are read.
func (openAPICommand) Run(c *console) error {
	api, err := rest.New(rest.Options{Version: version})
	if err != nil {
		return err
	}
	(&parts{}).register(api, nil)
	document, err := api.OpenAPI()
	if err != nil {
		return fmt.Errorf("write the document: %w", err)
	}
	_, err = c.out.Write(document)
	return err
}
