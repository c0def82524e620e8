package lottery

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"fairground/internal/game/lottery/play"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

// Lobby is the game id of a launch that is bound to a vendor instead of a game.
const Lobby = "lobby"

// sessionLifetime is how long a session lasts. It equals the longest play of other games.
const sessionLifetime = 24 * time.Hour

// A Launch is a game of the lottery that a ticket can open.
type Launch struct {
	Node, VendorID   int64
	Code             string
	Vendor, Category string
	Address          string // with {ticket}
}

// FindLaunch returns the launch of a game or of a vendor's lobby. It returns false if the lottery does not run the game.
func (s *Service) FindLaunch(ctx context.Context, merchantID int64, vendor, category, code string) (Launch, bool, error) {
	t, err := s.tenantOf(ctx, merchantID)
	if err != nil || t.vendors[vendor] == 0 {
		return Launch{}, false, err
	}
	l := Launch{VendorID: t.vendors[vendor], Vendor: vendor, Category: category}
	g, known := s.findGame(code)
	var names play.Names
	switch {
	case known:
		of, in := vendorOf(g)
		if vendor != of || category != "" && category != in {
			return Launch{}, false, play.ErrUnknownGame
		}
		l.Category, l.Code, names = in, code, g.Names
	case code == Lobby:
		l.Code, names = Lobby+"-"+vendor, play.Names{EN: "Lottery", VI: "Xổ số"}
	default: // a tile of the catalogue
		row, err := s.o.Store.Q().LotteryCatalogueGame(ctx, merchantID, code)
		if errors.Is(err, sql.ErrNoRows) {
			return Launch{}, false, nil
		}
		if err != nil {
			return Launch{}, false, fmt.Errorf("read game: %w", err)
		}
		if g, known = s.findGame(row.LaunchCode); !known || row.VendorID != l.VendorID || category != "" && category != row.Category {
			return Launch{}, false, nil
		}
		l.Category, l.Code, l.Node = row.Category, row.Code, row.ID
	}
	if l.Category == "" {
		l.Category = spec.Lottery
	}
	if known {
		if _, err := s.game(ctx, merchantID, fmt.Sprint(g.ID)); err != nil {
			return Launch{}, false, err
		}
	}
	if l.Node == 0 {
		if l.Node, err = s.ensureNode(ctx, merchantID, l, names); err != nil {
			return Launch{}, false, err
		}
	}
	l.Address, err = s.address(ctx, merchantID, g, known)
	return l, err == nil, err
}

// address returns the page of a game or of the lobby (GL-04).
func (s *Service) address(ctx context.Context, merchantID int64, g play.Game, known bool) (string, error) {
	merchant, err := s.o.Store.Q().LotteryMerchantCode(ctx, merchantID)
	if err != nil {
		return "", fmt.Errorf("read merchant: %w", err)
	}
	id, values := Lobby, url.Values{"merchant": {merchant}}
	if known {
		id = fmt.Sprint(g.ID)
		values.Set("prize_mode", play.Modes(g.Form)[0].Code)
	}
	return "/m/lotto-h5/" + spec.ClientLottery + "/" + play.Entertainment + "/games/" + id + "?token={ticket}&" + values.Encode(), nil
}

// ensureNode returns the game in the catalogue that plays and the record refer to. It is in no list.
func (s *Service) ensureNode(ctx context.Context, merchantID int64, l Launch, names play.Names) (id int64, err error) {
	row, err := s.o.Store.Q().LotteryCatalogueGame(ctx, merchantID, l.Code)
	if err == nil {
		return row.ID, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("read game: %w", err)
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		id, err = s.ensureNodeIn(ctx, tx, merchantID, l, names)
		return err
	})
	return id, err
}

func (s *Service) ensureNodeIn(ctx context.Context, tx *db.Tx, merchantID int64, l Launch, names play.Names) (int64, error) {
	id := s.o.IDs()
	err := tx.Q.AddLotteryCatalogueGame(ctx, query.AddLotteryCatalogueGameParams{
		ID: id, MerchantID: merchantID, VendorID: l.VendorID, Code: l.Code, Category: l.Category, LaunchCode: strings.TrimSuffix(l.Code, "-"+l.Vendor),
	})
	if err != nil {
		return 0, fmt.Errorf("add game: %w", err)
	}
	for _, language := range rest.Languages() {
		name := names.EN
		if language == "vi" {
			name = names.VI
		}
		if err := tx.Q.AddLotteryCatalogueName(ctx, language, name, id); err != nil {
			return 0, fmt.Errorf("name game: %w", err)
		}
	}
	row, err := tx.Q.LotteryCatalogueGame(ctx, merchantID, l.Code) // another replica may have added it first
	return row.ID, wrap("read game", err)
}

// A frame is an open window of the lottery.
type frame struct {
	query.LotteryPlayByTokenRow

	currency money.Currency
	game     *play.Game // nil in a lobby
}

// An opened is a new session.
type opened struct {
	frame

	token   string
	expires time.Time
	balance money.Minor
}

// open exchanges a ticket for a session. named is the merchant that the request names, or empty.
func (s *Service) open(ctx context.Context, ticket, named string) (opened, error) {
	now := s.o.Now()
	hash := sha256.Sum256([]byte(ticket))
	row, err := s.o.Store.Q().LotteryPlayByTicket(ctx, hash[:], millis(now))
	if errors.Is(err, sql.ErrNoRows) || err == nil && !isLotteryVendor(row.Vendor) {
		return opened{}, rest.ErrTokenInvalid
	}
	if err != nil {
		return opened{}, fmt.Errorf("find ticket: %w", err)
	}
	var random [32]byte
	if _, err := io.ReadFull(s.o.Random, random[:]); err != nil {
		return opened{}, fmt.Errorf("make session: %w", err)
	}
	token := base64.RawURLEncoding.EncodeToString(random[:])
	digest := sha256.Sum256([]byte(token))
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		used, err := tx.Q.OpenPlay(ctx, query.OpenPlayParams{
			TokenHash: digest[:], OpenedBy: digest[:], Now: nullID(millis(now)), TicketHash: hash[:], VendorID: row.VendorID,
		})
		if err == nil && used == 0 {
			err = rest.ErrTokenInvalid
		}
		return err
	})
	if err != nil {
		return opened{}, fmt.Errorf("use ticket: %w", err)
	}
	f, err := s.enter(ctx, token, named)
	if err != nil {
		return opened{}, err
	}
	if err := s.o.Limits.Check(ctx, f.MemberID); err != nil {
		return opened{}, err
	}
	cash, err := s.o.Ledger.EnsureMember(ctx, f.MerchantID, f.MemberID, f.Currency)
	if err != nil {
		return opened{}, err
	}
	return opened{f, token, time.UnixMilli(f.CreatedAt).Add(sessionLifetime), cash.Balance}, nil
}

func isLotteryVendor(code string) bool {
	switch code {
	case spec.VendorELott, spec.VendorLottoVN, spec.VendorSEA, spec.VendorLott:
		return true
	}
	return false
}

// enter returns the window of a session.
func (s *Service) enter(ctx context.Context, token, named string) (frame, error) {
	hash := sha256.Sum256([]byte(token))
	row, err := s.o.Store.Q().LotteryPlayByToken(ctx, hash[:])
	if errors.Is(err, sql.ErrNoRows) {
		return frame{}, rest.ErrTokenInvalid
	}
	if err != nil {
		return frame{}, fmt.Errorf("find session: %w", err)
	}
	expired := s.o.Now().Sub(time.UnixMilli(row.CreatedAt)) >= sessionLifetime
	if !isLotteryVendor(row.Vendor) || expired || named != "" && named != row.Merchant || row.MemberStatus != "active" {
		return frame{}, rest.ErrTokenInvalid
	}
	if row.ClosedAt.Valid {
		if err := s.o.Limits.Check(ctx, row.MemberID); row.ClosedWhy == "break" && err != nil {
			return frame{}, err
		}
		return frame{}, rest.ErrTokenInvalid
	}
	alive, err := s.o.Sessions.Alive(ctx, row.SessionID)
	if err != nil {
		return frame{}, fmt.Errorf("read the player's session: %w", err)
	}
	if !alive {
		return frame{}, rest.ErrTokenInvalid
	}
	f := frame{LotteryPlayByTokenRow: row}
	if f.currency, err = money.Find(row.Currency); err != nil {
		return frame{}, rest.ErrSystem.Because(err)
	}
	if g, known := s.findGame(row.LaunchCode); known {
		f.game = &g
	}
	return f, nil
}

// admits reports whether bets on a game belong to the window: a game's window has only that game, a lobby has the games
// of its vendor.
func (f frame) admits(g play.Game) bool {
	if f.game != nil {
		return f.game.ID == g.ID
	}
	vendor, _ := vendorOf(g)
	switch f.Vendor {
	case spec.VendorSEA, spec.VendorLott: // the lobby of all games
		return true
	default:
		return f.Vendor == vendor
	}
}

// accounts returns the member's account and the vendor's.
func (s *Service) accounts(ctx context.Context, f frame) (cash ledger.Account, house ledger.Account, err error) {
	if cash, err = s.o.Ledger.EnsureMember(ctx, f.MerchantID, f.MemberID, f.Currency); err != nil {
		return cash, house, err
	}
	house, err = s.o.Ledger.House(ctx, f.MerchantID, ledger.Vendor(f.Vendor), f.Currency)
	return cash, house, err
}
