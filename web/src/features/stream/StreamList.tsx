import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { liveStreamsQuery, type ListedStream } from '../../api/live-streams.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { Link } from '../../lib/router.tsx';
import { shortNumber } from '../../lib/short-number.ts';
import { buttonClass } from '../../ui/buttonClass.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StreamMark } from './StreamMark.tsx';

import styles from './StreamScreen.module.css';

export function StreamList() {
  const { t } = useLingui();
  const query = useQuery(liveStreamsQuery(useLanguage()));
  return (
    <QueryView
      query={query}
      className={styles.page}
      skeleton={
        <div className={styles.list}>
          <Skeleton shape="box" height={240} />
          <Skeleton shape="box" height={240} />
        </div>
      }
      isEmpty={(list) => list.length === 0}
      empty={
        <Empty
          art={artUrl('spots/soon.webp')}
          icon="game-controller"
          title={t`No live streams now`}
          text={t`Come back later. The games are open.`}
          actions={
            <Link to="/m/game" className={buttonClass({ size: 'md' })}>
              {t`Game center`}
            </Link>
          }
        />
      }
    >
      {(list) => (
        <ul className={styles.list}>
          {list.map((stream) => (
            <li key={stream.id}>
              <Card stream={stream} />
            </li>
          ))}
        </ul>
      )}
    </QueryView>
  );
}

function Viewers({ count }: { count: number }) {
  const { t } = useLingui();
  const watching = shortNumber(count, useLanguage());
  return <span className={styles.mark}>{t`${watching} watching`}</span>;
}

function Card({ stream }: { stream: ListedStream }) {
  return (
    <Link to={`/m/liveStream?id=${stream.id}`} className={styles.card}>
      <span className={styles.poster}>
        {stream.poster ? (
          <img src={stream.poster} alt="" loading="lazy" decoding="async" />
        ) : (
          <Icon name="play-fill" size={40} />
        )}
        <span className={styles.marks}>
          <StreamMark stream={stream} />
          {stream.viewers > 0 && <Viewers count={stream.viewers} />}
        </span>
      </span>
      <span className={styles.about}>
        <span className={styles.title} dir="auto">
          {stream.name}
        </span>
        {stream.host && (
          <span className={styles.host} dir="auto">
            {stream.host}
          </span>
        )}
      </span>
    </Link>
  );
}
