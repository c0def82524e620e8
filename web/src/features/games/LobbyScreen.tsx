import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';

import { useLanguage } from '../../i18n/runtime.ts';
import { navigate } from '../../lib/router.tsx';
import { PullToRefresh } from '../../ui/PullToRefresh.tsx';
import { CategoryRail } from './CategoryRail.tsx';
import { LobbyBar } from './LobbyBar.tsx';
import { LobbyPane } from './LobbyPane.tsx';
import { listAt, placePath, usePlace, type Place } from './place.ts';
import { RecentStrip } from './RecentStrip.tsx';
import { forgetGames, useGames } from './useGames.ts';
import { useRecents } from './useRecents.ts';
import { useRefresh } from './useRefresh.ts';

import styles from './LobbyScreen.module.css';

/** Favourites come in one go here. */
const favouritesPage = 100;

/** All games by category, with what was played lately above them. */
export default function LobbyScreen() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const language = useLanguage();
  const { place, leads } = usePlace();
  const { category, vendor } = place;
  const list = useMemo(() => listAt({ category, vendor }), [category, vendor]);
  const games = useGames(list, favouritesPage);
  const refresh = useRefresh(games);
  const recents = useRecents();

  useEffect(() => {
    if (leads) navigate(leads, { replace: true });
  }, [leads]);
  if (leads) return null;

  /** From its top and its first page on, as if it had never been looked at. */
  function choose(next: Place): void {
    window.scrollTo({ top: 0, behavior: 'instant' });
    forgetGames(cache, language, listAt(next), favouritesPage);
    navigate(placePath(next), { replace: true });
  }

  return (
    <>
      <LobbyBar />
      <PullToRefresh label={t`Loading`} onRefresh={refresh} />
      <div className={styles.lobby}>
        <CategoryRail place={place} onChoose={choose} />
        <div className={styles.pane}>
          <RecentStrip recents={recents} />
          {!recents.unsure && (
            <LobbyPane key={category} place={place} list={list} games={games} onChoose={choose} />
          )}
        </div>
      </div>
    </>
  );
}
