import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { hotGamesQuery, vendorsQuery } from '../../api/catalogue.ts';
import { settingsQuery, statusQuery } from '../../api/system.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { useAddressQuery } from '../../lib/router.tsx';
import { toast } from '../../ui/toastStore.ts';
import { categories, hot } from './categories.ts';
import { CategoryChips } from './CategoryChips.tsx';
import { HomeBanners } from './HomeBanners.tsx';
import { HomeFooter } from './HomeFooter.tsx';
import { HomeNotice } from './HomeNotice.tsx';
import { HotGames } from './HotGames.tsx';
import { QuickMenu } from './QuickMenu.tsx';

import styles from './HomeScreen.module.css';

/** A wait shorter than this is not worth a word. */
const patience = 200;

export default function HomeScreen() {
  const { t } = useLingui();
  const { data: status } = useQuery(statusQuery);
  const first = status?.homeCategory ?? hot;
  const chosen = useAddressQuery().get('category') ?? first;
  const { data: settings } = useQuery(settingsQuery);
  const games = useQuery({ ...hotGamesQuery(useLanguage()), placeholderData: keepPreviousData });
  useWaitMessage();

  const offered = categories.filter(
    ({ code }) =>
      code === hot || code === 'FAV' || games.data?.some((game) => game.category === code),
  );
  // Favourites are a screen of their own.
  const category = offered.find(({ code }) => code === chosen && code !== 'FAV') ?? categories[0]!;

  return (
    <>
      <h1 className={styles.heading} tabIndex={-1}>
        {settings?.merchantName ?? 'Fairground'} · {t`Home`}
      </h1>
      <HomeNotice />
      <HomeBanners />
      <QuickMenu />
      <CategoryChips categories={offered} current={category.code} first={first} />
      <HotGames query={games} category={category} />
      <HomeFooter />
    </>
  );
}

/** Asks for patience until the call for the vendors has ended. */
function useWaitMessage(): void {
  const { isPending } = useQuery(vendorsQuery);
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
