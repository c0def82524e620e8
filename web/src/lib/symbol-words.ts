// The names of slot symbols by theme, for the games and the fairness page.
import { t } from '@lingui/core/macro';

type Names = Readonly<Record<'dragon' | 'lotus' | 'diamond' | 'lantern' | 'envelope', string>>;

/** Unknown themes use the first theme's symbols and names. */
function namesOf(theme: string): Names {
  switch (theme) {
    default:
      return {
        dragon: t`Dragon`,
        lotus: t`Lotus`,
        diamond: t`Diamond`,
        lantern: t`Lantern`,
        envelope: t`Red envelope`,
      };
    case 'fruit':
      return {
        dragon: t`Cherries`,
        lotus: t`Watermelon`,
        diamond: t`Grapes`,
        lantern: t`Lemon`,
        envelope: t`Mandarin`,
      };
    case 'ocean':
      return {
        dragon: t`Whale`,
        lotus: t`Dolphin`,
        diamond: t`Reef fish`,
        lantern: t`Turtle`,
        envelope: t`Crab`,
      };
    case 'egypt':
      return {
        dragon: t`Temple cat`,
        lotus: t`Camel`,
        diamond: t`Snake`,
        lantern: t`Amphora`,
        envelope: t`Crown`,
      };
    case 'jungle':
      return {
        dragon: t`Tiger`,
        lotus: t`Parrot`,
        diamond: t`Monkey`,
        lantern: t`Frog`,
        envelope: t`Butterfly`,
      };
    case 'space':
      return {
        dragon: t`Rocket`,
        lotus: t`Planet`,
        diamond: t`Alien`,
        lantern: t`Satellite`,
        envelope: t`Moon`,
      };
    case 'tet':
      return {
        dragon: t`Lion`,
        lotus: t`Blossom`,
        diamond: t`Kumquat`,
        lantern: t`Tea`,
        envelope: t`Red envelope`,
      };
    case 'sweets':
      return {
        dragon: t`Cake`,
        lotus: t`Doughnut`,
        diamond: t`Candy`,
        lantern: t`Ice cream`,
        envelope: t`Chocolate`,
      };
  }
}

export function symbolName(name: string, theme: string): string {
  if (name === 'wild') return t`Wild`;
  if (name === 'scatter') return t`Scatter`;
  const names = namesOf(theme);
  return Object.hasOwn(names, name) ? names[name as keyof Names] : name;
}
