import type { ReactNode } from 'react';

import styles from './Switch.module.css';

export type SwitchProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** What is switched. */
  children: ReactNode;
};

/** On or off, at once. The whole line can be touched. */
export function Switch({ checked, onChange, children }: SwitchProps) {
  return (
    <label className={styles.line}>
      <span className={styles.words}>{children}</span>
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className={styles.switch}
      />
    </label>
  );
}
