import { artUrl } from '../../lib/art.ts';
import { Picture } from '../Picture.tsx';

import styles from './Poster.module.css';

/** An announcement's picture, or the default megaphone. */
export function Poster({ image }: { image: string | undefined }) {
  const megaphone = (
    <Picture src={artUrl('icons/megaphone.webp')} size={112} className={styles.megaphone} />
  );
  if (!image) return megaphone;
  return (
    <Picture
      src={image}
      size={1080}
      height={464}
      className={styles.picture}
      fallback={megaphone}
      lazy
    />
  );
}
