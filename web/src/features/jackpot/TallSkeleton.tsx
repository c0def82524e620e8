import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './JackpotScreen.module.css';

/** Fills the screen, so that nothing below moves into view and out again. */
export function TallSkeleton({ height }: { height: number }) {
  return (
    <div className={styles.tall}>
      <Skeleton shape="box" height={height} className={styles.skeleton} />
    </div>
  );
}
