import { useCallback, useEffect, useState, type RefObject } from 'react';

import { usePolicyRenewal } from '../../lib/page-policy.ts';

const playlistType = 'application/vnd.apple.mpegurl';
const minRetryMs = 3_000;
const maxRetryMs = 30_000;

/** Returns the delay before the video is loaded again: it doubles with each attempt. */
export const retryDelayMs = (attempt: number): number =>
  Math.min(maxRetryMs, minRetryMs * 2 ** attempt);

/** Loads a playlist into a video. Browsers without HLS of their own use hls.js. Returns a function that unloads it. */
function load(video: HTMLVideoElement, url: string, onFail: () => void): () => void {
  if (video.canPlayType(playlistType)) {
    video.addEventListener('error', onFail);
    video.src = url;
    return () => {
      video.removeEventListener('error', onFail);
      video.removeAttribute('src');
      video.load();
    };
  }
  let isOver = false;
  let hls: { destroy: () => void } | undefined;
  const start = async () => {
    try {
      const { default: Hls } = await import('hls.js/light');
      if (isOver) return;
      if (!Hls.isSupported()) throw new Error('no media source');
      // A worker from a blob would need another policy, and a phone plays one stream without it.
      const player = new Hls({ enableWorker: false });
      hls = player;
      player.on(Hls.Events.ERROR, (_, { fatal }) => {
        if (fatal) onFail();
      });
      player.loadSource(url);
      player.attachMedia(video);
    } catch {
      if (!isOver) onFail();
    }
  };
  void start();
  return () => {
    isOver = true;
    hls?.destroy();
  };
}

const directives = ['connect-src', 'media-src'];

export type Playback = {
  state: 'loading' | 'playing' | 'paused' | 'failed';
  retry: () => void;
};

/** Plays a stream. After a cut it tries again by itself, and at once when the network is back. */
export function usePlayback(video: RefObject<HTMLVideoElement | null>, url: string): Playback {
  // Each load has a number. Attempts since the video last played determine the delay.
  const [loadNumber, setLoadNumber] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Playback['state']>('loading');
  const fail = useCallback(() => setState('failed'), []);
  const retry = useCallback(() => {
    setState('loading');
    setAttempt((before) => before + 1);
    setLoadNumber((before) => before + 1);
  }, []);
  const { origin } = new URL(url, location.href);
  usePolicyRenewal(origin, directives, fail);

  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const onPlaying = () => {
      setState('playing');
      setAttempt(0);
    };
    const onPause = () => setState((now) => (now === 'playing' ? 'paused' : now));
    // A browser that refuses to start shows the play button.
    const start = () => {
      element.play().catch(() => setState((now) => (now === 'loading' ? 'paused' : now)));
    };
    element.addEventListener('loadedmetadata', start);
    element.addEventListener('playing', onPlaying);
    element.addEventListener('pause', onPause);
    const unload = load(element, url, fail);
    return () => {
      element.removeEventListener('loadedmetadata', start);
      element.removeEventListener('playing', onPlaying);
      element.removeEventListener('pause', onPause);
      unload();
    };
  }, [video, url, fail, loadNumber]);

  useEffect(() => {
    if (state !== 'failed') return;
    const timer = setTimeout(retry, retryDelayMs(attempt));
    addEventListener('online', retry);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', retry);
    };
  }, [state, attempt, retry]);

  return { state, retry };
}
