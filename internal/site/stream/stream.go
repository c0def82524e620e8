// Package stream shows live streams with a chat next to the video. The merchant's streaming server delivers the video as HLS. This
// package stores only the URL of the video, never the video itself.
package stream

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

// States of a stream.
const (
	Hidden    = "hidden"    // members do not see it
	Scheduled = "scheduled" // it starts later
	Live      = "live"      // it is on air
	Off       = "off"       // an operator has stopped it
	Ended     = "ended"     // its time is over; members do not see it
)

// Faults of this package.
var (
	// ErrUnknown refuses a stream or message that does not exist, or that the caller may not see.
	ErrUnknown = fault.New(fault.NotFound, "stream.unknown")
	// ErrClosed refuses a message while the stream is not on air, or its chat is closed.
	ErrClosed = fault.New(fault.Refused, "stream.closed")
	// ErrMuted refuses a message from a member whom an operator has muted.
	ErrMuted = fault.New(fault.Refused, "stream.muted")
	// ErrEmpty refuses a text without visible characters.
	ErrEmpty = fault.New(fault.Invalid, "stream.empty")
	// ErrMalformed refuses a stream with an invalid field.
	ErrMalformed = fault.ForOperators(fault.Invalid, "stream.malformed")
	// ErrFull refuses more streams than a merchant may have.
	ErrFull = fault.ForOperators(fault.Conflict, "stream.full")
)

// messageLimit limits a member's messages on all streams together.
var messageLimit = ratelimit.Limit{Burst: 5, Every: 3 * time.Second}

const (
	maxText        = 200 // characters
	maxStreams     = 100 // per merchant
	maxGames       = 12  // per stream
	pageSize       = 50
	retention      = 30 * 24 * time.Hour // of messages
	changedSubject = "stream.changed"
	cacheTime      = time.Minute
	allOrigins     = 0 // the only key of the cache
)

// fallbackLanguages are tried in this order if there is no name in the reader's language.
var fallbackLanguages = []string{"vi", "en"}

// A Game is a game that a stream links to. Its fields are those of the catalogue's games.
type Game struct {
	GameID       string `json:"gameId"`
	NodeID       string `json:"nodeId"`
	NodeName     string `json:"nodeName"`
	DisplayName  string `json:"displayName" doc:"The vendor's display name."`
	Vassalage    string `json:"vassalage" doc:"The vendor's code."`
	GameCategory string `json:"gameCategory"`
	IconURL      string `json:"iconUrl"`
	SupportPlay  bool   `json:"supportPlay"`
	GameCode     string `json:"gameCode"`
	GameGroupID  string `json:"gameGroupId"`
	LottoMode    string `json:"lottoMode"`
	FreePlay     bool   `json:"freeplay"`
	Maintenance  bool   `json:"maintenance"`
	NotOpen      bool   `json:"notOpen"`
}

// Games finds games by their codes.
type Games interface {
	// GamesByCode returns the visible games, in the order of the codes.
	GamesByCode(ctx context.Context, merchantID int64, codes []string, language string) ([]Game, error)
}

// Images reports from which other sites a merchant may show pictures.
type Images interface {
	AllowsImage(ctx context.Context, merchantID int64, imageURL string) (bool, error)
}

// Screens informs operators' open screens that an object changed.
type Screens interface {
	ChangedOf(ctx context.Context, tx *db.Tx, merchantID int64, collection, id string) error
}

// Options configures a Service.
type Options struct {
	Store   *db.Store
	Bus     *events.Bus
	Outbox  *events.Outbox
	Screens Screens
	Limiter *ratelimit.Stored
	Games   Games
	Images  Images
	IDs     db.IDs
	Now     func() time.Time

	// Requests stores the responses to requests that must take effect once.
	Requests *idempotency.Keys
}

// A Service shows streams and runs their chats.
type Service struct {
	o       Options
	origins *events.Cache[int64, []string]
}

// New returns a Service that follows changes made by other replicas.
func New(o Options) (*Service, error) {
	origins, err := events.NewCache[int64, []string](events.CacheOptions{Bus: o.Bus, Subject: changedSubject, FreshFor: cacheTime, Now: o.Now})
	if err != nil {
		return nil, fmt.Errorf("streams: %w", err)
	}
	return &Service{o: o, origins: origins}, nil
}

// Close stops following changes.
func (s *Service) Close() { s.origins.Close() }

// Origins returns the origins of all video URLs. The content security policy of the app must allow them.
func (s *Service) Origins(ctx context.Context) ([]string, error) {
	return s.origins.Get(ctx, allOrigins, func(ctx context.Context) ([]string, error) {
		urls, err := s.o.Store.Q().LiveStreamAddresses(ctx)
		if err != nil {
			return nil, fmt.Errorf("read addresses of streams: %w", err)
		}
		var out []string
		for _, videoURL := range urls {
			if u, err := url.Parse(videoURL); err == nil && u.Host != "" {
				out = append(out, u.Scheme+"://"+u.Host)
			}
		}
		slices.Sort(out)
		return slices.Compact(out), nil
	})
}

// A Stream is a stream as operators edit it.
type Stream struct {
	ID        int64
	Code      string
	Names     map[string]string // by language
	Host      string
	URL       string
	Poster    string
	Games     []string // codes
	Active    bool
	Streaming bool
	Recorded  bool
	Chat      bool
	StartsAt  int64 // Unix ms; 0: immediately
	EndsAt    int64 // 0: no end
	Sorting   int64
	LastSeq   int64
	Version   int64
}

// State returns the state of a stream.
func (v Stream) State(now time.Time) string {
	nowMs := db.Millis(now)
	switch {
	case !v.Active:
		return Hidden
	case v.EndsAt != 0 && nowMs >= v.EndsAt:
		return Ended
	case nowMs < v.StartsAt:
		return Scheduled
	case v.Streaming:
		return Live
	default:
		return Off
	}
}

// Name returns the name in a language, or else in the first of Vietnamese, English and the other languages that has one.
func (v Stream) Name(language string) string {
	for _, l := range append([]string{language}, append(slices.Clone(fallbackLanguages), rest.Languages()...)...) {
		if name := v.Names[l]; name != "" {
			return name
		}
	}
	return v.Code
}

func streamOf(row query.LiveStream) (Stream, error) {
	v := Stream{
		ID: row.ID, Code: row.Code, Host: row.Host, URL: row.Url, Poster: row.Poster, Active: row.Active, Streaming: row.Streaming, Recorded: row.Recorded,
		Chat: row.Chat, StartsAt: row.StartsAt, EndsAt: row.EndsAt, Sorting: row.Sorting, LastSeq: row.LastSeq, Version: row.Version,
	}
	if err := json.Unmarshal([]byte(row.Names), &v.Names); err != nil {
		return v, fmt.Errorf("read names of stream %d: %w", row.ID, err)
	}
	if err := json.Unmarshal([]byte(row.Games), &v.Games); err != nil {
		return v, fmt.Errorf("read games of stream %d: %w", row.ID, err)
	}
	return v, nil
}

func streamsOf(rows []query.LiveStream) ([]Stream, error) {
	out := make([]Stream, len(rows))
	for i, row := range rows {
		var err error
		if out[i], err = streamOf(row); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func find(ctx context.Context, q *query.Queries, merchantID, id int64) (Stream, error) {
	row, err := q.LiveStreamByID(ctx, id)
	found, err := db.Found("find stream", err)
	if err != nil {
		return Stream{}, err
	}
	if !found || row.MerchantID != merchantID {
		return Stream{}, ErrUnknown
	}
	return streamOf(row)
}

// findVisible returns a stream that members can see.
func (s *Service) findVisible(ctx context.Context, q *query.Queries, merchantID, id int64) (Stream, error) {
	v, err := find(ctx, q, merchantID, id)
	if err == nil && slices.Contains([]string{Hidden, Ended}, v.State(s.o.Now())) {
		err = ErrUnknown
	}
	return v, err
}

// Sweep deletes old messages, expired mutes and viewers who have left.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.o.Now()
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Q.SweepLiveStreamMessages(ctx, db.Millis(now.Add(-retention))); err != nil {
			return fmt.Errorf("delete old messages: %w", err)
		}
		if _, err := tx.Q.SweepLiveStreamMutes(ctx, db.Millis(now)); err != nil {
			return fmt.Errorf("delete mutes: %w", err)
		}
		if _, err := tx.Q.SweepLiveStreamViewers(ctx, db.Millis(now.Add(-viewerLifetime))); err != nil {
			return fmt.Errorf("delete viewers: %w", err)
		}
		return nil
	})
}

func nullID(id int64) sql.NullInt64 { return sql.NullInt64{Int64: id, Valid: true} }

func formatID(id int64) string { return strconv.FormatInt(id, 10) }
