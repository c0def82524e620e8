import { homePath } from './router.tsx';

/** A detour screen that continues to another one. Home needs none. */
export const onTheWay = (path: string, target: string): string =>
  target === homePath ? path : `${path}?return=${encodeURIComponent(target)}`;
