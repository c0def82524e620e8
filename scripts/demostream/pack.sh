#!/bin/sh
# Draws the demo's stream and packs it as HLS in web/public/stream. It needs ffmpeg.
set -e
cd "$(dirname "$0")/../.."
folder=web/public/stream
frames="$(mktemp)"
trap 'rm -f "$frames"' EXIT
go run ./scripts/demostream >"$frames"
read_frames="-loglevel error -y -f rawvideo -pix_fmt rgb24 -s 640x360 -r 25 -i $frames"
# shellcheck disable=SC2086
ffmpeg $read_frames -frames:v 1 -c:v libwebp -quality 70 "$folder/poster.webp"
# shellcheck disable=SC2086
ffmpeg $read_frames -c:v libx264 -profile:v main -level 3.0 -pix_fmt yuv420p -preset veryslow -crf 27 \
	-g 50 -keyint_min 50 -sc_threshold 0 -bf 0 -f hls -hls_time 2 -hls_playlist_type vod -hls_segment_type fmp4 \
	-hls_fmp4_init_filename init.mp4 -hls_segment_filename "$folder/part%d.m4s" -hls_flags independent_segments "$folder/stream.m3u8"
