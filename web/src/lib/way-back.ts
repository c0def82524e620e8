import { homePath } from './router.tsx';

/** A screen on the way to another, which is gone on to afterwards. Home needs no saying. */
export const onTheWay = (path: string, target: string): string =>
  target === homePath ? path : `${path}?return=${encodeURIComponent(target)}`;
