import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { cx } from '../../lib/cx.ts';
import {
  framePath,
  originOf,
  readNews,
  sandboxOf,
  type Order,
  type Widget,
} from '../../lib/widget/messages.ts';
import { ErrorRetry } from '../ErrorRetry.tsx';
import { Skeleton } from '../Skeleton.tsx';

import styles from './SliderSheet.module.css';

const loadTimeoutMs = 20_000;

export type WidgetFrameProps = {
  widget: Widget;
  onPass: (proof: string) => void;
};

/** A third-party human check. Its script runs in a sandboxed frame. */
export function WidgetFrame({ widget, onPass }: WidgetFrameProps) {
  const [attempt, setAttempt] = useState(0);
  const [failed, setFailed] = useState(false);

  function retry(): void {
    setFailed(false);
    setAttempt(attempt + 1);
  }

  return (
    <div className={styles.check}>
      {failed ? (
        <ErrorRetry onRetry={retry} />
      ) : (
        <Frame key={attempt} widget={widget} onPass={onPass} onFail={() => setFailed(true)} />
      )}
    </div>
  );
}

type FrameProps = { widget: Widget; onPass: (proof: string) => void; onFail: () => void };

function Frame({ widget, onPass, onFail }: FrameProps) {
  const { t, i18n } = useLingui();
  const frame = useRef<HTMLIFrameElement>(null);
  const [shown, setShown] = useState(false);

  const handleMessage = useEffectEvent(({ source, origin, data }: MessageEvent) => {
    const window = frame.current?.contentWindow;
    if (!window || source !== window || origin !== originOf(widget)) return;
    const news = readNews(data);
    if (news?.news === 'listening') {
      const order: Order = { ...widget, language: i18n.locale };
      // A sandboxed frame has an opaque origin, which cannot be targeted. The message holds no secrets.
      window.postMessage(order, originOf(widget) === 'null' ? '*' : originOf(widget));
    }
    if (news?.news === 'shown') setShown(true);
    if (news?.news === 'failed') onFail();
    if (news?.news === 'passed') onPass(news.proof);
  });
  useEffect(() => {
    addEventListener('message', handleMessage);
    return () => removeEventListener('message', handleMessage);
  }, []);

  const fail = useEffectEvent(onFail);
  useEffect(() => {
    if (shown) return;
    const timer = setTimeout(fail, loadTimeoutMs);
    return () => clearTimeout(timer);
  }, [shown]);

  return (
    <div className={styles.widget} aria-busy={!shown}>
      {!shown && <Skeleton shape="box" height={260} />}
      <iframe
        ref={frame}
        src={framePath}
        title={t`Quick check`}
        sandbox={sandboxOf(widget)}
        className={cx(styles.frame, !shown && styles.loading)}
      />
    </div>
  );
}
