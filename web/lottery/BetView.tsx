import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { Amount } from '../src/ui/Amount.tsx';
import { Button } from '../src/ui/Button.tsx';
import { Chips } from '../src/ui/display/Chips.tsx';
import { QueryView } from '../src/ui/display/QueryView.tsx';
import { Skeleton } from '../src/ui/Skeleton.tsx';
import { toast } from '../src/ui/toastStore.ts';
import { addTickets, maxTickets, type Ticket } from './cart.ts';
import { useGameContext, useTranslate } from './context.ts';
import { Dock } from './Dock.tsx';
import { PasteButton } from './PasteButton.tsx';
import { Picker, trimOdds } from './Picker.tsx';
import { countLines, randomPicks, selectionOf, type Picks } from './picks.ts';
import { playName, playRule } from './play-texts.ts';
import { amountText, costOf, oddsRange, payoutOf } from './price.ts';
import { SavedButton } from './SavedButton.tsx';
import { StakeChooser } from './StakeChooser.tsx';
import type { Loaded } from './useLoad.ts';
import type { Numero, Play } from './wire.ts';

import styles from './BetView.module.css';

export type BetViewProps = {
  plays: Loaded<Play[]>;
  numero: Numero;
  isOpen: boolean;
};

/** Shows the picker of a play, and the dock with the cart. */
export function BetView({ plays, numero, isOpen }: BetViewProps) {
  return (
    <QueryView query={plays} skeleton={<Skeleton shape="box" height={320} />}>
      {(list) => <LoadedBetView plays={list} numero={numero} isOpen={isOpen} />}
    </QueryView>
  );
}

function LoadedBetView({
  plays,
  numero,
  isOpen,
}: Omit<BetViewProps, 'plays'> & { plays: readonly Play[] }) {
  const { t } = useLingui();
  const translate = useTranslate();
  const { game, decimals, playType } = useGameContext();
  const [code, setCode] = useState(plays[0]?.playCode);
  const [picksByPlay, setPicksByPlay] = useState<Readonly<Record<string, Picks>>>({});
  const [stakes, setStakes] = useState<Readonly<Record<string, number>>>({});
  const [multiple, setMultiple] = useState(1);
  const play = plays.find(({ playCode }) => playCode === code) ?? plays[0];
  if (!play) return <p>{t`This game has no bets now.`}</p>;

  const picks = picksByPlay[play.playCode] ?? {};
  const setPicks = (next: Picks) => setPicksByPlay({ ...picksByPlay, [play.playCode]: next });
  const lines = countLines(play, picks);
  const isTooMany = lines > play.stake.maxLines;
  const stake = stakes[play.playCode] ?? play.stake.min;
  const selection = lines > 0 && !isTooMany ? selectionOf(play, picks) : '';

  const ticketOf = (
    part: Pick<Ticket, 'selection' | 'lines' | 'multiple'>,
  ): Omit<Ticket, 'id'> => ({
    ...part,
    playCode: play.playCode,
    playType,
    prizes: play.prizes,
    stake,
    ...(play.odds !== undefined && { odds: play.odds }),
  });

  function add(parts: readonly Pick<Ticket, 'selection' | 'lines' | 'multiple'>[]): boolean {
    if (addTickets(parts.map(ticketOf), numero.closeTime)) return true;
    toast.error(t`The cart holds at most ${maxTickets} tickets`);
    return false;
  }

  return (
    <div className={styles.view}>
      <Chips
        label={t`Bets`}
        options={plays.map(({ playCode }) => ({
          value: playCode,
          label: translate(playName(game.type, playCode)),
        }))}
        value={play.playCode}
        onChange={setCode}
        className={styles.tabs}
      />
      <PlayInfo play={play} stake={stake} multiple={multiple} selection={selection} />
      <div className={styles.tools}>
        <Button variant="outline" size="sm" onPress={() => setPicks(randomPicks(play))}>
          {t`Random`}
        </Button>
        <PasteButton play={play} onPaste={add} />
        <SavedButton
          play={play}
          selection={selection}
          onUse={(saved) => {
            if (add([{ ...saved, multiple }])) toast.success(t`Added to the cart`);
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
        stake={stake}
        onChange={(next) => setStakes({ ...stakes, [play.playCode]: next })}
      />
      {isTooMany && (
        <p role="alert" className={styles.error}>
          {t`A bet can have at most ${play.stake.maxLines} lines. You have chosen ${lines}.`}
        </p>
      )}
      <Dock
        numero={numero}
        isOpen={isOpen}
        lines={isTooMany ? 0 : lines}
        cost={amountText(
          costOf([{ lines, stake, multiple, prizes: play.prizes }], decimals),
          decimals,
        )}
        multiple={multiple}
        onMultiple={setMultiple}
        onAdd={() => {
          if (!add([{ selection, lines, multiple }])) return;
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
  const { t } = useLingui();
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
          <bdi dir="ltr">(× {trimOdds(range.high)})</bdi>
        </p>
      )}
    </div>
  );
}
