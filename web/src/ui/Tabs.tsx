import { DirectionProvider } from '@base-ui/react/direction-provider';
import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

import { cx } from '../lib/cx.ts';
import { useDirection } from '../lib/direction.ts';
import { Badge } from './Badge.tsx';

import styles from './Tabs.module.css';

export type TabsProps<T extends string> = {
  label: string;
  tabs: readonly { value: T; label: ReactNode; badge?: number | undefined; content?: ReactNode }[];
  value: T;
  onChange: (value: T) => void;
  className?: string | undefined;
};

/** Tabs with panels. Not for the first screen, because it loads Base UI. */
export function Tabs<T extends string>({ label, tabs, value, onChange, className }: TabsProps<T>) {
  const direction = useDirection();
  return (
    <DirectionProvider direction={direction}>
      <Base.Root
        value={value}
        onValueChange={(next: T) => onChange(next)}
        className={cx(styles.tabs, className)}
      >
        <Base.List aria-label={label} activateOnFocus className={styles.list}>
          {tabs.map((tab) => (
            <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
              {tab.label}
              {tab.badge !== undefined && <Badge count={tab.badge} />}
            </Base.Tab>
          ))}
          <Base.Indicator className={styles.indicator} />
        </Base.List>
        {tabs.map((tab) => (
          <Base.Panel key={tab.value} value={tab.value} className={styles.panel}>
            {tab.content}
          </Base.Panel>
        ))}
      </Base.Root>
    </DirectionProvider>
  );
}
