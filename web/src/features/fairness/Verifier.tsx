import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { engineQuery, tableEngineQuery, type RoundProof } from '../../api/fairness.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { copyText } from '../../lib/clipboard.ts';
import { formatTime } from '../../lib/dates.ts';
import type { SeriesCheck } from '../../lib/fairness-chain.ts';
import { findPromise } from '../../lib/round-promise.ts';
import { Button } from '../../ui/Button.tsx';
import { Hex } from '../../ui/display/Hex.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { toast } from '../../ui/toastStore.ts';
import { DealtResult } from './DealtResult.tsx';
import { EngineChoice } from './EngineChoice.tsx';
import { isTable } from './engines.ts';
import { Reels } from './Reels.tsx';
import { RoundCard } from './RoundCard.tsx';
import { Status } from './Status.tsx';
import { Note, Step } from './Step.tsx';
import { TableChain, useTicketPosition } from './TableChain.tsx';
import { ValueFields } from './ValueFields.tsx';
import { valuesAsText, hexOf, type ChainPosition, type Values } from './values.ts';
import { resultsOf, invalidFields, verify, verifyTable, type Verdict } from './verify.ts';

import styles from './FairnessScreen.module.css';

export type VerifierProps = {
  values: Values;
  /** The rules of the round; without a round, the member can choose them. */
  engine: { name: string; version: number };
  round?: RoundProof;
  /** The place of the seed in its series, from a link to a table round. */
  position?: ChainPosition | null;
};

export function Verifier(props: VerifierProps) {
  const { values: initialValues, engine: initialEngine, round, position = null } = props;
  const { t, i18n } = useLingui();
  const [values, setValues] = useState(initialValues);
  const [isManual, setIsManual] = useState(round === undefined);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [submitted, setSubmitted] = useState(false);
  const [{ name, version }, setEngine] = useState(initialEngine);
  const [seriesCheck, setSeriesCheck] = useState<SeriesCheck | null>(null);
  const atTable = isTable(name);
  const ticketPosition = useTicketPosition(round);
  const chain = atTable ? (position ?? ticketPosition) : null;
  const reels = useQuery({ ...engineQuery(name, version), enabled: !atTable });
  const latest = useQuery({ ...engineQuery(name), enabled: !atTable && !round });
  const table = useQuery({
    ...tableEngineQuery(name, version),
    enabled: atTable && round !== undefined,
  });
  const engine = atTable ? table : reels;
  const { decimals } = useCurrencyOf(round?.currency);
  const machine = reels.data;
  const spots = table.data?.spots;
  const invalid = invalidFields(values);
  const isValid = invalid.length === 0;

  useEffect(() => {
    if (!isValid) return;
    let current = true;
    async function work(): Promise<void> {
      let result: Verdict | null = null;
      if (!atTable) result = machine ? await verify(machine, values, round, decimals) : null;
      else if (!round) result = await verifyTable(name, values, null);
      else if (spots) result = await verifyTable(name, values, { spots, round, decimals });
      if (current) setVerdict(result);
    }
    work().catch(() => current && setVerdict(null));
    return () => {
      current = false;
    };
  }, [name, atTable, machine, spots, values, round, decimals, isValid]);

  const shown = isValid ? verdict : null;
  const shownCheck = chain && shown ? seriesCheck : null;
  const broken = round ? (findPromise(round.roundId, round)?.broken ?? null) : null;
  const published = round ? formatTime(round.publishedAt, i18n.locale) : '';

  async function copy(): Promise<void> {
    const computed = shown && { block: shown.block, results: resultsOf(shown) };
    const rules = machine ? `${name} ${machine.version}` : name;
    if (await copyText(valuesAsText(values, rules, computed))) toast.success(t`Copied`);
    else toast.error(t`This browser does not let us copy`);
  }

  return (
    <>
      <Status
        verdict={shown}
        engineFailed={engine.isError}
        seriesCheck={chain && (shownCheck ?? 'pending')}
        broken={broken}
        nonce={values.nonce}
      />
      {engine.error && !engine.data && (
        <ErrorRetry
          detail={describeError(engine.error)}
          answered={wasAnswered(engine.error)}
          onRetry={engine.refetch}
        />
      )}
      {round && <RoundCard round={round} />}
      {!round && (
        <EngineChoice
          name={name}
          version={machine?.version ?? version}
          versions={latest.data?.version ?? 1}
          onChange={(chosen) => {
            setEngine(chosen);
            // The result for other rules does not apply.
            setVerdict(null);
            setSeriesCheck(null);
          }}
        />
      )}
      {isManual ? (
        <ValueFields
          values={values}
          atTable={atTable}
          invalid={submitted ? invalid : []}
          onChange={(changed) => {
            setValues(changed);
            setSeriesCheck(null);
          }}
        />
      ) : (
        <ol className={styles.steps}>
          <Step
            number={1}
            title={t`Promised before the round`}
            note={published && <Note icon="lock-key">{t`published ${published}`}</Note>}
          >
            <Hex value={hexOf(values.commitment)} label={t`Commitment`} />
          </Step>
          <Step
            number={2}
            title={t`The server’s seed, revealed`}
            note={
              shown && (
                <Note
                  icon={shown.commitmentMatches ? 'check-circle-fill' : 'x-circle-fill'}
                  bad={!shown.commitmentMatches}
                >
                  {shown.commitmentMatches ? t`SHA-256 = promise` : t`SHA-256 differs`}
                </Note>
              )
            }
          >
            <Hex value={hexOf(values.seed)} label={t`Server seed`} />
          </Step>
          <Step
            number={3}
            title={
              atTable
                ? t`The table and the number of the round`
                : t`Your seed and the number of the round`
            }
          >
            <div className={styles.pair}>
              <Hex
                value={values.clientSeed}
                label={atTable ? t`Name of the table` : t`Your seed`}
                plain
              />
              <Hex value={values.nonce} label={t`Number (nonce)`} plain />
            </div>
          </Step>
        </ol>
      )}
      {shown && (
        <ol className={styles.steps} start={4}>
          <Step
            number={4}
            title={t`Worked out again`}
            note={
              shown.matchesRound !== null && (
                <Note
                  icon={shown.matchesRound ? 'check-circle-fill' : 'x-circle-fill'}
                  bad={!shown.matchesRound}
                >
                  {shown.matchesRound ? t`same as the round` : t`not the round that was played`}
                </Note>
              )
            }
          >
            <Hex value={shown.block} label={t`First block`} />
            <p className={styles.formula}>
              <bdi dir="ltr">
                HMAC-SHA256(seed, {values.clientSeed}:{values.nonce}:0)
              </bdi>
            </p>
            {machine && shown.outcome && (
              <Reels machine={machine} outcome={shown.outcome} theme={round?.theme ?? ''} />
            )}
            {shown.dealt && <DealtResult dealt={shown.dealt} />}
          </Step>
          {chain && (
            <TableChain
              key={`${values.seed} ${values.clientSeed}`}
              number={5}
              {...chain}
              values={values}
              check={shownCheck}
              onCheck={setSeriesCheck}
            />
          )}
        </ol>
      )}
      <div className={styles.dock}>
        <Button variant="secondary" icon="copy" onPress={() => void copy()}>
          {t`Copy all`}
        </Button>
        <Button
          icon="arrows-clockwise"
          onPress={() => {
            setSubmitted(true);
            // A new object runs the verification again.
            setValues({ ...values });
          }}
        >
          {t`Check`}
        </Button>
      </div>
      {!isManual && (
        <Button variant="text" size="md" onPress={() => setIsManual(true)}>
          {t`Change the values by hand`}
        </Button>
      )}
      <p className={styles.note}>{t`All of this is worked out on your device. Nothing is sent.`}</p>
    </>
  );
}
