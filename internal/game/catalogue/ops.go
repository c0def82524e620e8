package catalogue

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// ErrMissing is returned for a game or vendor that the operator's merchant does not have.
var ErrMissing = fault.ForOperators(fault.NotFound, "catalogue.missing")

// States of games and vendors in the operator's API.
const (
	stateEnabled     = "enabled"
	stateDisabled    = "disabled"
	stateMaintenance = "maintenance"
)

func stateOf(enabled, maintenance bool) string {
	switch {
	case !enabled:
		return stateDisabled
	case maintenance:
		return stateMaintenance
	default:
		return stateEnabled
	}
}

// An Edit is an operator's change to a version of a game or vendor.
type Edit struct {
	ID, Version int64
	Action      string
	After       int64 // for move: the id of the row before the new position; 0 for the first position
	Rank        int64 // for hot
	Reason      string
}

// GameFilter selects games for operators.
type GameFilter struct {
	Text, Vendor, Category, State, Mark, Sort string
}

// AllGames returns the games of a merchant that match the filter, enabled or not. Names are in the given language.
func (s *Service) AllGames(ctx context.Context, merchantID int64, language string, f GameFilter) ([]query.OpsGamesRow, error) {
	rows, err := s.o.Store.Q().OpsGames(ctx, language, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read games: %w", err)
	}
	search := Fold(f.Text)
	rows = slices.DeleteFunc(rows, func(g query.OpsGamesRow) bool {
		return f.Vendor != "" && g.Vendor != f.Vendor || f.Category != "" && g.Category != f.Category ||
			f.State != "" && stateOf(g.Enabled, g.Maintenance) != f.State ||
			f.Mark == "hot" && g.HotRank == 0 || f.Mark == "jackpot" && !g.Jackpot ||
			search != "" && !strings.Contains(Fold(g.Name.String), search) && !strings.Contains(strings.ToLower(g.Code), strings.ToLower(f.Text))
	})
	switch f.Sort {
	case "hot":
		slices.SortStableFunc(rows, func(a, b query.OpsGamesRow) int {
			return cmp.Or(compareBool(a.HotRank == 0, b.HotRank == 0), cmp.Compare(a.HotRank, b.HotRank))
		})
	case "name":
		c := collationOf(language)
		slices.SortStableFunc(rows, func(a, b query.OpsGamesRow) int {
			return cmp.Compare(c.key(a.Name.String), c.key(b.Name.String))
		})
	case "newest":
		slices.SortStableFunc(rows, func(a, b query.OpsGamesRow) int { return cmp.Compare(b.ID, a.ID) })
	}
	return rows, nil
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}

// gameState holds the fields of a game that operators change, for the audit log.
type gameState struct {
	Enabled     bool   `json:"enabled"`
	Maintenance bool   `json:"maintenance"`
	HotRank     int64  `json:"hotRank"`
	Jackpot     bool   `json:"jackpot"`
	Sorting     int64  `json:"sorting"`
	Reason      string `json:"reason,omitempty"`
}

// EditGame changes a game.
func (s *Service) EditGame(ctx context.Context, merchantID int64, e Edit) error {
	return s.editIn(ctx, merchantID, "game", e, func(tx *db.Tx) (before, after any, err error) {
		row, err := tx.Q.OpsGame(ctx, e.ID, merchantID)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, nil, ErrMissing
		}
		if err != nil {
			return nil, nil, err
		}
		if row.Version != e.Version {
			return nil, nil, rest.ErrStale
		}
		current := gameState{row.Enabled, row.Maintenance, row.HotRank, row.Jackpot, row.Sorting, ""}
		next := current
		next.Reason = e.Reason
		switch e.Action {
		case "enable", "disable":
			next.Enabled = e.Action == "enable"
		case "maintenance", "open":
			next.Maintenance = e.Action == "maintenance"
		case "jackpot", "no-jackpot":
			next.Jackpot = e.Action == "jackpot"
		case "hot":
			next.HotRank = max(1, e.Rank)
		case "not-hot":
			next.HotRank = 0
		case "move":
			next.Sorting, err = s.moveGame(ctx, tx, merchantID, e, current.Sorting)
			return current, next, err
		}
		n, err := tx.Q.ChangeGame(ctx, query.ChangeGameParams{
			HotRank: next.HotRank, Enabled: next.Enabled, Maintenance: next.Maintenance, Jackpot: next.Jackpot, ID: e.ID, MerchantID: merchantID, Version: e.Version,
		})
		if err == nil && n == 0 {
			err = rest.ErrStale
		}
		return current, next, err
	})
}

func (s *Service) moveGame(ctx context.Context, tx *db.Tx, merchantID int64, e Edit, sorting int64) (int64, error) {
	rows, err := tx.Q.GameOrder(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	list := make([]oplist.Position, len(rows))
	for i, row := range rows {
		list[i] = oplist.Position(row)
	}
	return move(list, e, sorting, func(p oplist.Position) error { return tx.Q.SetGameSorting(ctx, p.Sorting, p.ID) })
}

// move stores the new order and returns the moved row's sorting.
func move(list []oplist.Position, e Edit, sorting int64, set func(oplist.Position) error) (int64, error) {
	changed, ok := oplist.Move(list, e.ID, e.After)
	if !ok {
		return 0, ErrMissing.On("after")
	}
	for _, p := range changed {
		if err := set(p); err != nil {
			return 0, err
		}
		if p.ID == e.ID {
			sorting = p.Sorting
		}
	}
	return sorting, nil
}

// AllVendors returns the vendors of a merchant in display order, enabled or not.
func (s *Service) AllVendors(ctx context.Context, merchantID int64) ([]query.OpsVendorsRow, error) {
	rows, err := s.o.Store.Q().OpsVendors(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read vendors: %w", err)
	}
	return rows, nil
}

type vendorState struct {
	Enabled     bool   `json:"enabled"`
	Maintenance bool   `json:"maintenance"`
	Sorting     int64  `json:"sorting"`
	Reason      string `json:"reason,omitempty"`
}

// EditVendor changes the switches of a vendor or its position in the list.
func (s *Service) EditVendor(ctx context.Context, merchantID int64, e Edit) error {
	return s.editIn(ctx, merchantID, "vendor", e, func(tx *db.Tx) (before, after any, err error) {
		rows, err := tx.Q.OpsVendors(ctx, merchantID)
		if err != nil {
			return nil, nil, err
		}
		i := slices.IndexFunc(rows, func(v query.OpsVendorsRow) bool { return v.ID == e.ID })
		if i < 0 {
			return nil, nil, ErrMissing
		}
		if rows[i].Version != e.Version {
			return nil, nil, rest.ErrStale
		}
		current := vendorState{rows[i].Enabled, rows[i].Maintenance, rows[i].Sorting, ""}
		next := current
		next.Reason = e.Reason
		switch e.Action {
		case "enable", "disable":
			next.Enabled = e.Action == "enable"
		case "maintenance", "open":
			next.Maintenance = e.Action == "maintenance"
		case "move":
			list := make([]oplist.Position, len(rows))
			for i, row := range rows {
				list[i] = oplist.Position{ID: row.ID, Sorting: row.Sorting}
			}
			next.Sorting, err = move(list, e, current.Sorting, func(p oplist.Position) error { return tx.Q.SetVendorSorting(ctx, p.Sorting, p.ID) })
			return current, next, err
		}
		n, err := tx.Q.ChangeVendorSwitches(ctx, query.ChangeVendorSwitchesParams{
			Enabled: next.Enabled, Maintenance: next.Maintenance, ID: e.ID, MerchantID: merchantID, Version: e.Version,
		})
		if err == nil && n == 0 {
			err = rest.ErrStale
		}
		if err != nil {
			return nil, nil, err
		}
		return current, next, s.o.Bus.AddIn(ctx, tx, subjectVendors, nil)
	})
}

// editIn stores an operator's change with its audit row. It notifies all replicas and members' open apps.
func (s *Service) editIn(ctx context.Context, merchantID int64, what string, e Edit, change func(*db.Tx) (before, after any, err error)) error {
	err := s.write(ctx, merchantID, what, func(tx *db.Tx) error {
		before, after, err := change(tx)
		if err != nil {
			return err
		}
		if err := s.notifyApps(ctx, tx, merchantID); err != nil {
			return err
		}
		return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.CatalogueEdit), Action: "catalogue." + what + "." + e.Action,
			Object: what + "/" + strconv.FormatInt(e.ID, 10), Before: before, After: after,
		})
	})
	if err != nil {
		return err
	}
	s.current.Committed()
	if s.o.Outbox != nil {
		s.o.Outbox.Wake()
	}
	return nil
}

// notifyApps makes members' open apps load the games again.
func (s *Service) notifyApps(ctx context.Context, tx *db.Tx, merchantID int64) error {
	if s.o.Outbox == nil {
		return nil
	}
	return s.o.Outbox.Add(ctx, tx, s.o.Now(), events.Message{Merchant: strconv.FormatInt(merchantID, 10), Event: changed, Data: []byte("{}")})
}
