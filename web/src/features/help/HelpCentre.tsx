import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { helpQuery, type HelpTopic } from '../../api/help.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { useAddressQuery } from '../../lib/router.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { loadSanitizer } from '../../ui/display/SafeHtml.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { readOpen, type OpenItems } from './address.ts';
import { ContactBar } from './ContactBar.tsx';
import { HelpSearch } from './HelpSearch.tsx';
import { searchHelp, type Found } from './search.ts';
import { TopicList } from './TopicList.tsx';

import styles from './Help.module.css';

type HelpCentreProps = { onOpen: (open: OpenItems) => void; hasShortcuts?: boolean };

/** Search, topics with their articles, and a way to customer service. The address holds what is open. */
export function HelpCentre({ onOpen, hasShortcuts = false }: HelpCentreProps) {
  const { t } = useLingui();
  const topics = useQuery(helpQuery(useLanguage()));
  const open = readOpen(useAddressQuery());
  const [typed, setTyped] = useState('');
  useEffect(() => void loadSanitizer(), []);

  function choose(next: OpenItems): void {
    setTyped('');
    onOpen(next);
  }

  return (
    <div className={styles.screen}>
      <HelpSearch typed={typed} onType={setTyped} />
      <QueryView
        query={topics}
        className={styles.body}
        skeleton={
          <div className={styles.body}>
            {Array.from({ length: 7 }, (_, i) => (
              <Skeleton key={i} shape="box" height={54} className={styles.skeleton} />
            ))}
          </div>
        }
        isEmpty={(list) => list.length === 0}
        empty={
          <Empty
            art={artUrl('spots/empty.webp')}
            icon="question"
            title={t`No help topics yet`}
            text={t`Customer service answers your questions.`}
          />
        }
      >
        {(list) =>
          typed.trim() === '' ? (
            <>
              {hasShortcuts && <Shortcuts topics={list} onOpen={choose} />}
              <TopicList topics={list} open={open} onOpen={choose} />
            </>
          ) : (
            <Results found={searchHelp(list, typed)} onOpen={choose} />
          )
        }
      </QueryView>
      <ContactBar />
    </div>
  );
}

/** Topics with a picture, by code. */
const shortcuts: readonly (readonly [code: string, art: string])[] = [
  ['help-deposits', 'money-bag'],
  ['help-withdrawals', 'money-wings'],
  ['help-account', 'lock'],
  ['help-games', 'gamepad'],
];

type ShortcutsProps = { topics: readonly HelpTopic[]; onOpen: (open: OpenItems) => void };

function Shortcuts({ topics, onOpen }: ShortcutsProps) {
  const shown = shortcuts.flatMap(([code, art]) => {
    const topicIndex = topics.findIndex((topic) => topic.code === code);
    return topicIndex < 0 ? [] : [{ topicIndex, art, title: topics[topicIndex]!.title }];
  });
  if (shown.length === 0) return null;
  return (
    <ul className={styles.shortcuts}>
      {shown.map(({ topicIndex, art, title }) => (
        <li key={topicIndex}>
          <button
            type="button"
            className={styles.shortcut}
            onClick={() => onOpen({ topicIndex, articleIndex: null })}
          >
            <Picture src={artUrl(`icons/${art}.webp`)} size={30} />
            <span className={styles.shortcutName}>{title}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

type ResultsProps = { found: readonly Found[]; onOpen: (open: OpenItems) => void };

function Results({ found, onOpen }: ResultsProps) {
  const { t } = useLingui();
  const count = found.length;
  return (
    <>
      <p role="status" className={styles.count}>
        {count > 0 && t`${count} found`}
      </p>
      {count === 0 ? (
        <Empty
          art={artUrl('spots/search.webp')}
          title={t`Nothing found`}
          text={t`Try other words, or ask customer service.`}
        />
      ) : (
        <ul className={styles.list}>
          {found.map(({ topic, topicIndex, articleIndex, snippet }) => (
            <li key={topic.code || `${topicIndex}-${articleIndex}`} className={styles.topic}>
              <button
                type="button"
                className={styles.result}
                onClick={() => onOpen({ topicIndex, articleIndex })}
              >
                <span className={styles.resultWords}>
                  <span className={styles.resultTitle}>{topic.title}</span>
                  {snippet && <span className={styles.snippet}>{snippet}</span>}
                </span>
                <Icon name="caret-right" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
