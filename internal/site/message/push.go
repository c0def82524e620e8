package message

import (
	"context"
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	webpush "github.com/SherClockHolmes/webpush-go"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/jobs"
)

const (
	keyName     = "push.vapid"
	maxEndpoint = 1024
	// maxPushText is the maximum length of a push message's text, in characters. A push service accepts about 4 KB.
	maxPushText = 300
)

// A Subscription holds the endpoint and the keys of a browser that receives push messages.
type Subscription struct {
	Endpoint string
	P256dh   string // public key, base64url
	Auth     string // secret of the subscription, base64url
}

// PrepareKey creates the installation's push key, so that read requests do not have to create it.
func (s *Service) PrepareKey(ctx context.Context) error {
	_, err := s.key(ctx)
	return err
}

// PushKey returns the public key that browsers need to subscribe, base64url.
func (s *Service) PushKey(ctx context.Context) (string, error) {
	key, err := s.key(ctx)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()), nil
}

// key returns the VAPID key (RFC 8292). The database holds its seed, encrypted.
func (s *Service) key(ctx context.Context) (*ecdh.PrivateKey, error) {
	seed, err := s.o.Keys.Stored(ctx, keyName)
	if err != nil {
		return nil, err
	}
	for {
		key, err := ecdh.P256().NewPrivateKey(seed)
		if err == nil {
			return key, nil
		}
		next := sha256.Sum256(seed) // about one seed in 2^32 is not a valid key
		seed = next[:]
	}
}

// Subscribe stores a member's browser. A browser belongs to the last member who subscribed in it.
func (s *Service) Subscribe(ctx context.Context, memberID, sessionID int64, b Subscription) error {
	endpoint, err := url.Parse(b.Endpoint)
	if err != nil || endpoint.Scheme != "https" || endpoint.Host == "" || endpoint.User != nil || len(b.Endpoint) > maxEndpoint {
		return ErrSubscription.On("endpoint")
	}
	public, err := decode(b.P256dh)
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(public)
	}
	if err != nil {
		return ErrSubscription.On("p256dh")
	}
	if auth, err := decode(b.Auth); err != nil || len(auth) != 16 {
		return ErrSubscription.On("auth")
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		err := tx.Q.PutPushSubscription(ctx, query.PutPushSubscriptionParams{
			ID: s.o.IDs(), MemberID: memberID, SessionID: sessionID, Endpoint: b.Endpoint, P256dh: b.P256dh, Auth: b.Auth, CreatedAt: db.Millis(s.o.Now()),
		})
		if err != nil {
			return err
		}
		if err := tx.Q.DropPushNotesOfOthers(ctx, memberID, b.Endpoint); err != nil {
			return err
		}
		return tx.Q.DropSurplusSubscriptions(ctx, memberID)
	})
	if err != nil {
		return fmt.Errorf("store subscription: %w", err)
	}
	return nil
}

func decode(text string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
}

// Unsubscribe removes a member's browser. It is idempotent.
func (s *Service) Unsubscribe(ctx context.Context, memberID int64, endpoint string) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.DropPushSubscription(ctx, endpoint, memberID)
		return err
	})
	if err != nil {
		return fmt.Errorf("remove subscription: %w", err)
	}
	return nil
}

// queuePushIn queues a push message for each browser of a member.
func (s *Service) queuePushIn(ctx context.Context, tx *db.Tx, o origin, n note) error {
	browsers, err := tx.Q.PushSubscriptionsOf(ctx, o.Member)
	if err != nil {
		return fmt.Errorf("read subscriptions: %w", err)
	}
	if len(browsers) == 0 {
		return nil
	}
	if text := []rune(n.Body); len(text) > maxPushText {
		n.Body = string(text[:maxPushText-1]) + "…"
	}
	content, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("encode push message: %w", err)
	}
	for _, b := range browsers {
		row := query.AddPushNoteParams{
			ID: s.o.IDs(), SubscriptionID: b.ID, MemberID: o.Member, Topic: string(o.Topic), MessageID: o.Message, Content: string(content), CreatedAt: db.Millis(s.o.Now()),
		}
		if err := tx.Q.AddPushNote(ctx, row); err != nil {
			return fmt.Errorf("queue push message: %w", err)
		}
		if err := s.o.Queue.Add(ctx, tx, pushTask, row.ID); err != nil {
			return err
		}
	}
	return nil
}

// push sends one push message, if the member still may get it. It removes a browser whose endpoint no longer exists.
func (s *Service) push(ctx context.Context, id int64, last bool) error {
	q := s.o.Store.Q()
	row, err := q.PushNoteByID(ctx, id)
	found, err := db.Found("read push message", err)
	if err != nil || !found {
		return err
	}
	b, err := q.PushSubscriptionByID(ctx, row.SubscriptionID)
	found, err = db.Found("read subscription", err)
	if err != nil {
		return err
	}
	if !found || db.Millis(s.o.Now()) > row.CreatedAt+pushLifetime.Milliseconds() {
		return s.finish(ctx, id, 0)
	}
	if row.Topic != "" {
		allowed, err := s.mayNotify(ctx, q, origin{row.MemberID, Topic(row.Topic), row.MessageID}, Push)
		if err != nil {
			return err
		}
		if !allowed || b.MemberID != row.MemberID {
			return s.finish(ctx, id, 0)
		}
	}
	status, err := s.sendPush(ctx, b, row.Content)
	switch {
	case err == nil && (status == http.StatusNotFound || status == http.StatusGone):
		return s.finish(ctx, id, b.ID)
	case err == nil && status < 300:
		return s.finish(ctx, id, 0)
	case err == nil:
		err = fmt.Errorf("the push service answered %d", status)
	}
	if last || status >= 400 && status < 500 && status != http.StatusTooManyRequests {
		s.o.Log.WarnContext(ctx, "push message not sent", "message", id, "error", err)
		if dropErr := s.finish(ctx, id, 0); dropErr != nil {
			return dropErr
		}
		return jobs.GiveUp(err)
	}
	return err
}

// finish deletes a push message. It also deletes the subscription goneID, unless that is 0.
func (s *Service) finish(ctx context.Context, id, goneID int64) error {
	err := s.o.Store.Write(context.WithoutCancel(ctx), func(tx *db.Tx) error {
		if goneID != 0 {
			if err := tx.Q.DropPushSubscriptionByID(ctx, goneID); err != nil {
				return err
			}
		}
		return tx.Q.DropPushNote(ctx, id)
	})
	if err != nil {
		return fmt.Errorf("finish push message: %w", err)
	}
	return nil
}

// sendPush encrypts a message (RFC 8291) and sends it to the browser's push service.
func (s *Service) sendPush(ctx context.Context, b query.PushSubscription, content string) (status int, err error) {
	key, err := s.key(ctx)
	if err != nil {
		return 0, err
	}
	encode := base64.RawURLEncoding.EncodeToString
	response, err := webpush.SendNotificationWithContext(ctx, []byte(content), &webpush.Subscription{Endpoint: b.Endpoint, Keys: webpush.Keys{Auth: b.Auth, P256dh: b.P256dh}}, &webpush.Options{
		HTTPClient: s.o.Client, Subscriber: s.o.Contact, TTL: int(pushLifetime.Seconds()), Urgency: webpush.UrgencyNormal,
		VAPIDPublicKey: encode(key.PublicKey().Bytes()), VAPIDPrivateKey: encode(key.Bytes()),
	})
	if err != nil {
		return 0, fmt.Errorf("send push message: %w", err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<16)) // the content is not used
	return response.StatusCode, nil
}
