package catalogue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"fairground/internal/platform/rest"
)

// File is a catalogue to be taken in: what it names is made or changed, what it does not name stays as it is. That holds for
// switches too: what an operator has switched off stays off unless the file says otherwise.
type File struct {
	Vendors []VendorRow `json:"vendors"`
	Games   []GameRow   `json:"games"`
}

// VendorRow is a vendor as files write it.
type VendorRow struct {
	Code            string   `json:"code"`
	DisplayName     string   `json:"displayName"`
	AccountTypeName string   `json:"accountTypeName"`
	Categories      []string `json:"categories"`
	Icon            string   `json:"icon,omitempty"`
	Sorting         int64    `json:"sorting"`
	Maintenance     *bool    `json:"maintenance,omitempty"` // nil: as it is switched
	Disabled        *bool    `json:"disabled,omitempty"`
}

// Vendor is what the row says.
func (r VendorRow) Vendor() Vendor {
	return Vendor{
		Code: r.Code, DisplayName: r.DisplayName, AccountType: r.AccountTypeName, Categories: r.Categories, Icon: r.Icon,
		Sorting: r.Sorting, Enabled: !says(r.Disabled), Maintenance: says(r.Maintenance),
		Keep: Keep{Enabled: r.Disabled == nil, Maintenance: r.Maintenance == nil},
	}
}

func says(b *bool) bool { return b != nil && *b }

// GameRow is a game as files write it.
type GameRow struct {
	GameID      string            `json:"gameId"`
	Vendor      string            `json:"vendor"`
	Category    string            `json:"category"`
	Names       map[string]string `json:"names"`
	Classify    []string          `json:"classify,omitempty"`
	Icon        string            `json:"icon"`
	GameCode    string            `json:"gameCode,omitempty"` // what the vendor calls it; its id when missing
	GameGroupID string            `json:"gameGroupId,omitempty"`
	LottoMode   string            `json:"lottoMode,omitempty"`
	MinBet      int64             `json:"minBet"`
	MinLines    int64             `json:"minLines"`
	Sorting     int64             `json:"sorting"`
	HotRank     int64             `json:"hotRank,omitempty"`
	SupportPlay bool              `json:"supportPlay"`
	FreePlay    bool              `json:"freeplay"`
	Disabled    *bool             `json:"disabled,omitempty"` // nil: as it is switched
}

// Game is what the row says.
func (r GameRow) Game() Game {
	g := Game{
		Code: r.GameID, Vendor: r.Vendor, Category: r.Category, LaunchCode: r.GameCode, GroupID: r.GameGroupID,
		LottoMode: r.LottoMode, Names: r.Names, Classes: r.Classify, Icon: r.Icon, MinBet: r.MinBet, MinLines: r.MinLines,
		SupportPlay: r.SupportPlay, FreePlay: r.FreePlay, Sorting: r.Sorting, HotRank: r.HotRank,
		Enabled: !says(r.Disabled), KeepEnabled: r.Disabled == nil,
	}
	if g.LaunchCode == "" {
		g.LaunchCode = g.Code
	}
	return g
}

// ReadFile reads a catalogue and checks every row of it, so that a slip at its end is told before anything is stored.
func ReadFile(from io.Reader) (File, error) {
	raw, err := bounded(from)
	if err != nil {
		return File{}, err
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	var f File
	if err := decoder.Decode(&f); err != nil {
		return File{}, ErrMalformed.Because(fmt.Errorf("after %d bytes: %w", decoder.InputOffset(), err))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return File{}, ErrMalformed.Because(fmt.Errorf("after %d bytes: something follows the catalogue", decoder.InputOffset()))
	}
	if field, err := rest.CheckFile(raw); err != nil {
		return File{}, ErrMalformed.On(field).Because(fmt.Errorf("%s: %w", field, err))
	}
	if string(bytes.TrimSpace(raw)) == "null" {
		return File{}, ErrMalformed.Because(errors.New("the file holds no catalogue"))
	}
	seen := map[string]bool{}
	for _, r := range f.Vendors {
		if err := r.Vendor().check(); err != nil {
			return File{}, err
		}
		if seen[r.Code] {
			return File{}, ErrMalformed.Because(fmt.Errorf("vendor %s stands twice", r.Code))
		}
		seen[r.Code] = true
	}
	clear(seen)
	for _, r := range f.Games {
		if err := r.Game().check(); err != nil {
			return File{}, err
		}
		if seen[r.GameID] {
			return File{}, ErrMalformed.Because(fmt.Errorf("game %s stands twice", r.GameID))
		}
		seen[r.GameID] = true
	}
	return f, nil
}

// chunk keeps transactions short: on SQLite every other writer waits for them.
const chunk = 64

// Import takes a catalogue in: vendors first, all or none, then the games, some at a time. It can be repeated, and changes
// nothing the second time. Every vendor of a game must be known before the first game is stored.
func (s *Service) Import(ctx context.Context, merchantID int64, f File) error {
	defer s.current.Changed() // also of what was stored before something failed
	vendors := make([]Vendor, len(f.Vendors))
	for i, r := range f.Vendors {
		vendors[i] = r.Vendor()
	}
	known, err := s.VendorCodes(ctx, merchantID)
	if err != nil {
		return err
	}
	games := make([]Game, len(f.Games))
	for i, r := range f.Games {
		games[i] = r.Game()
		if !slices.Contains(known, r.Vendor) && !slices.ContainsFunc(f.Vendors, func(v VendorRow) bool { return v.Code == r.Vendor }) {
			return ErrMalformed.Because(fmt.Errorf("game %s: there is no vendor %s", r.GameID, r.Vendor))
		}
	}
	if len(vendors) > 0 {
		if err := s.writeVendors(ctx, merchantID, vendors); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(games, chunk) {
		if err := s.writeGames(ctx, merchantID, part); err != nil {
			return err
		}
	}
	return nil
}
