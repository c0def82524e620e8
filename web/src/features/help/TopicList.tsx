import { useEffect, useRef } from 'react';

import type { HelpTopic } from '../../api/help.ts';
import { Accordion } from '../../ui/display/Accordion.tsx';
import type { OpenItems } from './address.ts';
import { Article } from './Article.tsx';

import styles from './Help.module.css';

type TopicListProps = {
  topics: readonly HelpTopic[];
  open: OpenItems;
  onOpen: (open: OpenItems) => void;
};

/** The topics. At most one is open, and at most one of its articles. */
export function TopicList({ topics, open, onOpen }: TopicListProps) {
  return (
    <Accordion
      level={2}
      items={topics.map((topic, topicIndex) => ({
        key: String(topicIndex),
        mark: topicIndex + 1,
        title: topic.title,
        content: (
          <>
            {topic.content && (
              <div className={styles.topicText}>
                <Article article={topic} />
              </div>
            )}
            <Articles
              topic={topic}
              topicIndex={topicIndex}
              open={open.articleIndex}
              onOpen={onOpen}
            />
          </>
        ),
      }))}
      open={keyOf(open.topicIndex)}
      onOpen={(key) => onOpen({ topicIndex: indexOf(key), articleIndex: null })}
    />
  );
}

type ArticlesProps = {
  topic: HelpTopic;
  topicIndex: number;
  open: number | null;
  onOpen: (open: OpenItems) => void;
};

function Articles({ topic, topicIndex, open, onOpen }: ArticlesProps) {
  const list = useRef<HTMLDivElement>(null);
  // A shared link may open an article below the edge of the screen. Later taps keep the position.
  useEffect(() => {
    const opened = list.current?.querySelector('[aria-expanded=true]')?.closest('li');
    const top = opened?.getBoundingClientRect().top ?? 0;
    if (top > innerHeight / 2) opened?.scrollIntoView({ block: 'start' });
  }, []);
  if (topic.children.length === 0) return null;
  return (
    <div ref={list}>
      <Accordion
        level={3}
        items={topic.children.map((article, articleIndex) => ({
          key: String(articleIndex),
          mark: `${topicIndex + 1}.${articleIndex + 1}`,
          title: article.title,
          content: <Article article={article} canVote />,
        }))}
        open={keyOf(open)}
        onOpen={(key) => onOpen({ topicIndex, articleIndex: indexOf(key) })}
      />
    </div>
  );
}

// OpenItems holds indexes; the accordion wants string keys.
const keyOf = (index: number | null): string | null => (index === null ? null : String(index));

const indexOf = (key: string | null): number | null => (key === null ? null : Number(key));
