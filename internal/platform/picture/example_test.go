package picture_test

import (
	"context"

	"fairground/internal/platform/db"
	"fairground/internal/platform/picture"
)

func ExampleStore() {
	var (
		decoder *picture.Decoder
		store   picture.Store
		save    func(tx *db.Tx, name string) error // the domain's query
	)
	_ = func(ctx context.Context, contentType string, data []byte) error {
		upload, err := picture.Check(contentType, data)
		if err != nil {
			return err // a domain returns its own fault with this cause
		}
		document, err := decoder.Render(ctx, upload, upload.Fit(2000))
		if err != nil {
			return err
		}
		name, err := store.Put(ctx, "document/", document)
		if err != nil {
			return err
		}
		return store.DB.Write(ctx, func(tx *db.Tx) error {
			if err := save(tx, name); err != nil {
				return err
			}
			return store.KeepIn(ctx, tx, name)
		})
	}
}
