import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { followStream, liveStreamQuery, type LiveStream } from '../../api/live-streams.ts';
import { useSession } from '../../api/session.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { Link } from '../../lib/router.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Audience } from './Audience.tsx';
import { Player } from './Player.tsx';
import { StreamChat } from './StreamChat.tsx';
import { StreamGames } from './StreamGames.tsx';
import { StreamMark } from './StreamMark.tsx';

import styles from './StreamScreen.module.css';

/** One stream: the video, its chat, and games to play from it. */
export function StreamPage({ id }: { id: string }) {
  const cache = useQueryClient();
  const language = useLanguage();
  useSession(); // The chat changes with the login.
  const query = useQuery(liveStreamQuery(id, language));
  useEffect(() => followStream(cache, id), [cache, id]);
  return (
    <div className={styles.screen}>
      <QueryView query={query} className={styles.body} skeleton={<Loading />}>
        {(stream) => <Shown stream={stream} />}
      </QueryView>
    </div>
  );
}

function Loading() {
  return (
    <>
      <Skeleton shape="box" className={styles.frame} />
      <Skeleton shape="box" height={56} className={styles.block} />
    </>
  );
}

function Shown({ stream }: { stream: LiveStream }) {
  const { t } = useLingui();
  const [part, setPart] = useState<'chat' | 'games'>('chat');
  const games = stream.games ?? [];
  return (
    <>
      {stream.streaming && stream.url ? (
        <Player key={stream.url} stream={stream} />
      ) : (
        <OffAir stream={stream} />
      )}
      <div className={styles.heading}>
        <h2 className={styles.title} dir="auto">
          {stream.name}
        </h2>
        {stream.host && (
          <p className={styles.host} dir="auto">
            {stream.host}
          </p>
        )}
      </div>
      {stream.streaming && <Audience stream={stream} />}
      {games.length > 0 && (
        <Segmented
          className={styles.block}
          size="sm"
          label={t`Part`}
          value={part}
          onChange={setPart}
          options={[
            { value: 'chat', label: t`Chat` },
            { value: 'games', label: t`Games` },
          ]}
        />
      )}
      {part === 'games' && games.length > 0 ? (
        <StreamGames games={games} />
      ) : (
        <StreamChat stream={stream} />
      )}
    </>
  );
}

function OffAir({ stream }: { stream: LiveStream }) {
  const { t } = useLingui();
  return (
    <div className={styles.frame}>
      {stream.poster && <img src={stream.poster} alt="" className={styles.video} />}
      <div className={styles.marks}>
        <StreamMark stream={stream} />
      </div>
      <div className={styles.cover} role="status">
        <p>
          {stream.status === 'scheduled'
            ? t`The stream has not started yet. It appears here by itself.`
            : t`The stream is not on air now.`}
        </p>
        <Link to="/m/liveStream" replace className={styles.retry}>
          {t`All live streams`}
        </Link>
      </div>
    </div>
  );
}
