import type { IconName } from './icons.ts';

// Icons that are mirrored in right-to-left text.
export const mirroredIcons: ReadonlySet<IconName> = new Set<IconName>([
  'arrow-left',
  'caret-left',
  'caret-right',
  'caret-right-bold',
  'list',
  'megaphone-fill',
  'paper-plane-right-fill',
  'sign-in',
  'sign-out',
]);
