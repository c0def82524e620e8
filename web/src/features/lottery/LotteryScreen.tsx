import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { lotteryTile } from '../../api/lottery-tile.ts';
import { lotteryMenusQuery, lotteryWeekQuery, type LotteryGame } from '../../api/lottery.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { goBack, Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Chips } from '../../ui/display/Chips.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { LotteryCard } from './LotteryCard.tsx';
import { useGroupNames } from './names.ts';
import { useLotteryGames } from './useLotteryGames.ts';
import { Week } from './Week.tsx';

import styles from './LotteryScreen.module.css';

type Section = 'next' | 'regional' | 'fast' | 'week';

const maxNext = 12;

export default function LotteryScreen() {
  const { t } = useLingui();
  const [section, setSection] = useState<Section>('next');
  const games = useLotteryGames();
  const week = useQuery({ ...lotteryWeekQuery, enabled: section === 'week' });
  return (
    <div className={styles.screen}>
      <header className={styles.bar}>
        <IconButton icon="caret-left" label={t`Back`} onPress={goBack} />
        <h1 className={styles.title}>{t`Lottery`}</h1>
        <Link to="/m/lotteryHistory" className={buttonClass({ variant: 'text', size: 'sm' })}>
          {t`Results`}
        </Link>
      </header>
      <ChosenTile />
      <Chips
        label={t`Lotteries`}
        options={[
          { value: 'next', label: t`Next draws` },
          { value: 'regional', label: t`Three regions` },
          { value: 'fast', label: t`Fast` },
          { value: 'week', label: t`Week` },
        ]}
        value={section}
        onChange={setSection}
      />
      {section === 'week' ? (
        <QueryView query={week} skeleton={<Skeleton shape="box" height={320} />}>
          {(regions) => <Week regions={regions} games={games.data ?? []} />}
        </QueryView>
      ) : (
        <QueryView
          query={games}
          skeleton={<Skeleton shape="box" height={480} />}
          isEmpty={(list) => list.length === 0}
          empty={<Empty icon="ticket" title={t`No lottery is open now`} />}
        >
          {(list) => <Games games={list} section={section} />}
        </QueryView>
      )}
    </div>
  );
}

/** The lottery of the tile that led here. */
function ChosenTile() {
  const { t } = useLingui();
  const [tile] = useState(lotteryTile);
  if (!tile) return null;
  const { name, ...choice } = tile;
  const query = new URLSearchParams({ ...choice, supportPlay: 'true' });
  return (
    <section className={styles.chosen}>
      <b>
        <bdi>{name}</bdi>
      </b>
      <Link to={`/m/launchGame?${query.toString()}`} className={buttonClass({ size: 'md' })}>
        {t`Play now`}
      </Link>
    </section>
  );
}

function Games({ games, section }: { games: readonly LotteryGame[]; section: Section }) {
  const { t } = useLingui();
  const { data: menus } = useQuery(lotteryMenusQuery(useLanguage()));
  const nameOf = useGroupNames();
  const byClose = games.toSorted((a, b) => a.closeTime - b.closeTime || a.period - b.period);
  if (section === 'next') return <List games={byClose.slice(0, maxNext)} label={t`Next draws`} />;
  const isShown = ({ type }: LotteryGame) => (type === 'regional') === (section === 'regional');
  const groups = new Map<string, LotteryGame[]>();
  for (const game of byClose.filter(isShown)) {
    groups.set(game.gameGroupId, [...(groups.get(game.gameGroupId) ?? []), game]);
  }
  return [...groups]
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([id, list]) => {
      const name = nameOf(id, menus);
      return (
        <section key={id} className={styles.group}>
          <h2 className={styles.groupName}>{name}</h2>
          <List games={list} label={name} />
        </section>
      );
    });
}

function List({ games, label }: { games: readonly LotteryGame[]; label: string }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {games.map((game) => (
        <LotteryCard key={game.gameId} game={game} />
      ))}
    </ul>
  );
}
