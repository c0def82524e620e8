import { useCallback, useEffect, useState, type RefObject } from 'react';

import { usePolicyRenewal } from '../../lib/page-policy.ts';

const playlistType = 'application/vnd.apple.mpegurl';
const minRetryMs = 3_000;
const maxRetryMs = 30_000;

/** Returns the delay before the video is loaded again: it doubles with each attempt. */
export const retryDelayMs = (attempt: number): number =>
  Math.min(maxRetryMs, minRetryMs * 2 ** attempt);

/** Loads a playlist into a video. Browsers without HLS of their own use hls.js. Returns a function that unloads it. */
export async function load(
  video: HTMLVideoElement,
  url: string,
  onFail: () => void,
  isCancelled: () => boolean,
): Promise<() => void> {
  if (video.canPlayType(playlistType)) {
    video.addEventListener('error', onFail);
    video.src = url;
    return () => {
      video.removeEventListener('error', onFail);
      video.removeAttribute('src');
      video.load();
    };
  }
  const { default: Hls } = await import('hls.js/light');
  if (isCancelled()) return () => {};
  if (!Hls.isSupported()) throw new Error('this browser plays no HLS');
  // A worker from a blob would need another policy, and a phone plays one stream without it.
  const hls = new Hls({ enableWorker: false });
  hls.on(Hls.Events.ERROR, (_, { fatal }) => {
    if (fatal) onFail();
  });
  hls.loadSource(url);
  hls.attachMedia(video);
  return () => hls.destroy();
}

const directives = ['connect-src', 'media-src'];

export type Playback = {
  state: 'loading' | 'playing' | 'paused' | 'failed';
  retry: () => void;
};

/** Plays a stream. After a cut it tries again by itself, and at once when the network is back. */
export function usePlayback(video: RefObject<HTMLVideoElement | null>, url: string): Playback {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Playback['state']>('loading');
  const fail = useCallback(() => setState('failed'), []);
  const retry = useCallback(() => {
    setState('loading');
    setAttempt((before) => before + 1);
  }, []);
  const { origin } = new URL(url, location.href);
  usePolicyRenewal(origin, directives, fail);

  useEffect(() => {
    const element = video.current;
    if (!element) return;
    let isCancelled = false;
    let unload = () => {};
    const onPlaying = () => {
      setState('playing');
      setAttempt(0);
    };
    const onPause = () => setState((now) => (now === 'playing' ? 'paused' : now));
    element.addEventListener('playing', onPlaying);
    element.addEventListener('pause', onPause);
    load(element, url, fail, () => isCancelled).then(
      (undo) => {
        if (isCancelled) undo();
        else {
          unload = undo;
          // A browser that refuses to start shows the play button.
          element.play().catch(() => setState((now) => (now === 'loading' ? 'paused' : now)));
        }
      },
      () => {
        if (!isCancelled) fail();
      },
    );
    return () => {
      isCancelled = true;
      element.removeEventListener('playing', onPlaying);
      element.removeEventListener('pause', onPause);
      unload();
    };
    // A new attempt loads the stream again.
  }, [video, url, fail, attempt]);

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
