import { icons, type IconName } from './icons.ts';

/** An icon is decoration: a label must carry the meaning. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  const Shape = icons[name];
  return <Shape size={size} stroke={1.75} aria-hidden="true" />;
}
