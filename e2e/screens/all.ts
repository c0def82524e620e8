import { accountScreens } from './account.ts';
import { frontScreens } from './front.ts';
import { gameScreens } from './games.ts';
import { loginScreens } from './login.ts';
import { recordScreens } from './record.ts';
import type { Screen } from './screen.ts';

/** Every screen that is looked at: for barriers and its layout in `make test`, for pictures in `make pictures`. */
export const screens: readonly Screen[] = [
  ...frontScreens,
  ...loginScreens,
  ...gameScreens,
  ...accountScreens,
  ...recordScreens,
];
