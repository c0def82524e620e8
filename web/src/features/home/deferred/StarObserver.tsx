import { useLayoutEffect } from 'react';

import { useStars } from '../../../api/favourites.ts';
import { starToasts } from '../../../ui/display/starToasts.ts';
import { useStarStore } from './stars.ts';

/** Keeps the stars of home's tiles up to date. */
export default function StarObserver() {
  const { ids, busy, star } = useStars(starToasts);
  useLayoutEffect(() => useStarStore.setState({ ids, busy, star }), [ids, busy, star]);
  return null;
}
