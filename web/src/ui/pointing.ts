import type { IconName } from './icons.ts';

// Icons that point along the line of reading, and so turn round where that runs from right to left.
export const pointingIcons: ReadonlySet<IconName> = new Set<IconName>([
  'arrow-left',
  'caret-left',
  'caret-right',
  'caret-right-bold',
  'list',
  'megaphone-fill',
  'sign-in',
  'sign-out',
]);
