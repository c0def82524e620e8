import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';

import {
  sendReaction,
  streamPulseQuery,
  type LiveStream,
  type StreamReaction,
} from '../../api/live-streams.ts';
import { goWithSession } from '../../api/require-login.ts';
import { isRealAccount, useSession } from '../../api/session.ts';
import { describeError } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { shortNumber } from '../../lib/short-number.ts';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './StreamScreen.module.css';

const signs: Record<StreamReaction['kind'], string> = {
  heart: '❤️',
  clap: '👏',
  fire: '🔥',
  laugh: '😂',
};

/** How many watch a stream that is on air, and their reactions. */
export function Audience({ stream }: { stream: LiveStream }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const session = useSession();
  const language = useLanguage();
  const { data = stream } = useQuery(streamPulseQuery(stream.id));
  const watching = shortNumber(data.viewers, language);
  const names: Record<StreamReaction['kind'], string> = {
    heart: t`Heart`,
    clap: t`Applause`,
    fire: t`Fire`,
    laugh: t`Laughter`,
  };

  async function react(kind: StreamReaction['kind']): Promise<void> {
    if (!session) {
      goWithSession(`/m/liveStream?id=${stream.id}`);
      return;
    }
    try {
      await sendReaction(cache, stream.id, kind);
    } catch (failure) {
      toast.error(describeError(failure));
    }
  }

  return (
    <div className={styles.audience}>
      <p className={styles.viewers}>
        <Icon name="eye" size={16} />
        {t`${watching} watching`}
      </p>
      {data.reactions.map(({ kind, total }) => (
        <button
          key={kind}
          type="button"
          className={styles.reaction}
          aria-label={`${names[kind]} ${total}`}
          disabled={session !== null && !isRealAccount(session)}
          onClick={() => void react(kind)}
        >
          <span aria-hidden="true">{signs[kind]}</span> {shortNumber(total, language)}
        </button>
      ))}
    </div>
  );
}
