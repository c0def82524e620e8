import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import * as categoryCode from '../../api/categories.gen.ts';
import { useLoggedIn } from '../../api/session.ts';
import { vendorsQuery } from '../../api/vendors.ts';
import { navigate } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { categoryOf, listKind } from './categories.ts';
import { listPath, type List } from './filter-url.ts';
import { FilterSheet } from './FilterSheet.tsx';
import { GameGrid } from './GameGrid.tsx';
import type { LobbySelection } from './lobby-selection.ts';
import { LobbyNews } from './LobbyNews.tsx';
import { LoginNeeded } from './LoginNeeded.tsx';
import { NoGames } from './NoGames.tsx';
import { useCategoryName } from './useCategoryName.ts';
import type { Games } from './useGames.ts';
import { VendorChips } from './VendorChips.tsx';

import styles from './LobbyPane.module.css';

export type LobbyPaneProps = {
  selection: LobbySelection;
  list: List;
  games: Games;
  onChoose: (selection: LobbySelection) => void;
};

/** Two columns next to the menu. */
const tileSizes = 'min(35vw,180px)';

export function LobbyPane({ selection, list, games, onChoose }: LobbyPaneProps) {
  const { t } = useLingui();
  const nameOf = useCategoryName();
  const loggedIn = useLoggedIn();
  const [filtering, setFiltering] = useState(false);
  const { data: vendors } = useQuery(vendorsQuery);
  const { category } = selection;
  const hot = list.view === 'hot';
  const kind = listKind(category);
  // The menu lists esports by provider.
  const esports = category === categoryCode.esports;
  const provider = esports
    ? vendors?.find(({ code }) => code === selection.vendor)?.name
    : undefined;
  const title = hot ? t`Hot games` : (provider ?? nameOf(categoryOf(category)));

  return (
    <div className={styles.pane}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {games.total !== undefined && (
          <bdi className={styles.count}>{games.total.toLocaleString('en')}</bdi>
        )}
        {list.view !== 'fav' && (
          <Button
            variant="secondary"
            size="sm"
            icon="sliders-horizontal"
            className={styles.filter}
            onPress={() => setFiltering(true)}
          >
            {t`Filter`}
          </Button>
        )}
      </div>
      {kind === 'vendor' && <VendorChips selection={selection} onChoose={onChoose} />}
      <div className={styles.games}>
        {list.view === 'fav' && !loggedIn ? (
          <LoginNeeded />
        ) : (
          <GameGrid
            label={title}
            games={games}
            columns={2}
            sizes={tileSizes}
            hideMarks={kind === 'home'}
            empty={<NoGames list={list} />}
          />
        )}
      </div>
      {hot && games.items.length > 0 && <LobbyNews />}
      <FilterSheet
        open={filtering}
        onClose={() => setFiltering(false)}
        list={list}
        onApply={(filter) => navigate(listPath({ view: list.view, filter }))}
      />
    </div>
  );
}
