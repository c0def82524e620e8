import { useId, useState, type ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';
import { Icon } from '../Icon.tsx';

import styles from './Accordion.module.css';

type AccordionItem = { key: string; title: ReactNode; content: ReactNode };

export type AccordionProps = {
  items: readonly AccordionItem[];
  /** The open item. If undefined, the component keeps the state. */
  open?: string | null | undefined;
  onOpen?: ((key: string | null) => void) | undefined;
  className?: string | undefined;
};

export function Accordion({ items, open: controlled, onOpen, className }: AccordionProps) {
  const id = useId();
  const [internal, setInternal] = useState<string | null>(null);
  const open = controlled === undefined ? internal : controlled;

  function toggle(key: string): void {
    const next = key === open ? null : key;
    setInternal(next);
    onOpen?.(next);
  }

  return (
    <div className={cx(styles.accordion, className)}>
      {items.map(({ key, title, content }) => {
        const expanded = key === open;
        return (
          <section key={key} className={styles.item}>
            <h3 className={styles.heading}>
              <button
                type="button"
                id={`${id}-${key}`}
                aria-expanded={expanded}
                aria-controls={`${id}-${key}-panel`}
                onClick={() => toggle(key)}
                className={styles.button}
              >
                <span className={styles.title}>{title}</span>
                <Icon
                  name="caret-down"
                  size={18}
                  className={cx(styles.caret, expanded && styles.turned)}
                />
              </button>
            </h3>
            <div
              id={`${id}-${key}-panel`}
              role="region"
              aria-labelledby={`${id}-${key}`}
              hidden={!expanded}
              className={styles.panel}
            >
              {expanded && content}
            </div>
          </section>
        );
      })}
    </div>
  );
}
