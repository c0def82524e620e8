import type { ReactNode } from 'react';

import styles from './Dock.module.css';

/**
 * The main button of a screen, with what belongs to it. It stays above the bottom menu and its raised button. The screen has the padding
 * `--s4`. The parent must not be a grid, because a grid's row would not let the dock stick.
 */
export function Dock({ children }: { children: ReactNode }) {
  return <div className={styles.dock}>{children}</div>;
}
