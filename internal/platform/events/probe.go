package events

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"fairground/internal/platform/db"
)

const (
	subjectProbe  = "bus.probe"
	subjectAnswer = "bus.answer"
	// subjectNATSProbe has the same answers as subjectAnswer, but through NATS.
	subjectNATSProbe = prefix + "probe"

	probeTimeout = 3 * time.Second // for answers in the database, which replicas read twice a second
	flushTimeout = 2 * time.Second
)

// A probe asks all replicas on the database to answer in the database and through NATS.
type probe struct {
	From string `json:"from"` // id of the bus that asks
	By   string `json:"by,omitempty"`
	// Connected reports whether the answering replica is connected to its NATS.
	Connected bool `json:"connected,omitempty"`
}

// CheckShared returns db.ErrOtherServer if a replica on the same database uses another NATS. others is the number of
// replicas that may answer. A replica that does not answer at all may be one that has just ended. Run must be running.
func (o *Outbox) CheckShared(ctx context.Context, others int) error {
	if others == 0 || !o.bus.Connected() {
		return nil
	}
	answers, heard := make(chan probe, 100), make(chan probe, 100)
	into := func(c chan probe) func([]byte) {
		return func(data []byte) {
			var p probe
			if json.Unmarshal(data, &p) == nil && p.From == o.bus.id {
				c <- p
			}
		}
	}
	stop, err := o.bus.Subscribe(subjectAnswer, into(answers))
	if err != nil {
		return err
	}
	defer stop()
	add := into(heard)
	sub, err := o.bus.conn.Subscribe(subjectNATSProbe, func(m *nats.Msg) { add(m.Data) })
	if err == nil {
		err = o.bus.conn.FlushTimeout(flushTimeout)
	}
	if err != nil {
		return nil // the connection was lost: nothing can be said about the others
	}
	defer func() { _ = sub.Unsubscribe() }() // fails only on a closed connection
	if err := o.send(ctx, subjectProbe, probe{From: o.bus.id}); err != nil {
		return err
	}
	return o.compare(ctx, others, answers, heard)
}

// compare waits for the answers of all replicas in the database, each of which must also come through NATS.
func (o *Outbox) compare(ctx context.Context, others int, answers, heard chan probe) error {
	inDatabase, throughNATS := map[string]bool{}, map[string]bool{}
	for timeout := time.After(probeTimeout); ; {
		select {
		case p := <-answers:
			inDatabase[p.By] = true
			if !p.Connected {
				throughNATS[p.By] = true // cannot answer there
			}
		case p := <-heard:
			throughNATS[p.By] = true
		case <-ctx.Done():
			return ctx.Err()
		case <-timeout:
			for by := range inDatabase {
				if !throughNATS[by] && o.bus.Connected() {
					return db.ErrOtherServer
				}
			}
			return nil
		}
		complete := len(inDatabase) >= others
		for by := range inDatabase {
			complete = complete && throughNATS[by]
		}
		if complete {
			return nil
		}
	}
}

// answerProbes answers other replicas until stop is called.
func (o *Outbox) answerProbes(ctx context.Context) (stop func(), err error) {
	return o.bus.Subscribe(subjectProbe, func(data []byte) {
		var p probe
		if json.Unmarshal(data, &p) != nil || p.From == o.bus.id {
			return
		}
		p.By, p.Connected = o.bus.id, o.bus.Connected()
		if p.Connected {
			p.Connected = o.bus.answerProbe(p) == nil
		}
		if err := o.send(ctx, subjectAnswer, p); err != nil && ctx.Err() == nil {
			o.log.Warn("could not answer another replica", "error", err)
		}
	})
}

func (b *Bus) answerProbe(p probe) error {
	data, err := json.Marshal(p)
	if err == nil {
		err = b.conn.Publish(subjectNATSProbe, data)
	}
	if err == nil {
		err = b.conn.FlushTimeout(flushTimeout)
	}
	return err
}

func (o *Outbox) send(ctx context.Context, subject string, p probe) error {
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encode %s: %w", subject, err)
	}
	if err := o.store.Write(ctx, func(tx *db.Tx) error { return o.bus.AddIn(ctx, tx, subject, data) }); err != nil {
		return err
	}
	o.Wake()
	return nil
}
