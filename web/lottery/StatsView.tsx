import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { useLoad, type Loaded } from '../src/lib/useLoad.ts';
import { Chips } from '../src/ui/display/Chips.tsx';
import { QueryView } from '../src/ui/display/QueryView.tsx';
import { Empty } from '../src/ui/Empty.tsx';
import { Skeleton } from '../src/ui/Skeleton.tsx';
import { lottery } from './api.ts';
import { useGameContext, useTranslate } from './context.ts';
import { entryText, playName } from './play-texts.ts';
import type { Play, Stats } from './wire.ts';

import styles from './StatsView.module.css';

export type StatsViewProps = { plays: Loaded<Play[]>; version: string };

/** Shows how often and how long ago each number was drawn. */
export function StatsView({ plays, version }: StatsViewProps) {
  return (
    <QueryView query={plays} skeleton={<Skeleton shape="box" height={320} />}>
      {(list) => <LoadedStatsView plays={list} version={version} />}
    </QueryView>
  );
}

function LoadedStatsView({ plays, version }: { plays: readonly Play[]; version: string }) {
  const { t } = useLingui();
  const translate = useTranslate();
  const { game } = useGameContext();
  const [chosen, setCode] = useState('');
  // The other play type may not have the chosen play.
  const play = plays.find(({ playCode }) => playCode === chosen) ?? plays[0];
  const code = play?.playCode ?? '';
  const stats = useLoad(`${game.gameId} ${code} ${version}`, () =>
    lottery.stats(game.gameId, code),
  );
  return (
    <div className={styles.view}>
      <p className={styles.note}>
        {t`This is history, not a forecast. Draws are independent: no number is due.`}
      </p>
      <Chips
        label={t`Bets`}
        options={plays.map(({ playCode }) => ({
          value: playCode,
          label: translate(playName(game.type, playCode)),
        }))}
        value={code}
        onChange={setCode}
      />
      <QueryView
        query={stats}
        skeleton={<Skeleton shape="box" height={320} />}
        isEmpty={({ draws }) => draws === 0}
        empty={<Empty icon="clock" title={t`No draw yet`} />}
      >
        {(data) => <StatsTable stats={data} />}
      </QueryView>
    </div>
  );
}

const maxRows = 200;

function StatsTable({ stats }: { stats: Stats }) {
  const { t } = useLingui();
  const translate = useTranslate();
  const [order, setOrder] = useState<'number' | 'times' | 'omission'>('number');
  const maxTimes = Math.max(1, ...stats.numbers.map(({ times }) => times));
  const sorted =
    order === 'number' ? stats.numbers : stats.numbers.toSorted((a, b) => b[order] - a[order]);
  return (
    <>
      <Chips
        label={t`Order`}
        options={[
          { value: 'number', label: t`By number` },
          { value: 'times', label: t`Most often` },
          { value: 'omission', label: t`Longest ago` },
        ]}
        value={order}
        onChange={setOrder}
      />
      <table className={styles.table}>
        <caption>{t`The last ${stats.draws} draws`}</caption>
        <thead>
          <tr>
            <th scope="col">{t`Number`}</th>
            <th scope="col">{t`Times`}</th>
            <th scope="col">{t`Draws ago`}</th>
            <th scope="col">{t`Longest gap`}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, maxRows).map(({ number, times, omission, longest }) => (
            <tr key={number}>
              <th scope="row">
                <bdi>{entryText(number, translate)}</bdi>
              </th>
              <td>
                <span className={styles.times}>
                  <span
                    className={styles.bar}
                    style={{ inlineSize: `${(60 * times) / maxTimes}%` }}
                  />
                  {times}
                </span>
              </td>
              <td>{omission}</td>
              <td>{longest}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
