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
	// subjectNATSProbe carries the same answers as subjectAnswer, but through NATS instead of the database.
	subjectNATSProbe = prefix + "probe"

	probeTimeout = 3 * time.Second // replicas read the database twice a second
	flushTimeout = 2 * time.Second
)

// A probe asks all replicas that use the database to answer through the database and through NATS. The answer is the probe
// with By and Connected set.
type probe struct {
	From string `json:"from"`         // id of the bus that asks
	By   string `json:"by,omitempty"` // id of the bus that answers
	// Connected reports whether the answering replica is connected to its NATS.
	Connected bool `json:"connected,omitempty"`
}

// CheckShared returns db.ErrOtherServer if another replica uses the same database but another NATS server. others is the
// number of replicas that may answer. A replica that does not answer is ignored, because it may have just stopped. Run
// must be running.
func (o *Outbox) CheckShared(ctx context.Context, others int) error {
	if others == 0 || !o.bus.Connected() {
		return nil
	}
	databaseAnswers, natsAnswers := make(chan probe, 100), make(chan probe, 100)
	collect := func(c chan probe) func([]byte) {
		return func(data []byte) {
			var p probe
			if json.Unmarshal(data, &p) == nil && p.From == o.bus.id {
				c <- p
			}
		}
	}
	stop, err := o.bus.Subscribe(subjectAnswer, collect(databaseAnswers))
	if err != nil {
		return err
	}
	defer stop()
	add := collect(natsAnswers)
	sub, err := o.bus.conn.Subscribe(subjectNATSProbe, func(m *nats.Msg) { add(m.Data) })
	if err == nil {
		err = o.bus.conn.FlushTimeout(flushTimeout)
	}
	if err != nil {
		return nil // without a connection, nothing is known about the other replicas
	}
	defer func() { _ = sub.Unsubscribe() }() // fails only on a closed connection
	if err := o.send(ctx, subjectProbe, probe{From: o.bus.id}); err != nil {
		return err
	}
	return o.compareAnswers(ctx, others, databaseAnswers, natsAnswers)
}

// compareAnswers waits for the answers of all replicas. Each answer in the database must also arrive through NATS.
func (o *Outbox) compareAnswers(ctx context.Context, others int, databaseAnswers, natsAnswers chan probe) error {
	inDatabase, throughNATS := map[string]bool{}, map[string]bool{}
	for timeout := time.After(probeTimeout); ; {
		select {
		case p := <-databaseAnswers:
			inDatabase[p.By] = true
			if !p.Connected {
				throughNATS[p.By] = true // the replica cannot answer through NATS
			}
		case p := <-natsAnswers:
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

// answerProbes answers the probes of other replicas until stop is called.
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
