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

// A File is a catalogue to import. It creates or updates the rows that it names and leaves all others unchanged.
// Missing switches stay unchanged too, so a disabled game stays disabled unless the file enables it.
type File struct {
	Vendors []VendorRow `json:"vendors"`
	Games   []GameRow   `json:"games"`
}

// A VendorRow is a vendor in a File.
type VendorRow struct {
	Code            string   `json:"code"`
	DisplayName     string   `json:"displayName"`
	AccountTypeName string   `json:"accountTypeName"`
	Categories      []string `json:"categories"`
	Icon            string   `json:"icon,omitempty"`
	Sorting         int64    `json:"sorting"`
	Maintenance     *bool    `json:"maintenance,omitempty"` // if nil, it stays unchanged
	Disabled        *bool    `json:"disabled,omitempty"`
}

// Vendor returns the vendor that the row describes.
func (r VendorRow) Vendor() Vendor {
	return Vendor{
		Code: r.Code, DisplayName: r.DisplayName, AccountType: r.AccountTypeName, Categories: r.Categories, Icon: r.Icon,
		Sorting: r.Sorting, Enabled: !isTrue(r.Disabled), Maintenance: isTrue(r.Maintenance),
		Keep: Keep{Enabled: r.Disabled == nil, Maintenance: r.Maintenance == nil},
	}
}

func isTrue(b *bool) bool { return b != nil && *b }

// A GameRow is a game in a File.
type GameRow struct {
	GameID      string            `json:"gameId"`
	Vendor      string            `json:"vendor"`
	Category    string            `json:"category"`
	Names       map[string]string `json:"names"`
	Classify    []string          `json:"classify,omitempty"`
	Icon        string            `json:"icon"`
	GameCode    string            `json:"gameCode,omitempty"` // the vendor's id of the game; if empty, gameId is used
	GameGroupID string            `json:"gameGroupId,omitempty"`
	LottoMode   string            `json:"lottoMode,omitempty"`
	MinBet      int64             `json:"minBet"`
	MinLines    int64             `json:"minLines"`
	Sorting     int64             `json:"sorting"`
	HotRank     int64             `json:"hotRank,omitempty"`
	SupportPlay bool              `json:"supportPlay"`
	FreePlay    bool              `json:"freeplay"`
	Disabled    *bool             `json:"disabled,omitempty"` // if nil, it stays unchanged
}

// Game returns the game that the row describes.
func (r GameRow) Game() Game {
	g := Game{
		Code: r.GameID, Vendor: r.Vendor, Category: r.Category, LaunchCode: r.GameCode, GroupID: r.GameGroupID,
		LottoMode: r.LottoMode, Names: r.Names, Classes: r.Classify, Icon: r.Icon, MinBet: r.MinBet, MinLines: r.MinLines,
		SupportPlay: r.SupportPlay, FreePlay: r.FreePlay, Sorting: r.Sorting, HotRank: r.HotRank,
		Enabled: !isTrue(r.Disabled), KeepEnabled: r.Disabled == nil,
	}
	if g.LaunchCode == "" {
		g.LaunchCode = g.Code
	}
	return g
}

// ReadFile reads a catalogue and checks all its rows, so that an error is found before anything is stored.
func ReadFile(from io.Reader) (File, error) {
	raw, err := readLimited(from)
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
		return File{}, ErrMalformed.Because(fmt.Errorf("after %d bytes: unexpected data follows the catalogue", decoder.InputOffset()))
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
			return File{}, ErrMalformed.Because(fmt.Errorf("vendor %s occurs twice", r.Code))
		}
		seen[r.Code] = true
	}
	clear(seen)
	for _, r := range f.Games {
		if err := r.Game().check(); err != nil {
			return File{}, err
		}
		if seen[r.GameID] {
			return File{}, ErrMalformed.Because(fmt.Errorf("game %s occurs twice", r.GameID))
		}
		seen[r.GameID] = true
	}
	return f, nil
}

// importBatch is the number of games per transaction. Transactions must be short, because on SQLite they block all writers.
const importBatch = 64

// Import stores a catalogue. It stores all vendors in one transaction, and then the games in batches. It is idempotent.
// It fails before it stores anything if a game's vendor does not exist.
func (s *Service) Import(ctx context.Context, merchantID int64, f File) error {
	defer s.current.Committed() // after a failure too, because some batches may be stored
	vendors := make([]Vendor, len(f.Vendors))
	for i, r := range f.Vendors {
		vendors[i] = r.Vendor()
	}
	existing, err := s.VendorCodes(ctx, merchantID)
	if err != nil {
		return err
	}
	games := make([]Game, len(f.Games))
	for i, r := range f.Games {
		games[i] = r.Game()
		if !slices.Contains(existing, r.Vendor) && !slices.ContainsFunc(f.Vendors, func(v VendorRow) bool { return v.Code == r.Vendor }) {
			return ErrMalformed.Because(fmt.Errorf("game %s: there is no vendor %s", r.GameID, r.Vendor))
		}
	}
	if len(vendors) > 0 {
		if err := s.writeVendors(ctx, merchantID, vendors); err != nil {
			return err
		}
	}
	for batch := range slices.Chunk(games, importBatch) {
		if err := s.writeGames(ctx, merchantID, batch); err != nil {
			return err
		}
	}
	return nil
}
