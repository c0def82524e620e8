package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/rest"
)

const (
	maxName = 80 // characters
	maxURL  = 512
)

// safeHost matches hosts that are safe to list in a content security policy.
var safeHost = regexp.MustCompile(`^[A-Za-z0-9.:\[\]-]+$`)

// check normalizes and validates a stream.
func (s *Service) check(ctx context.Context, merchantID int64, v *Stream) error {
	names := map[string]string{}
	for l, name := range v.Names {
		if name = clean(name); name == "" {
			continue // an empty name counts as missing
		}
		if !slices.Contains(rest.Languages(), l) || utf8.RuneCountInString(name) > maxName {
			return ErrMalformed.On("names")
		}
		names[l] = name
	}
	v.Names, v.Host = names, clean(v.Host)
	if names["vi"] == "" && names["en"] == "" {
		return ErrMalformed.On("names").Because(errors.New("a name in Vietnamese or English is needed"))
	}
	switch {
	case utf8.RuneCountInString(v.Host) > maxName:
		return ErrMalformed.On("host")
	case !validURL(v.URL):
		return ErrMalformed.On("url")
	case v.EndsAt != 0 && v.EndsAt <= v.StartsAt:
		return ErrMalformed.On("endsAt")
	case len(v.Games) > maxGames:
		return ErrMalformed.On("games")
	}
	if err := s.checkPoster(ctx, merchantID, v.Poster); err != nil {
		return err
	}
	return s.checkGames(ctx, merchantID, v)
}

// validURL reports whether a URL is a path of the app or an https URL of another site.
func validURL(rawURL string) bool {
	if len(rawURL) > maxURL || strings.ContainsAny(rawURL, "\\ \t\r\n") {
		return false
	}
	if strings.HasPrefix(rawURL, "/m/") {
		return true
	}
	u, err := url.Parse(rawURL)
	return err == nil && u.Scheme == "https" && u.User == nil && u.Fragment == "" && safeHost.MatchString(u.Host)
}

func (s *Service) checkPoster(ctx context.Context, merchantID int64, poster string) error {
	if poster == "" || picture.IsContent(poster) || strings.HasPrefix(poster, "/m/") && validURL(poster) {
		return nil
	}
	allowed := false
	if validURL(poster) {
		var err error
		if allowed, err = s.o.Images.AllowsImage(ctx, merchantID, poster); err != nil {
			return err
		}
	}
	if !allowed {
		return ErrMalformed.On("poster").Because(errors.New("the picture is not below an address of system.cdn: add its folder there first"))
	}
	return nil
}

func (s *Service) checkGames(ctx context.Context, merchantID int64, v *Stream) error {
	codes := []string{}
	for _, code := range v.Games {
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	v.Games = codes
	if len(codes) == 0 {
		return nil
	}
	found, err := s.o.Games.GamesByCode(ctx, merchantID, codes, fallbackLanguages[0])
	if err != nil {
		return err
	}
	for _, code := range codes {
		if !slices.ContainsFunc(found, func(g Game) bool { return g.GameID == code }) {
			return ErrMalformed.On("games").Because(fmt.Errorf("there is no game %q", code))
		}
	}
	return nil
}

// All returns all streams of a merchant in display order.
func (s *Service) All(ctx context.Context, merchantID int64) ([]Stream, error) {
	rows, err := s.o.Store.Q().LiveStreams(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read streams: %w", err)
	}
	return streamsOf(rows)
}

// Find returns a merchant's stream.
func (s *Service) Find(ctx context.Context, merchantID, id int64) (Stream, error) {
	return find(ctx, s.o.Store.Q(), merchantID, id)
}

// Ensure stores a stream unless one with its code exists.
func (s *Service) Ensure(ctx context.Context, merchantID int64, v Stream) error {
	all, err := s.All(ctx, merchantID)
	if err != nil || slices.ContainsFunc(all, func(other Stream) bool { return other.Code == v.Code }) {
		return err
	}
	v.ID = s.o.IDs()
	if err := s.check(ctx, merchantID, &v); err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := s.addIn(ctx, tx, merchantID, v); err != nil {
			return err
		}
		return s.origins.ChangeIn(ctx, tx)
	})
	s.origins.Committed()
	return err
}

func (s *Service) addIn(ctx context.Context, tx *db.Tx, merchantID int64, v Stream) error {
	names, games, err := v.encode()
	if err != nil {
		return err
	}
	_, err = tx.Q.AddLiveStream(ctx, query.AddLiveStreamParams{
		ID: v.ID, MerchantID: merchantID, Code: v.Code, Names: names, Host: v.Host, Url: v.URL, Poster: v.Poster, Games: games, Active: v.Active,
		Streaming: v.Streaming, Recorded: v.Recorded, Chat: v.Chat, StartsAt: v.StartsAt, EndsAt: v.EndsAt, Sorting: v.Sorting, CreatedAt: db.Millis(s.o.Now()),
	})
	if err != nil {
		return fmt.Errorf("create stream: %w", err)
	}
	return picture.KeepContentIn(ctx, tx, v.Poster)
}

func (v Stream) encode() (names, games string, err error) {
	n, err := json.Marshal(v.Names)
	if err != nil {
		return "", "", fmt.Errorf("encode names: %w", err)
	}
	g, err := json.Marshal(v.Games)
	if err != nil {
		return "", "", fmt.Errorf("encode games: %w", err)
	}
	return string(n), string(g), nil
}

// Create stores a new stream after all others and returns its id.
func (s *Service) Create(ctx context.Context, request idempotency.Request, merchantID int64, v Stream, reason string) (int64, error) {
	if err := s.check(ctx, merchantID, &v); err != nil {
		return 0, err
	}
	v.ID = s.o.IDs()
	v.Code = "s" + strconv.FormatInt(v.ID, 36)
	return idempotency.Do(ctx, s.o.Requests, writer{s}, request, func(tx *db.Tx) (int64, error) {
		rows, err := tx.Q.LiveStreams(ctx, merchantID)
		if err != nil {
			return 0, fmt.Errorf("read streams: %w", err)
		}
		if len(rows) >= maxStreams {
			return 0, ErrFull
		}
		for _, other := range rows {
			v.Sorting = max(v.Sorting, other.Sorting+1)
		}
		if err := s.addIn(ctx, tx, merchantID, v); err != nil {
			return 0, err
		}
		return v.ID, s.changedIn(ctx, tx, merchantID, "create", v.ID, nil, v.auditFields(), reason)
	})
}

// Change replaces a stream. Its position, its code and whether it is on air do not change.
func (s *Service) Change(ctx context.Context, merchantID int64, v Stream, reason string) error {
	if err := s.check(ctx, merchantID, &v); err != nil {
		return err
	}
	return s.edit(ctx, merchantID, v.ID, v.Version, "change", reason, func(stored *Stream) {
		v.Streaming, v.Sorting, v.Code = stored.Streaming, stored.Sorting, stored.Code
		*stored = v
	})
}

// SetStreaming puts a stream on air or takes it off.
func (s *Service) SetStreaming(ctx context.Context, merchantID, id, version int64, streaming bool, reason string) error {
	action := "stop"
	if streaming {
		action = "start"
	}
	return s.edit(ctx, merchantID, id, version, action, reason, func(v *Stream) { v.Streaming = streaming })
}

// A writer is the Service as an idempotency.Writer.
type writer struct{ s *Service }

func (w writer) Write(ctx context.Context, fn func(*db.Tx) error) error { return w.s.write(ctx, fn) }

// write runs fn in a transaction and makes all replicas reload the origins.
func (s *Service) write(ctx context.Context, fn func(*db.Tx) error) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return s.origins.ChangeIn(ctx, tx)
	})
	if err == nil {
		s.origins.Committed()
	}
	s.o.Outbox.Wake()
	return err
}

func (s *Service) edit(ctx context.Context, merchantID, id, version int64, action, reason string, change func(*Stream)) error {
	return s.write(ctx, func(tx *db.Tx) error {
		before, err := find(ctx, tx.Q, merchantID, id)
		if err != nil {
			return err
		}
		after := before
		change(&after)
		if err := s.storeIn(ctx, tx, version, after); err != nil {
			return err
		}
		return s.changedIn(ctx, tx, merchantID, action, id, before.auditFields(), after.auditFields(), reason)
	})
}

func (s *Service) storeIn(ctx context.Context, tx *db.Tx, version int64, v Stream) error {
	names, games, err := v.encode()
	if err != nil {
		return err
	}
	n, err := tx.Q.ChangeLiveStream(ctx, query.ChangeLiveStreamParams{
		ID: v.ID, Version: version, Names: names, Host: v.Host, Url: v.URL, Poster: v.Poster, Games: games, Active: v.Active, Streaming: v.Streaming,
		Recorded: v.Recorded, Chat: v.Chat, StartsAt: v.StartsAt, EndsAt: v.EndsAt, Sorting: v.Sorting, UpdatedAt: db.Millis(s.o.Now()),
	})
	if err != nil {
		return fmt.Errorf("change stream: %w", err)
	}
	if n == 0 {
		return rest.ErrStale
	}
	return picture.KeepContentIn(ctx, tx, v.Poster)
}

// Move places a stream after the one with id after, or first if after is 0.
func (s *Service) Move(ctx context.Context, merchantID, id, version, after int64, reason string) error {
	return s.write(ctx, func(tx *db.Tx) error {
		rows, err := tx.Q.LiveStreams(ctx, merchantID)
		if err != nil {
			return fmt.Errorf("read streams: %w", err)
		}
		all, err := streamsOf(rows)
		if err != nil {
			return err
		}
		positions := make([]oplist.Position, len(all))
		for i, v := range all {
			positions[i] = oplist.Position{ID: v.ID, Sorting: v.Sorting}
		}
		if !slices.ContainsFunc(all, func(v Stream) bool { return v.ID == id }) {
			return ErrUnknown
		}
		moved, ok := oplist.Move(positions, id, after)
		if !ok {
			return ErrUnknown.On("after")
		}
		for _, v := range all {
			if v.ID == id && v.Version != version {
				return rest.ErrStale
			}
			i := slices.IndexFunc(moved, func(p oplist.Position) bool { return p.ID == v.ID })
			if i < 0 {
				continue
			}
			v.Sorting = moved[i].Sorting
			if err := s.storeIn(ctx, tx, v.Version, v); err != nil {
				return err
			}
		}
		return s.changedIn(ctx, tx, merchantID, "move", id, nil, map[string]any{"after": formatID(after)}, reason)
	})
}

// Delete deletes a stream with its messages.
func (s *Service) Delete(ctx context.Context, merchantID, id, version int64, reason string) error {
	return s.write(ctx, func(tx *db.Tx) error {
		before, err := find(ctx, tx.Q, merchantID, id)
		if err != nil {
			return err
		}
		if before.Version != version {
			return rest.ErrStale
		}
		if err := tx.Q.DeleteLiveStreamMessages(ctx, id); err != nil {
			return fmt.Errorf("delete messages: %w", err)
		}
		if err := tx.Q.DeleteLiveStreamViewers(ctx, id); err != nil {
			return fmt.Errorf("delete viewers: %w", err)
		}
		if err := tx.Q.DeleteLiveStreamReactions(ctx, id); err != nil {
			return fmt.Errorf("delete reactions: %w", err)
		}
		n, err := tx.Q.DeleteLiveStream(ctx, id, version)
		if err != nil {
			return fmt.Errorf("delete stream: %w", err)
		}
		if n == 0 {
			return rest.ErrStale
		}
		return s.changedIn(ctx, tx, merchantID, "delete", id, before.auditFields(), nil, reason)
	})
}

func (v Stream) auditFields() map[string]any {
	return map[string]any{
		"names": v.Names, "host": v.Host, "url": v.URL, "poster": v.Poster, "games": v.Games, "active": v.Active, "streaming": v.Streaming,
		"recorded": v.Recorded, "chat": v.Chat, "startsAt": v.StartsAt, "endsAt": v.EndsAt,
	}
}

// changedIn audits an operator's change and informs viewers and operators.
func (s *Service) changedIn(ctx context.Context, tx *db.Tx, merchantID int64, action string, id int64, before, after any, reason string) error {
	if err := s.announceIn(ctx, tx, merchantID, id, eventChanged, struct{}{}); err != nil {
		return err
	}
	return s.recordIn(ctx, tx, merchantID, permission.ContentEdit, action, id, before, after, reason)
}

// recordIn updates the operators' screens and writes the audit log.
func (s *Service) recordIn(ctx context.Context, tx *db.Tx, merchantID int64, required permission.Name, action string, id int64, before, after any, reason string) error {
	if err := s.o.Screens.ChangedOf(ctx, tx, merchantID, "streams", formatID(id)); err != nil {
		return err
	}
	if reason != "" {
		after = map[string]any{"stream": after, "reason": reason}
	}
	return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
		MerchantID: merchantID, Permission: string(required), Action: "stream." + action, Object: "stream/" + formatID(id), Before: before, After: after,
	})
}

// Hide removes a message from the chat. Hiding it again changes nothing.
func (s *Service) Hide(ctx context.Context, merchantID, id, seq int64, operator, reason string) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		m, err := s.messageIn(ctx, tx, merchantID, id, seq)
		if err != nil {
			return err
		}
		n, err := tx.Q.HideLiveStreamMessage(ctx, id, seq, operator)
		if err != nil {
			return fmt.Errorf("hide message: %w", err)
		}
		if n == 0 {
			return nil
		}
		if err := s.announceIn(ctx, tx, merchantID, id, eventHidden, map[string]int64{"seq": seq}); err != nil {
			return err
		}
		return s.recordIn(ctx, tx, merchantID, permission.ChatAnswer, "hide", id, map[string]any{"seq": seq, "member": formatID(m.MemberID.Int64), "operator": m.Operator, "text": m.Body}, nil, reason)
	})
	s.o.Outbox.Wake()
	return err
}

func (s *Service) messageIn(ctx context.Context, tx *db.Tx, merchantID, id, seq int64) (query.LiveStreamMessage, error) {
	if _, err := find(ctx, tx.Q, merchantID, id); err != nil {
		return query.LiveStreamMessage{}, err
	}
	m, err := tx.Q.LiveStreamMessage(ctx, id, seq)
	found, err := db.Found("find message", err)
	if err == nil && !found {
		err = ErrUnknown.On("seq")
	}
	return m, err
}

// Mute stops the author of a message from writing on any stream for some time. A duration of 0 ends the mute.
func (s *Service) Mute(ctx context.Context, merchantID, id, seq int64, duration time.Duration, operator, reason string) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		m, err := s.messageIn(ctx, tx, merchantID, id, seq)
		if err != nil {
			return err
		}
		if !m.MemberID.Valid { // an operator's message
			return ErrUnknown.On("seq")
		}
		until := db.Millis(s.o.Now().Add(duration))
		err = tx.Q.MuteOnLiveStreams(ctx, query.MuteOnLiveStreamsParams{MemberID: m.MemberID.Int64, MerchantID: merchantID, Until: until, Operator: operator})
		if err != nil {
			return fmt.Errorf("mute member: %w", err)
		}
		// The event makes the member's app reload the stream, which contains the end of the mute.
		if err := s.announceIn(ctx, tx, merchantID, id, eventChanged, struct{}{}); err != nil {
			return err
		}
		return s.recordIn(ctx, tx, merchantID, permission.ChatAnswer, "mute", id, nil, map[string]any{"member": formatID(m.MemberID.Int64), "until": until}, reason)
	})
	s.o.Outbox.Wake()
	return err
}
