package member

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"fairground/internal/fault"
	"fairground/internal/rest"
)

// With every slot taken, so many wait and no more; who gives up makes room.
func TestTheQueueForHashesIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := NewPasswords(1)
		p.queue <- struct{}{}
		p.slots <- struct{}{}
		ctx, giveUp := context.WithCancel(t.Context())
		given := make(chan error, waitersPerSlot)
		for range waitersPerSlot {
			go func() {
				_, err := p.Matches(ctx, "", "qua-xanh7")
				given <- err
			}()
		}
		synctest.Wait()
		_, err := p.Hash(t.Context(), "qua-xanh7")
		if !errors.Is(err, rest.ErrUnavailable) || fault.KindOf(err) != fault.Unavailable {
			t.Errorf("one more than may wait: %v", err)
		}
		giveUp()
		for range waitersPerSlot {
			if err := <-given; !errors.Is(err, context.Canceled) {
				t.Errorf("one who waited: %v", err)
			}
		}
		<-p.slots
		<-p.queue
		if _, err := p.Hash(t.Context(), "qua-xanh7"); err != nil {
			t.Errorf("when all have left: %v", err)
		}
		if len(p.slots) != 0 || len(p.queue) != 0 {
			t.Errorf("%d slots and %d places are kept by nobody", len(p.slots), len(p.queue))
		}
	})
}
