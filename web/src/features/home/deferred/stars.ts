import { create } from 'zustand';

import type { Stars } from '../../../api/favourites.ts';

/** The member's stars. One observer updates them for all tiles of home. */
export const useStarStore = create<Stars>(() => ({
  ids: new Set(),
  busy: new Set(),
  star: () => {},
}));
