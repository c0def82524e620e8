import type { ReactNode } from 'react';

import styles from './Switch.module.css';

export type SwitchProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
};

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
