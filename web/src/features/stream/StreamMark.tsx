import { useLingui } from '@lingui/react/macro';

import type { ListedStream } from '../../api/live-streams.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { formatTime } from './times.ts';

import styles from './StreamScreen.module.css';

/** Says whether a stream is live, a recording, or starts later. */
export function StreamMark({ stream }: { stream: ListedStream }) {
  const { t } = useLingui();
  const language = useLanguage();
  const start = formatTime(stream.startsAt, language);
  if (stream.status === 'scheduled') {
    return <span className={styles.mark}>{t`Starts ${start}`}</span>;
  }
  if (stream.status === 'off') return <span className={styles.mark}>{t`Not on air`}</span>;
  if (stream.recorded) {
    return (
      <span className={styles.mark} data-caption>
        {t`Recorded demo`}
      </span>
    );
  }
  return <span className={styles.live}>{t`Live now`}</span>;
}
