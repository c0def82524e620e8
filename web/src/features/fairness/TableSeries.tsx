import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { tableRoundsQuery, tablesQuery } from '../../api/fairness.ts';
import type { components } from '../../api/schema.d.ts';
import { Link } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Chain } from './Chain.tsx';

import styles from './FairnessScreen.module.css';

type Table = components['schemas']['TableNameReply'];
type PastRound = components['schemas']['TablePastRoundReply'];

/** The published chain of each live table, and all its finished rounds, so that anyone can verify a round of others. */
export function TableSeries() {
  const { t } = useLingui();
  const query = useQuery(tablesQuery);
  return (
    <section className={styles.next}>
      <h2 className={styles.heading}>{t`Live tables`}</h2>
      <p className={styles.note}>
        {t`The seeds of a table are a hash chain. Its end was published before the first round, so no seed can be chosen later.`}
      </p>
      <QueryView
        query={query}
        className={styles.loaded}
        skeleton={<Skeleton shape="box" height={120} />}
      >
        {({ list }) => <Tables list={list} />}
      </QueryView>
    </section>
  );
}

function Tables({ list }: { list: readonly Table[] }) {
  const { t } = useLingui();
  const [chosen, setChosen] = useState('');
  const table = list.find(({ id }) => id === chosen) ?? list[0];
  if (!table) return null;
  return (
    <>
      <label className={styles.detail}>
        {t`Table`}{' '}
        <select value={table.id} onChange={(event) => setChosen(event.target.value)}>
          {list.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p className={styles.note}>
        {t`${table.finished} finished rounds, ${table.calledOff} of them called off (${table.rate} %)`}
      </p>
      <Chain kind="table" name={table.id} />
      <PastRounds key={table.id} table={table.id} />
    </>
  );
}

function PastRounds({ table }: { table: string }) {
  const { t } = useLingui();
  const [before, setBefore] = useState(0);
  const { data } = useQuery(tableRoundsQuery(table, before));
  if (!data) return null;
  return (
    <>
      <ol className={styles.steps}>
        {data.list.map((round) => (
          <li key={round.number} className={styles.detail}>
            <Link to={verifyPath(round)}>{t`Round ${round.number}`}</Link>
            {round.calledOff && ` · ${t`called off`}`}
          </li>
        ))}
      </ol>
      {data.next > 0 && (
        <Button variant="secondary" size="md" onPress={() => setBefore(data.next)}>
          {t`Older rounds`}
        </Button>
      )}
    </>
  );
}

/** The address of the verifier with a round's values. */
function verifyPath(round: PastRound): string {
  const { engine, version, commitment, seed, clientSeed, number, seriesId, link } = round;
  const query = new URLSearchParams({
    engine,
    version: String(version),
    commitment,
    seed: seed ?? '',
    clientSeed,
    nonce: String(number),
    ...(seriesId && { seriesId, link: String(link) }),
  });
  return `/m/fairness?${query}`;
}
