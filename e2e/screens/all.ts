import { accountScreens } from './account.ts';
import { cashierScreens } from './cashier.ts';
import { frontScreens } from './front.ts';
import { gameScreens } from './games.ts';
import { loginScreens } from './login.ts';
import { messageScreens } from './message.ts';
import { offerScreens } from './offers.ts';
import { recordScreens } from './record.ts';
import type { Screen } from './screen.ts';

/** Every screen checked for accessibility and layout in `make test`, and photographed in `make pictures`. */
export const screens: readonly Screen[] = [
  ...frontScreens,
  ...loginScreens,
  ...gameScreens,
  ...accountScreens,
  ...recordScreens,
  ...cashierScreens,
  ...offerScreens,
  ...messageScreens,
];
