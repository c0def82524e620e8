import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';

import { hotGamesQuery, wireVendorsQuery, type Game } from '../../api/catalogue.ts';
import { favourites, hot } from '../../api/categories.gen.ts';
import { categories, isInCategory } from '../../api/category-table.ts';
import { settingsQuery, statusQuery } from '../../api/system.ts';
import { screenMessages, useLanguage } from '../../i18n/runtime.ts';
import { useIncrementalRender } from '../../lib/idle.ts';
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

/** A wait shorter than this is not worth a word. */
const patience = 200;

/** Tiles made with each step: two rows are on the screen, and about as many fit into one idle moment. */
const stepTiles = 6;
/** The steps in which home is first made, after its top: tiles, the rest, what makes the banners slide. */
const restStep = 5;
const slidingStep = 6;
/** Come back to, it is there at once, as long as it was when it was left. */
let made = false;

export default function HomeScreen() {
  const { t } = useLingui();
  const { data: status } = useQuery(statusQuery);
  const first = status?.homeCategory ?? hot;
  const chosen = useAddressQuery().get('category') ?? first;
  const { data: settings } = useQuery(settingsQuery);
  const query = useQuery({ ...hotGamesQuery(useLanguage()), placeholderData: keepPreviousData });
  const games = useLast(query.data);
  const cache = useQueryClient();
  useWaitMessage();
  const step = useIncrementalRender(slidingStep, made);
  useEffect(() => {
    if (step === slidingStep) made = true;
  }, [step]);

  const offered = categories.filter(
    ({ code }) =>
      code === hot || code === favourites || games?.some((game) => isInCategory(game, code)),
  );
  // Favourites are a screen of their own.
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
      <HomeBanners sliding={step >= slidingStep} />
      <QuickMenu />
      <CategoryChips categories={offered} current={category.code} first={first} />
      <HotGames query={query} games={games} category={category} made={stepTiles * step} />
      {step >= restStep && <Rest />}
    </>
  );
}

/** The rest is fetched when it is this near. */
const near = '400px';
let restWanted = false;

/** What follows the games, with words of its own. */
async function loadRest() {
  const [blocks] = await Promise.all([import('./deferred/HomeBlocks.tsx'), screenMessages()]);
  return blocks;
}

/** All that follows the games, fetched when it is nearly scrolled to. Its place is kept until then. */
function Rest() {
  const [wanted, setWanted] = useState(restWanted);
  const watch = useCallback((place: HTMLDivElement) => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        restWanted = true;
        setWanted(true);
      },
      { rootMargin: near },
    );
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={wanted ? undefined : watch} className={styles.rest}>
      {wanted && <LazyScreen load={loadRest} />}
    </div>
  );
}

/** The last games there were: where those of a newly chosen language cannot be had, these stay. */
function useLast(games: Game[] | undefined): Game[] | undefined {
  const [last, setLast] = useState(games);
  if (games && games !== last) setLast(games);
  return games ?? last;
}

/** Asks for patience until the call for the vendors has ended. */
function useWaitMessage(): void {
  const { isPending } = useQuery(wireVendorsQuery);
  useEffect(() => {
    if (!isPending) return;
    let shown: number | undefined;
    const timer = setTimeout(() => {
      shown = toast.loading();
    }, patience);
    return () => {
      clearTimeout(timer);
      if (shown !== undefined) toast.hide(shown);
    };
  }, [isPending]);
}
