package main

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"fairground/internal/platform/control"
)

// A load sends corrections of one dong each to a running server, from several goroutines, and records the acknowledged ones.
type load struct {
	data string
	mu   sync.Mutex
	done map[string]int64 // transfer id by key
	open []string         // keys without a response: possibly posted
	stop func()
}

func (l *load) acknowledged() map[string]int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.done)
}

// await waits for n acknowledged corrections.
func (l *load) await(t *testing.T, n int) {
	t.Helper()
	for end := time.Now().Add(testTimeout); len(l.acknowledged()) < n; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d corrections were acknowledged, want %d", len(l.acknowledged()), n)
		}
	}
}

func (l *load) post(ctx context.Context, key string) error {
	var out adjusted
	err := control.Call(ctx, l.data, "ledger.adjust", request[adjustment]{In: adjustment{"demo88", "fairground", "1", "load", key}}, &out)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.open = append(l.open, key)
		return err
	}
	l.done[key] = out.Transfer
	return nil
}

// leaveOneOwner disables the demo's second owner, so that corrections need no second person.
func leaveOneOwner(t *testing.T, args []string) {
	t.Helper()
	var out *operatorApproval
	if err := control.Call(t.Context(), args[1], changeOperator.name, request[operatorChange]{In: operatorChange{Name: "owner2", Change: "disable"}}, &out); err != nil {
		t.Fatal(err)
	}
}

// postWhileRunning starts a load. Set mayFail if the test kills the server.
func postWhileRunning(t *testing.T, args []string, prefix string, mayFail bool) *load {
	t.Helper()
	leaveOneOwner(t, args)
	ctx, cancel := context.WithCancel(context.Background())
	l := &load{data: args[1], done: map[string]int64{}}
	var callers sync.WaitGroup
	l.stop = func() { cancel(); callers.Wait() }
	t.Cleanup(l.stop)
	for caller := range 4 {
		callers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				if err := l.post(ctx, fmt.Sprintf("%s-c%d-%d", prefix, caller, n)); err != nil {
					if ctx.Err() == nil && !mayFail {
						t.Errorf("post: %v", err)
					}
					return
				}
			}
		})
	}
	return l
}
