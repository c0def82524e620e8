package demo

import (
	"context"

	"fairground/internal/site/stream"
)

var streamGames = []string{"rng-001", "rng-003", "live-001", "live-002"}

// fillStreams stores the demo's streams: one shows a recording in a loop, the other has not started.
func fillStreams(ctx context.Context, p Parts, merchantID int64) error {
	for _, v := range []stream.Stream{
		{
			Code: "demo-match",
			Names: map[string]string{
				"vi": "Trận giao hữu của những hình màu", "en": "Friendly match of colour shapes", "ur": "رنگین شکلوں کا دوستانہ میچ", "pt": "Amistoso das formas coloridas",
			},
			Host: "Hà My", URL: "/m/stream/stream.m3u8", Poster: "/m/stream/poster.webp", Games: streamGames,
			Active: true, Streaming: true, Recorded: true, Chat: true, Sorting: 1,
		},
		{
			Code:  "demo-later",
			Names: map[string]string{"vi": "Vòng sau của những hình màu", "en": "Next round of colour shapes", "ur": "رنگین شکلوں کا اگلا دور", "pt": "Próxima rodada das formas coloridas"},
			Host:  "Hà My", URL: "/m/stream/stream.m3u8", Poster: "/m/stream/poster.webp", Games: streamGames,
			Active: true, Recorded: true, Chat: true, Sorting: 2,
		},
	} {
		if err := p.Streams.Ensure(ctx, merchantID, v); err != nil {
			return err
		}
	}
	return nil
}
