import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';

import { useLanguage } from '../../i18n/runtime.ts';
import { navigate } from '../../lib/router.tsx';
import { PullToRefresh } from '../../ui/PullToRefresh.tsx';
import { CategoryRail } from './CategoryRail.tsx';
import {
  listOfSelection,
  selectionPath,
  useLobbySelection,
  type LobbySelection,
} from './lobby-selection.ts';
import { LobbyBar } from './LobbyBar.tsx';
import { LobbyPane } from './LobbyPane.tsx';
import { RecentStrip } from './RecentStrip.tsx';
import { resetGames, useGames } from './useGames.ts';
import { useRecents } from './useRecents.ts';
import { useRefresh } from './useRefresh.ts';

import styles from './LobbyScreen.module.css';

const favouritesPageSize = 100;

export default function LobbyScreen() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const language = useLanguage();
  const { selection, redirect } = useLobbySelection();
  const { category, vendor } = selection;
  const list = useMemo(() => listOfSelection({ category, vendor }), [category, vendor]);
  const games = useGames(list, favouritesPageSize);
  const refresh = useRefresh(games);
  const recents = useRecents();

  useEffect(() => {
    if (redirect) navigate(redirect, { replace: true });
  }, [redirect]);
  if (redirect) return null;

  /** Shows a category from its first page, at the top. */
  function choose(next: LobbySelection): void {
    window.scrollTo({ top: 0, behavior: 'instant' });
    resetGames(cache, language, listOfSelection(next), favouritesPageSize);
    navigate(selectionPath(next), { replace: true });
  }

  return (
    <>
      <LobbyBar />
      <PullToRefresh label={t`Loading`} onRefresh={refresh} />
      <div className={styles.lobby}>
        <CategoryRail selection={selection} onChoose={choose} />
        <div className={styles.pane}>
          <RecentStrip recents={recents} />
          {!recents.isUnknown && (
            <LobbyPane
              key={category}
              selection={selection}
              list={list}
              games={games}
              onChoose={choose}
            />
          )}
        </div>
      </div>
    </>
  );
}
