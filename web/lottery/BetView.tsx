import { useLingui } from '@lingui/react/macro';
import type { SetStateAction } from 'react';

import type { Loaded } from '../src/lib/useLoad.ts';
import { Amount } from '../src/ui/Amount.tsx';
import { Button } from '../src/ui/Button.tsx';
import { Chips } from '../src/ui/display/Chips.tsx';
import { QueryView } from '../src/ui/display/QueryView.tsx';
import { Skeleton } from '../src/ui/Skeleton.tsx';
import { toast } from '../src/ui/toastStore.ts';
import type { BetDraft } from './bet-draft.ts';
import { addTickets, maxTickets, useCart, type Ticket } from './cart.ts';
import { useGameContext, useTranslate } from './context.ts';
import { Dock } from './Dock.tsx';
import { PasteButton } from './PasteButton.tsx';
import { Picker, formatOdds } from './Picker.tsx';
import { countLines, randomPicks, selectionOf, type Picks } from './picks.ts';
import { playName, playRule } from './play-texts.ts';
import { amountText, costOf, oddsRange, payoutOf } from './price.ts';
import { SavedButton } from './SavedButton.tsx';
import { isValidStake } from './stake.ts';
import { StakeChooser } from './StakeChooser.tsx';
import type { Numero, Play } from './wire.ts';

import styles from './BetView.module.css';

export type BetViewProps = {
  plays: Loaded<Play[]>;
  numero: Numero;
  isOpen: boolean;
  draft: BetDraft;
  onDraft: (change: SetStateAction<BetDraft>) => void;
};

/** Shows the picker of a play, and the dock with the cart. */
export function BetView({ plays, ...props }: BetViewProps) {
  return (
    <QueryView query={plays} skeleton={<Skeleton shape="box" height={320} />}>
      {(list) => <LoadedBetView plays={list} {...props} />}
    </QueryView>
  );
}

function LoadedBetView({
  plays,
  numero,
  isOpen,
  draft,
  onDraft,
}: Omit<BetViewProps, 'plays'> & { plays: readonly Play[] }) {
  const { t } = useLingui();
  const translate = useTranslate();
  const { game, decimals, playType } = useGameContext();
  const { multiple } = draft;
  const play = plays.find(({ playCode }) => playCode === draft.playCode) ?? plays[0];
  if (!play) return <p>{t`This game has no bets now.`}</p>;

  const { playCode } = play;
  const picks = draft.picks[playCode] ?? {};
  const setPicks = (next: Picks) =>
    onDraft((old) => ({ ...old, picks: { ...old.picks, [playCode]: next } }));
  const setMultiple = (next: number) => onDraft((old) => ({ ...old, multiple: next }));
  const lines = countLines(play, picks);
  const isTooMany = lines > play.stake.maxLines;
  const allowedLines = isTooMany ? 0 : lines;
  const choice = draft.stakes[playCode] ?? { stake: play.stake.min, typed: null };
  const { stake } = choice;
  const problem = isValidStake(play, choice, decimals) ? null : t`Check the stake`;
  const selection = lines > 0 && !isTooMany ? selectionOf(play, picks) : '';

  const ticketOf = (
    part: Pick<Ticket, 'selection' | 'lines' | 'multiple'>,
  ): Omit<Ticket, 'id'> => ({
    ...part,
    playCode,
    playType,
    prizes: play.prizes,
    stake,
    ...(play.odds !== undefined && { odds: play.odds }),
  });

  /** Adds tickets, or returns why they cannot be added. */
  function add(parts: readonly Pick<Ticket, 'selection' | 'lines' | 'multiple'>[]): string | null {
    if (problem !== null) return problem;
    if (addTickets(parts.map(ticketOf), numero.closeTime)) return null;
    return useCart.getState().pending
      ? t`The server has not answered. Check the order: it counts once only.`
      : t`The cart holds at most ${maxTickets} tickets`;
  }

  /** Adds a ticket and reports whether it was added. Otherwise it shows why not. */
  function addOne(part: Parameters<typeof add>[0][number]): boolean {
    const refusal = add([part]);
    if (refusal !== null) toast.error(refusal);
    return refusal === null;
  }

  return (
    <div className={styles.view}>
      <Chips
        label={t`Bets`}
        options={plays.map(({ playCode: code }) => ({
          value: code,
          label: translate(playName(game.type, code)),
        }))}
        value={playCode}
        onChange={(next) => onDraft((old) => ({ ...old, playCode: next }))}
        className={styles.tabs}
      />
      <PlayInfo play={play} stake={stake} multiple={multiple} selection={selection} />
      <div className={styles.tools}>
        <Button variant="outline" size="sm" onPress={() => setPicks(randomPicks(play))}>
          {t`Random`}
        </Button>
        <PasteButton play={play} disabled={problem !== null} onPaste={add} />
        <SavedButton
          play={play}
          selection={selection}
          onUse={(saved) => {
            if (addOne({ ...saved, multiple })) toast.success(t`Added to the cart`);
          }}
        />
        <Button
          variant="text"
          size="sm"
          disabled={lines === 0}
          onPress={() => setPicks({})}
        >{t`Clear`}</Button>
      </div>
      <Picker play={play} picks={picks} onChange={setPicks} disabled={!isOpen} />
      <StakeChooser
        play={play}
        choice={choice}
        onChange={(next) =>
          onDraft((old) => ({ ...old, stakes: { ...old.stakes, [playCode]: next } }))
        }
      />
      {isTooMany && (
        <p role="alert" className={styles.error}>
          {t`A bet can have at most ${play.stake.maxLines} lines. You have chosen ${lines}.`}
        </p>
      )}
      <Dock
        numero={numero}
        isOpen={isOpen}
        lines={allowedLines}
        cost={amountText(
          costOf([{ lines: allowedLines, stake, multiple, prizes: play.prizes }], decimals),
          decimals,
        )}
        problem={problem}
        multiple={multiple}
        onMultiple={setMultiple}
        onAdd={() => {
          if (!addOne({ selection, lines, multiple })) return;
          setPicks({});
          setMultiple(1);
        }}
      />
    </div>
  );
}

type PlayInfoProps = { play: Play; stake: number; multiple: number; selection: string };

/** Shows when the play wins, what a line costs, and what a win returns. */
function PlayInfo({ play, stake, multiple, selection }: PlayInfoProps) {
  const { t, i18n } = useLingui();
  const translate = useTranslate();
  const { game, currency, decimals } = useGameContext();
  const rule = playRule(game.type, play.playCode);
  const range = oddsRange(play, selection);
  return (
    <div className={styles.info}>
      {rule && <p className={styles.rule}>{translate(rule)}</p>}
      {range && (
        <p className={styles.price}>
          {t`A line costs`}{' '}
          <Amount
            value={amountText(
              costOf([{ lines: 1, stake, multiple, prizes: play.prizes }], decimals),
              decimals,
            )}
            currency={currency}
            decimals="needed"
          />
          {' · '}
          {range.low !== range.high
            ? t`a win returns up to`
            : play.prizes > 1
              ? t`each hit returns`
              : t`a win returns`}{' '}
          <b>
            <Amount
              value={amountText(payoutOf(stake, multiple, range.high, decimals), decimals)}
              currency={currency}
              decimals="needed"
            />
          </b>{' '}
          <bdi dir="ltr">(× {formatOdds(range.high, i18n.locale)})</bdi>
        </p>
      )}
    </div>
  );
}
