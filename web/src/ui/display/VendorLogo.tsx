import { Picture } from '../Picture.tsx';

import styles from './VendorLogo.module.css';

export function VendorLogo({ icon, name }: { icon: string; name: string }) {
  const letter = (
    <span aria-hidden="true" className={styles.letter}>
      {/\p{L}|\p{N}/u.exec(name)?.[0]}
    </span>
  );
  if (!icon) return letter;
  return <Picture src={icon} size={26} lazy fallback={letter} />;
}
