package message

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
)

// A systemRow is a row of the inbox.
type systemRow struct {
	ID        int64  `json:"id"`
	MemberID  int64  `json:"member_id"`
	Kind      string `json:"kind"`
	Args      string `json:"args"`
	CreatedAt int64  `json:"created_at"`
}

// A recipient is a member who gets a system message.
type recipient struct {
	member    query.Member // ID, Type, Language and Email only
	hasPushes bool
}

// SystemManyIn writes system messages of one kind, with few statements. The i-th message is for the i-th member.
func (s *Service) SystemManyIn(ctx context.Context, tx *db.Tx, kind string, members []int64, args []map[string]string) error {
	k := Kind(kind)
	topic, known := topics[k]
	if !known {
		return fmt.Errorf("unknown message kind %q", kind)
	}
	found, err := recipientsOf(ctx, tx, members)
	if err != nil {
		return fmt.Errorf("read members: %w", err)
	}
	var rows []systemRow
	var changed []events.Message
	for i, id := range members {
		r, ok := found[id]
		if !ok {
			return fmt.Errorf("no member %d", id)
		}
		if !rest.MemberType(r.member.Type).Real() {
			continue
		}
		data, err := json.Marshal(args[i])
		if err != nil {
			return fmt.Errorf("encode message: %w", err)
		}
		rows = append(rows, systemRow{s.o.IDs(), id, kind, string(data), db.Millis(s.o.Now())})
		changed = append(changed, inboxChanged(id))
		if !r.hasPushes && (r.member.Email.String == "" || !s.o.Mail.Can(notify.Email)) {
			continue
		}
		title, text := systemText(k, r.member.Language, args[i])
		if err := s.notifyIn(ctx, tx, &r.member, topic, 0, note{Title: title, Body: text, Path: links[k]}); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if err := addSystemRows(ctx, tx, rows); err != nil {
		return fmt.Errorf("write messages: %w", err)
	}
	return s.o.Outbox.Add(ctx, tx, s.o.Now(), changed...)
}

func recipientsOf(ctx context.Context, tx *db.Tx, members []int64) (found map[int64]*recipient, err error) {
	type id struct {
		ID int64 `json:"id"`
	}
	ids := make([]id, len(members))
	for i, m := range members {
		ids[i].ID = m
	}
	list, err := db.JSONOf(ids)
	if err != nil {
		return nil, err
	}
	rows, err := db.Bind(tx.Engine, tx.Tx).QueryContext(ctx, `SELECT m.id, m.type, m.language, m.email, EXISTS (SELECT 1 FROM push_subscription p WHERE p.member_id = m.id)
FROM member m WHERE m.id IN (SELECT x.id FROM `+db.FromJSON(tx.Engine, "id bigint")+`)`, list)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	found = make(map[int64]*recipient, len(members))
	for rows.Next() {
		r := &recipient{}
		if err := rows.Scan(&r.member.ID, &r.member.Type, &r.member.Language, &r.member.Email, &r.hasPushes); err != nil {
			return nil, err
		}
		found[r.member.ID] = r
	}
	return found, rows.Err()
}

func addSystemRows(ctx context.Context, tx *db.Tx, rows []systemRow) error {
	list, err := db.JSONOf(rows)
	if err != nil {
		return err
	}
	_, err = db.Bind(tx.Engine, tx.Tx).ExecContext(ctx, `INSERT INTO inbox (id, member_id, kind, args, created_at)
SELECT x.id, x.member_id, x.kind, x.args, x.created_at FROM `+db.FromJSON(tx.Engine, "id bigint", "member_id bigint", "kind text", "args text", "created_at bigint"), list)
	return err
}
