package spot_test

import (
	"errors"
	"math"
	"testing"

	"fairground/internal/game/house/spot"
	"fairground/internal/money"
)

func TestPayoutIsRoundedDown(t *testing.T) {
	t.Parallel()
	b, err := spot.Read([]byte(`{"name":"x","version":1,"spots":[{"id":"banker","times":["0.95"]},{"id":"face","times":["1","2","3"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		share spot.Share
		stake money.Minor
		want  money.Minor
	}{
		{b.Won("banker", 1), 1_000, 1_950}, {b.Won("banker", 1), 1, 1}, {b.Won("banker", 1), 99, 193}, // 193.05
		{b.Won("face", 0), 100, 0}, {b.Won("face", 1), 100, 200}, {b.Won("face", 3), 100, 400},
		{spot.Half, 5, 2}, {spot.Pushed, 7, 7}, {spot.Lost, math.MaxInt64, 0},
	} {
		if got, err := c.share.Payout(c.stake); err != nil || got != c.want {
			t.Errorf("payout of %v on %d = %d, %v, want %d", c.share, c.stake, got, err, c.want)
		}
	}
	if _, err := b.Won("banker", 1).Payout(math.MaxInt64 / 100); err == nil {
		t.Error("Payout accepts an overflow")
	}
	if _, err := b.Pay("nowhere", spot.Pushed, 1); !errors.Is(err, spot.ErrUnknown) {
		t.Errorf("error for an unknown spot = %v, want %v", err, spot.ErrUnknown)
	}
}

func TestReadRejectsInvalidData(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, `{"version":0,"spots":[{"id":"a","times":["1"]}]}`, `{"version":1}`, `{"version":1,"spots":[{"id":"","times":["1"]}]}`,
		`{"version":1,"spots":[{"id":"a","times":[]}]}`, `{"version":1,"spots":[{"id":"a","times":["0"]}]}`, `{"version":1,"spots":[{"id":"a","times":["-1"]}]}`,
		`{"version":1,"spots":[{"id":"a","times":["1.00001"]}]}`, `{"version":1,"spots":[{"id":"a","times":["1"]},{"id":"a","times":["1"]}]}`,
	} {
		if _, err := spot.Read([]byte(text)); err == nil {
			t.Errorf("Read accepts %s", text)
		}
	}
}
