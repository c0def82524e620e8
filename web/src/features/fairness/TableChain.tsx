import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { oneSeriesQuery, tableRoundsQuery, type RoundProof } from '../../api/fairness.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import type { SeriesCheck } from '../../lib/fairness-chain.ts';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { ChainSource } from './ChainSource.tsx';
import { ChainStep } from './ChainStep.tsx';
import { hexOf, type ChainPosition, type Values } from './values.ts';

export type TableChainProps = ChainPosition & {
  number: number;
  values: Values;
  check: SeriesCheck | null;
  onCheck: (check: SeriesCheck) => void;
};

/** Checks the seed of a table round against the published chain of its table. */
export function TableChain({ number, seriesId, link, values, check, onCheck }: TableChainProps) {
  const { t } = useLingui();
  const { data: series, error, refetch } = useQuery(oneSeriesQuery(seriesId));
  if (series) {
    return (
      <ChainStep
        number={number}
        series={series}
        seed={hexOf(values.seed)}
        link={link}
        clientSeed={values.clientSeed}
        name={series.name}
        check={check}
        onCheck={onCheck}
      >
        <ChainSource series={series} link={link} />
      </ChainStep>
    );
  }
  if (!error) return null;
  return (
    <li>
      <ErrorRetry
        title={t`The series could not be loaded.`}
        detail={describeError(error)}
        answered={wasAnswered(error)}
        onRetry={refetch}
      />
    </li>
  );
}

/** Finds the place of a ticket's round in the series of its table. Null for other rounds, and for old rounds without a series. */
export function useTicketPosition(round: RoundProof | undefined): ChainPosition | null {
  const ticket = round?.ticket;
  const { data } = useQuery({
    ...tableRoundsQuery(ticket?.table ?? '', (ticket?.number ?? 0) + 1),
    enabled: Boolean(ticket),
  });
  const found = data?.list.find(({ number }) => number === ticket?.number);
  return found?.seriesId ? { seriesId: found.seriesId, link: found.link } : null;
}
