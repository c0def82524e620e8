import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';

import type { LiveStream } from '../../api/live-streams.ts';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { usePlayback } from './playback.ts';
import { StreamMark } from './StreamMark.tsx';

import styles from './StreamScreen.module.css';

/** The video with its controls. It starts without sound, as browsers require. */
export function Player({ stream }: { stream: LiveStream }) {
  const { t } = useLingui();
  const video = useRef<HTMLVideoElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [isMuted, setMuted] = useState(true);
  const { state, retry } = usePlayback(video, stream.url);
  const isPlaying = state === 'playing';

  function toggle(): void {
    if (isPlaying) video.current?.pause();
    // The browser may refuse. The button still starts the video.
    else video.current?.play().catch(() => {});
  }

  return (
    <div ref={frame} className={styles.frame}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- live streams have no captions */}
      <video
        ref={video}
        className={styles.video}
        poster={stream.poster || undefined}
        muted={isMuted}
        loop={stream.recorded}
        playsInline
        aria-label={stream.name}
      />
      <div className={styles.marks}>
        <StreamMark stream={stream} />
      </div>
      {state === 'loading' && (
        <div className={styles.cover}>
          <Spinner />
        </div>
      )}
      {state === 'failed' && (
        <div className={styles.cover} role="alert">
          <p>{t`The stream was interrupted. It starts again by itself.`}</p>
          <button type="button" className={styles.retry} onClick={retry}>
            <Icon name="arrow-clockwise" size={18} /> {t`Try again`}
          </button>
        </div>
      )}
      <div className={styles.controls}>
        <IconButton
          icon={isPlaying ? 'pause-fill' : 'play-fill'}
          label={isPlaying ? t`Pause the video` : t`Play the video`}
          onPress={toggle}
        />
        <span className={styles.space} />
        <IconButton
          icon={isMuted ? 'speaker-slash' : 'speaker-high'}
          label={isMuted ? t`Sound on` : t`Sound off`}
          onPress={() => setMuted(!isMuted)}
        />
        <IconButton
          icon="corners-out"
          label={t`Full screen`}
          onPress={() => void toggleFullscreen(frame.current, video.current)}
        />
      </div>
    </div>
  );
}

type OldVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

async function toggleFullscreen(frame: HTMLElement | null, video: OldVideo | null): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else if (frame && 'requestFullscreen' in frame) await frame.requestFullscreen();
    // iPhones show only the video itself.
    else video?.webkitEnterFullscreen?.();
  } catch {
    // The browser refuses. The video stays in the page.
  }
}
