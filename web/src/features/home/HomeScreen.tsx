import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { startTransition, useCallback, useEffect, useState } from 'react';

import { hotGamesQuery, wireVendorsQuery, type Game } from '../../api/catalogue.ts';
import { favourites, hot } from '../../api/categories.gen.ts';
import { categories, isInCategory } from '../../api/category-table.ts';
import { settingsQuery, statusQuery } from '../../api/system.ts';
import { loadScreenMessages, useLanguage } from '../../i18n/runtime.ts';
import { useAddressQuery } from '../../lib/router.tsx';
import { LazyScreen } from '../../ui/LazyScreen.tsx';
import { PullToRefresh } from '../../ui/PullToRefresh.tsx';
import { toast } from '../../ui/toastStore.ts';
import { CategoryChips } from './CategoryChips.tsx';
import { HomeBanners } from './HomeBanners.tsx';
import { HomeNotice } from './HomeNotice.tsx';
import { HotGames } from './HotGames.tsx';
import { QuickMenu } from './QuickMenu.tsx';

import styles from './HomeScreen.module.css';

/** The delay before a message says that home is loading. */
const waitMessageDelayMs = 200;

/** Later visits render at once, so that the scroll position can be restored. */
let hasRendered = false;

export default function HomeScreen() {
  const { t } = useLingui();
  const { data: status } = useQuery(statusQuery);
  const defaultCode = status?.homeCategory ?? hot;
  const chosen = useAddressQuery().get('category') ?? defaultCode;
  const { data: settings } = useQuery(settingsQuery);
  const query = useQuery({ ...hotGamesQuery(useLanguage()), placeholderData: keepPreviousData });
  const games = useLastGames(query.data);
  const cache = useQueryClient();
  useWaitMessage();
  const [atOnce] = useState(hasRendered);
  const [areTilesRendered, setTilesRendered] = useState(atOnce);
  const finish = useCallback(() => {
    hasRendered = true;
    startTransition(() => setTilesRendered(true));
  }, []);

  const offered = categories.filter(
    ({ code }) =>
      code === hot || code === favourites || games?.some((game) => isInCategory(game, code)),
  );
  // Favourites have a separate screen.
  const category =
    offered.find(({ code }) => code === chosen && code !== favourites) ?? categories[0]!;

  return (
    <>
      <PullToRefresh
        label={t`Loading`}
        onRefresh={() => cache.refetchQueries({ type: 'active' })}
      />
      <h1 className={styles.heading} tabIndex={-1}>
        {settings?.merchantName ?? 'Fairground'} · {t`Home`}
      </h1>
      <HomeNotice />
      <HomeBanners sliding={areTilesRendered} />
      <QuickMenu />
      <CategoryChips categories={offered} current={category.code} defaultCode={defaultCode} />
      <HotGames
        query={query}
        games={games}
        category={category}
        atOnce={atOnce}
        onRendered={finish}
      />
      {areTilesRendered && <Blocks />}
    </>
  );
}

const loadDistance = '400px';
let blocksRequested = false;

async function loadBlocks() {
  const [blocks] = await Promise.all([import('./deferred/HomeBlocks.tsx'), loadScreenMessages()]);
  return blocks;
}

/** The blocks below the games, loaded near the viewport. Their space is reserved. */
function Blocks() {
  const [isRequested, setRequested] = useState(blocksRequested);
  const watch = useCallback((place: HTMLDivElement) => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        blocksRequested = true;
        setRequested(true);
      },
      { rootMargin: loadDistance },
    );
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={isRequested ? undefined : watch} className={styles.blocks}>
      {isRequested && <LazyScreen load={loadBlocks} />}
    </div>
  );
}

/** Returns the last loaded games, which stay when those of a new language fail to load. */
function useLastGames(games: Game[] | undefined): Game[] | undefined {
  const [last, setLast] = useState(games);
  if (games && games !== last) setLast(games);
  return games ?? last;
}

/** Shows a loading toast until the vendors are loaded. */
function useWaitMessage(): void {
  const { isPending } = useQuery(wireVendorsQuery);
  useEffect(() => {
    if (!isPending) return;
    let toastId: number | undefined;
    const timer = setTimeout(() => {
      toastId = toast.loading();
    }, waitMessageDelayMs);
    return () => {
      clearTimeout(timer);
      if (toastId !== undefined) toast.hide(toastId);
    };
  }, [isPending]);
}
