import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Accordion } from '../../ui/display/Accordion.tsx';
import { BarChart, ChartFigure, LineChart } from '../../ui/display/chart/Chart.tsx';
import { MessageList } from '../../ui/display/MessageList.tsx';
import { PagedList } from '../../ui/display/PagedList.tsx';
import { QueryView, type QueryViewProps } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Piece, Section } from './Section.tsx';

import styles from './Gallery.module.css';

/** Components that show loaded data. */
export function ViewSection() {
  return (
    <Section title="Pieces of lists and messages">
      <div className={styles.stack}>
        <Piece name="QueryView">
          <Queries />
        </Piece>
        <Piece name="PagedList">
          <List name="loading" />
          <List name="failed" />
          <List name="empty" />
          <List name="loaded" />
          <List name="second page failed" />
        </Piece>
        <Piece name="MessageList">
          <Messages isLoading={false} />
          <Messages isLoading />
        </Piece>
        <Piece name="Accordion">
          <Questions />
        </Piece>
        <Piece name="BarChart">
          <BarChart {...chart} label="Won and lost by day" times={times} series={wonAndLost} />
          <BarChart {...chart} label="Without data" times={[]} series={empty(wonAndLost)} />
        </Piece>
        <Piece name="LineChart">
          <LineChart {...chart} label="Balance by day" times={times} series={balance} />
          <LineChart {...chart} label="Without data" times={[]} series={empty(balance)} />
          <ChartFigure
            {...chart}
            label="Its code was not loaded"
            times={times}
            series={balance}
            plot={null}
          />
        </Piece>
      </div>
    </Section>
  );
}

const never = () => new Promise<never>(() => {});

type Query = QueryViewProps<string[]>['query'];

const loading: Query = { data: undefined, error: null, isFetching: true, refetch: never };
const queries: readonly Query[] = [
  loading,
  { ...loading, error: new Error('lost'), isFetching: false },
  { ...loading, data: [], isFetching: false },
  { ...loading, data: ['One', 'Two'], isFetching: false },
];

const Queries = () =>
  queries.map((query, index) => (
    <QueryView
      // oxlint-disable-next-line react/no-array-index-key -- the list never changes
      key={index}
      query={query}
      skeleton={<Skeleton shape="box" height={60} />}
      isEmpty={(names) => names.length === 0}
      empty={<Empty icon="ticket" title="No names" />}
    >
      {(names) => <p className={styles.card}>{names.join(', ')}</p>}
    </QueryView>
  ));

type Page = { rows: readonly string[]; next: number | null };
type ListName = 'loading' | 'failed' | 'empty' | 'loaded' | 'second page failed';

async function loadPage(name: ListName, page: number): Promise<Page> {
  if (name === 'loading') return never();
  if (name === 'failed' || (name === 'second page failed' && page === 2)) throw new Error('lost');
  if (name === 'empty') return { rows: [], next: null };
  return { rows: [`Row 1 of page ${page}`, `Row 2 of page ${page}`], next: page === 1 ? 2 : null };
}

const pagesOf = (name: ListName) =>
  infiniteQueryOptions({
    queryKey: ['gallery', name],
    queryFn: ({ pageParam }) => loadPage(name, pageParam),
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next,
    networkMode: 'always',
    retry: false,
  });

function List({ name }: { name: ListName }) {
  const query = useInfiniteQuery(pagesOf(name));
  return (
    <PagedList
      query={query}
      label={`Rows, ${name}`}
      rowsOf={rowsOf}
      keyOf={keyOf}
      renderRow={(row) => <p className={styles.card}>{row}</p>}
      skeleton={<Skeleton shape="box" height={20} />}
      empty={<Empty icon="ticket" title="No rows" />}
      end="That is all"
    />
  );
}

const rowsOf = ({ rows }: Page) => rows;
const keyOf = (row: string) => row;

function Messages({ isLoading }: { isLoading: boolean }) {
  return (
    <MessageList
      label={isLoading ? 'Conversation, loading older messages' : 'Conversation'}
      className={styles.log}
      newest={3}
      older={{ label: 'Earlier messages', isLoading, onLoad: () => {} }}
    >
      {['Good morning', 'How can we help?', 'My deposit is missing'].map((text) => (
        <li key={text}>{text}</li>
      ))}
    </MessageList>
  );
}

function Questions() {
  const [open, setOpen] = useState<string | null>('a');
  const [part, setPart] = useState<string | null>('a');
  return (
    <Accordion
      level={2}
      open={open}
      onOpen={setOpen}
      items={[
        {
          key: 'a',
          mark: 1,
          title: 'Deposits',
          content: (
            <Accordion
              level={3}
              open={part}
              onOpen={setPart}
              items={[
                {
                  key: 'a',
                  mark: '1.1',
                  title: 'How long does it take?',
                  content: 'Five minutes.',
                },
                { key: 'b', mark: '1.2', title: 'What does it cost?', content: 'Nothing.' },
              ]}
            />
          ),
        },
        { key: 'b', mark: 2, title: 'Withdrawals', content: 'They take an hour.' },
      ]}
    />
  );
}

const day = 86_400_000;
const times = Array.from({ length: 7 }, (_, i) => 1_763_000_000_000 + i * day);
const wonAndLost = [
  { label: 'Won', color: 'ok', values: [3, 5, 2, 8, 6, null, 4] },
  { label: 'Lost', color: 'bad', values: [-2, -4, -1, -6, -3, null, -5] },
] as const;
const balance = [{ label: 'Balance', color: 'accent', values: [1, 3, 2, 5, 8, 7, 9] }] as const;

const empty = (series: typeof wonAndLost | typeof balance) =>
  series.map((line) => ({ ...line, values: [] }));

const chart = {
  formatValue: String,
  formatTime: (at: number) => new Date(at).toISOString().slice(5, 10),
};
