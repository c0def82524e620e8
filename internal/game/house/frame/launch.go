package frame

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A Launch is the game that a ticket opens.
type Launch struct {
	Merchant, Vendor, Game, Category string // codes
}

// Launches finds the launch of a ticket, without consuming the ticket.
type Launches interface {
	Launched(ctx context.Context, ticket string) (launch Launch, found bool, err error)
}

// Games returns the names of games in the player's language.
type Games interface {
	GameName(ctx context.Context, merchant, vendor, game, language string) (string, error)
}

// A Directory implements Launches and Games on the platform's database.
type Directory struct{ Store *db.Store }

// Launched implements Launches.
func (d Directory) Launched(ctx context.Context, ticket string) (Launch, bool, error) {
	hash := sha256.Sum256([]byte(ticket))
	row, err := d.Store.Q().HouseLaunch(ctx, hash[:])
	if errors.Is(err, sql.ErrNoRows) {
		return Launch{}, false, nil
	}
	return Launch{Merchant: row.Merchant, Vendor: row.Vendor, Game: row.Game, Category: row.Category}, err == nil, err
}

// GameName implements Games.
func (d Directory) GameName(ctx context.Context, merchant, vendor, game, language string) (string, error) {
	return d.Store.Q().HouseGameName(ctx, query.HouseGameNameParams{Merchant: merchant, Vendor: vendor, Game: game, Language: language})
}
