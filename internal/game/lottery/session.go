package lottery

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
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

// sessionLifetime is how long a session lasts. It equals the maximum of vendor games.
const sessionLifetime = 24 * time.Hour

// A Launch is a game of the lottery that a ticket can open.
type Launch struct {
	Node, VendorID   int64
	Code             string
	Vendor, Category string
	Address          string // URL with the placeholder {ticket}
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
		gameVendor, gameCategory := vendorOf(g)
		if vendor != gameVendor || category != "" && category != gameCategory {
			return Launch{}, false, play.ErrUnknownGame
		}
		l.Category, l.Code, names = gameCategory, code, g.Names
	case code == Lobby:
		l.Code, names = Lobby+"-"+vendor, play.Names{EN: "Lottery", VI: "Xổ số"}
	default: // a game of the catalogue
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
	l.Address, err = s.pageURL(ctx, merchantID, g, known)
	return l, err == nil, err
}

// pageURL returns the URL of the page of a game or of the lobby (GL-04).
func (s *Service) pageURL(ctx context.Context, merchantID int64, g play.Game, known bool) (string, error) {
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

// ensureNode returns the id of the catalogue entry to which sessions and the betting record refer. No list shows the
// entry.
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

// A gameSession is a member's session in the lottery.
type gameSession struct {
	query.LotteryPlayByTokenRow

	currency money.Currency
	game     *play.Game // nil in a lobby
}

// A newSession is a session that was just opened.
type newSession struct {
	gameSession

	token   string
	expires time.Time
	balance money.Minor
}

// openSession exchanges a ticket for a session. merchant is the code of the merchant that the request names, or empty.
func (s *Service) openSession(ctx context.Context, ticket, merchant string) (newSession, error) {
	now := s.o.Now()
	hash := sha256.Sum256([]byte(ticket))
	row, err := s.o.Store.Q().LotteryPlayByTicket(ctx, hash[:], millis(now))
	if errors.Is(err, sql.ErrNoRows) || err == nil && !isLotteryVendor(row.Vendor) {
		return newSession{}, rest.ErrTokenInvalid
	}
	if err != nil {
		return newSession{}, fmt.Errorf("find ticket: %w", err)
	}
	var random [32]byte
	if _, err := io.ReadFull(s.o.Random, random[:]); err != nil {
		return newSession{}, fmt.Errorf("make session: %w", err)
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
		return newSession{}, fmt.Errorf("use ticket: %w", err)
	}
	f, err := s.findSession(ctx, token, merchant)
	if err != nil {
		return newSession{}, err
	}
	if err := s.o.Limits.Check(ctx, f.MemberID); err != nil {
		return newSession{}, err
	}
	cash, err := s.o.Ledger.EnsureMember(ctx, f.MerchantID, f.MemberID, f.Currency)
	if err != nil {
		return newSession{}, err
	}
	return newSession{f, token, time.UnixMilli(f.CreatedAt).Add(sessionLifetime), cash.Balance}, nil
}

func isLotteryVendor(code string) bool {
	switch code {
	case spec.VendorELott, spec.VendorLottoVN, spec.VendorSEA, spec.VendorLott:
		return true
	}
	return false
}

// findSession returns the session of a token.
func (s *Service) findSession(ctx context.Context, token, merchant string) (gameSession, error) {
	hash := sha256.Sum256([]byte(token))
	row, err := s.o.Store.Q().LotteryPlayByToken(ctx, hash[:])
	if errors.Is(err, sql.ErrNoRows) {
		return gameSession{}, rest.ErrTokenInvalid
	}
	if err != nil {
		return gameSession{}, fmt.Errorf("find session: %w", err)
	}
	expired := s.o.Now().Sub(time.UnixMilli(row.CreatedAt)) >= sessionLifetime
	if !isLotteryVendor(row.Vendor) || expired || merchant != "" && merchant != row.Merchant || row.MemberStatus != "active" {
		return gameSession{}, rest.ErrTokenInvalid
	}
	if row.ClosedAt.Valid {
		if err := s.o.Limits.Check(ctx, row.MemberID); row.ClosedWhy == "break" && err != nil {
			return gameSession{}, err
		}
		return gameSession{}, rest.ErrTokenInvalid
	}
	alive, err := s.o.Sessions.Alive(ctx, row.SessionID)
	if err != nil {
		return gameSession{}, fmt.Errorf("read the player's session: %w", err)
	}
	if !alive {
		return gameSession{}, rest.ErrTokenInvalid
	}
	f := gameSession{LotteryPlayByTokenRow: row}
	if f.currency, err = money.Find(row.Currency); err != nil {
		return gameSession{}, rest.ErrSystem.Because(err)
	}
	if g, known := s.findGame(row.LaunchCode); known {
		f.game = &g
	}
	return f, nil
}

// player returns a name of the player that the page uses for what it stores on the device. It is not the member's id.
func (f gameSession) player() string {
	name := sha256.Sum256(fmt.Appendf(nil, "lottery player %d/%d", f.MerchantID, f.MemberID))
	return hex.EncodeToString(name[:8])
}

// allows reports whether the session may bet on a game. The session of a game allows only that game. The session of a
// lobby allows the games of its vendor.
func (f gameSession) allows(g play.Game) bool {
	if f.game != nil {
		return f.game.ID == g.ID
	}
	vendor, _ := vendorOf(g)
	switch f.Vendor {
	case spec.VendorSEA, spec.VendorLott: // the lobby has all games
		return true
	default:
		return f.Vendor == vendor
	}
}

// accounts returns the accounts of the member and of the vendor.
func (s *Service) accounts(ctx context.Context, f gameSession) (cash ledger.Account, house ledger.Account, err error) {
	if cash, err = s.o.Ledger.EnsureMember(ctx, f.MerchantID, f.MemberID, f.Currency); err != nil {
		return cash, house, err
	}
	house, err = s.o.Ledger.House(ctx, f.MerchantID, ledger.Vendor(f.Vendor), f.Currency)
	return cash, house, err
}
