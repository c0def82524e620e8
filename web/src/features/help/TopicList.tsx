import { useEffect, useId, useRef } from 'react';

import type { HelpTopic } from '../../api/help.ts';
import { cx } from '../../lib/cx.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { Open } from './address.ts';
import { Article } from './Article.tsx';

import styles from './Help.module.css';

type TopicListProps = {
  topics: readonly HelpTopic[];
  open: Open;
  onOpen: (open: Open) => void;
};

/** The topics. At most one is open, and at most one of its articles. */
export function TopicList({ topics, open, onOpen }: TopicListProps) {
  const id = useId();
  return (
    <ol className={styles.list}>
      {topics.map((topic, p) => {
        const isOpen = open.p === p;
        return (
          <li key={topic.code || p} className={styles.topic}>
            <h2 className={styles.heading}>
              <button
                type="button"
                aria-expanded={isOpen}
                aria-controls={`${id}-${p}`}
                className={styles.topicButton}
                onClick={() => onOpen({ p: isOpen ? null : p, c: null })}
              >
                <span className={cx(styles.number, isOpen && styles.numberOpen)}>{p + 1}</span>
                <span className={styles.topicTitle}>{topic.title}</span>
                <Icon
                  name="caret-down"
                  size={18}
                  className={cx(styles.caret, isOpen && styles.turned)}
                />
              </button>
            </h2>
            <div id={`${id}-${p}`} className={cx(styles.panel, isOpen && styles.panelOpen)}>
              <div className={styles.panelInner}>
                {isOpen && (
                  <>
                    {topic.content && <Article article={topic} />}
                    <Articles topic={topic} p={p} open={open.c} onOpen={onOpen} />
                  </>
                )}
              </div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

type ArticlesProps = {
  topic: HelpTopic;
  p: number;
  open: number | null;
  onOpen: (open: Open) => void;
};

function Articles({ topic, p, open, onOpen }: ArticlesProps) {
  const id = useId();
  const opened = useRef<HTMLLIElement>(null);
  // A shared link may open an article below the edge of the screen. Later taps keep the position.
  useEffect(() => {
    const top = opened.current?.getBoundingClientRect().top ?? 0;
    if (top > innerHeight / 2) opened.current?.scrollIntoView({ block: 'start' });
  }, []);
  if (topic.children.length === 0) return null;
  return (
    <ol className={styles.articles}>
      {topic.children.map((article, c) => {
        const isOpen = open === c;
        return (
          <li key={article.code || c} ref={isOpen ? opened : null} className={styles.article}>
            <h3 className={styles.heading}>
              <button
                type="button"
                aria-expanded={isOpen}
                aria-controls={`${id}-${c}`}
                className={cx(styles.articleButton, isOpen && styles.articleOpen)}
                onClick={() => onOpen({ p, c: isOpen ? null : c })}
              >
                <span className={styles.articleNumber}>{`${p + 1}.${c + 1}`}</span>
                <span className={styles.topicTitle}>{article.title}</span>
                {!isOpen && <Icon name="caret-right" size={16} />}
              </button>
            </h3>
            <div id={`${id}-${c}`} hidden={!isOpen}>
              {isOpen && <Article article={article} canVote />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
