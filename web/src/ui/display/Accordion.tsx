import { useId, type ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';
import { Icon } from '../Icon.tsx';

import styles from './Accordion.module.css';

type AccordionItem = {
  key: string;
  /** Before the title, such as its number. */
  mark?: ReactNode;
  title: ReactNode;
  /** Rendered while the item is open. */
  content: ReactNode;
};

export type AccordionProps = {
  items: readonly AccordionItem[];
  /** The key of the open item. */
  open: string | null;
  onOpen: (key: string | null) => void;
  /** The level of the headings. Level 3 looks like a part of an item of level 2. */
  level: 2 | 3;
};

/** A list of which at most one item is open. */
export function Accordion({ items, open, onOpen, level }: AccordionProps) {
  const id = useId();
  const Heading = `h${level}` as const;
  return (
    <ol className={level === 2 ? styles.topics : styles.parts}>
      {items.map(({ key, mark, title, content }, index) => {
        const isOpen = key === open;
        return (
          <li key={key} className={styles.item}>
            <Heading className={styles.heading}>
              <button
                type="button"
                aria-expanded={isOpen}
                aria-controls={`${id}-${index}`}
                onClick={() => onOpen(isOpen ? null : key)}
                className={styles.button}
              >
                {mark !== undefined && <span className={styles.mark}>{mark}</span>}
                <span className={styles.title}>{title}</span>
                {level === 2 ? (
                  <Icon name="caret-down" size={18} className={styles.caret} />
                ) : (
                  !isOpen && <Icon name="caret-right" size={16} />
                )}
              </button>
            </Heading>
            <div id={`${id}-${index}`} className={cx(styles.panel, isOpen && styles.open)}>
              <div className={styles.content}>{isOpen && content}</div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
