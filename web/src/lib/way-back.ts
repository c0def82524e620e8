import { homePath } from './router.tsx';

/** Returns the path of a screen, such as the login, that continues to another screen. Home needs no such parameter. */
export const onTheWay = (path: string, target: string): string =>
  target === homePath ? path : `${path}?return=${encodeURIComponent(target)}`;
