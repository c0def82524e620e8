import { useLingui } from '@lingui/react/macro';
import { useEffect, useMemo, useRef, useState, type SetStateAction } from 'react';

import { describeError, wasAnswered } from '../src/i18n/api-error.ts';
import type { Currency } from '../src/lib/currency.ts';
import { formatMoney } from '../src/lib/money.ts';
import { shortNumero } from '../src/lib/numero.ts';
import { useLoad } from '../src/lib/useLoad.ts';
import { Chips } from '../src/ui/display/Chips.tsx';
import { ErrorRetry } from '../src/ui/ErrorRetry.tsx';
import { IconButton } from '../src/ui/IconButton.tsx';
import { lazyPopup } from '../src/ui/lazyPopup.tsx';
import { Segmented } from '../src/ui/Segmented.tsx';
import { Skeleton } from '../src/ui/Skeleton.tsx';
import { toast } from '../src/ui/toastStore.ts';
import { lottery } from './api.ts';
import { emptyDrafts, type BetDraft } from './bet-draft.ts';
import { BetView } from './BetView.tsx';
import { sendToApp } from './bridge.ts';
import { openCart, renewOdds, useCart } from './cart.ts';
import { phaseOf, useServerNow } from './clock.ts';
import { GameContextProvider } from './context.ts';
import { useSettled } from './followed.ts';
import { LastDraw, LastPrizes } from './LastDraw.tsx';
import { MyBets } from './MyBets.tsx';
import { decimalsOf, percentOf } from './price.ts';
import { ResultsView } from './ResultsView.tsx';
import { RulesView } from './RulesView.tsx';
import { StatsView } from './StatsView.tsx';
import { useNumero, useResults } from './useNumero.ts';
import type { Draw, Game, Numero, Play, PlayType } from './wire.ts';

import styles from './GamePage.module.css';

const ProofPanel = lazyPopup(() => import('./ProofPanel.tsx'));

type View = 'bet' | 'results' | 'stats' | 'mine' | 'rules';

export type GamePageProps = {
  game: Game;
  currency: Currency;
  playType: PlayType;
  prizeMode: string;
  /** Returns to the list of games. Absent if the page was opened for one game. */
  onBack?: (() => void) | undefined;
};

/** Shows one game: bets, results, statistics, the player's bets and the rules. */
export function GamePage(props: GamePageProps) {
  const { game, currency, onBack } = props;
  const { t, i18n } = useLingui();
  const [view, setView] = useState<View>('bet');
  const [playType, setPlayType] = useState(props.playType);
  const [chosenMode, setPrizeMode] = useState(props.prizeMode);
  const chosen = useRef(props.prizeMode);
  const [drafts, setDrafts] = useState(emptyDrafts);
  const [proof, setProof] = useState<Draw | null>(null);
  const prizeMode = game.prizeModes.includes(chosenMode) ? chosenMode : (game.prizeModes[0] ?? '');
  const { numero, error, refresh } = useNumero(game.gameId);
  const results = useResults(game.gameId, game.type, numero);
  const plays = useLoad(`${game.gameId} ${playType} ${prizeMode} ${i18n.locale}`, () =>
    lottery.plays(game.gameId, playType, prizeMode),
  );
  const setDraft = (change: SetStateAction<BetDraft>) =>
    setDrafts((old) => ({
      ...old,
      [playType]: typeof change === 'function' ? change(old[playType]) : change,
    }));
  const choosePrizeMode = (mode: string) => {
    setPrizeMode(mode);
    // Without a response the server refuses the tickets' odds, and the cart loads them then.
    chosen.current = mode;
    lottery.plays(game.gameId, 'trad', mode).then(
      // oxlint-disable-next-line promise/always-return -- nothing follows
      (list) => {
        if (chosen.current === mode) renewOdds(list);
      },
      () => {},
    );
  };
  const isOpen = useIsOpen(numero);
  const hasCart = useCart(({ gameId }) => gameId === game.gameId);
  const last = results.draws?.[0];

  useEffect(() => openCart(game.gameId), [game.gameId]);
  useSendReady(game, plays.data);
  useNewNumeroToast(numero);

  const [settledCount, setSettledCount] = useState(0);
  useSettled(game.gameId, results.draws, ({ numero: id, stake, payout, order, isVoid }) => {
    setSettledCount((count) => count + 1);
    const money = formatMoney(payout, { currency, language: i18n.locale, decimals: 'needed' });
    const draw = shortNumero(id);
    if (isVoid) toast.show(t`Draw ${draw} is void. Your stake was returned.`, { long: true });
    else if (payout > 0) toast.show(t`Draw ${draw}: ${money} returned`, { long: true });
    else toast.show(t`Draw ${draw}: no win this time`);
    sendToApp({ type: 'round', roundId: `${order.orderId}:${id}`, stake, win: payout });
  });

  const context = useMemo(
    () => ({ game, currency, decimals: decimalsOf(currency), prizeMode, playType }),
    [game, currency, prizeMode, playType],
  );

  return (
    <GameContextProvider value={context}>
      <main aria-label={game.gameName} className={styles.page} data-play-type={playType}>
        <div className={styles.bar}>
          {onBack && <IconButton icon="caret-left" label={t`All games`} onPress={onBack} />}
          <h1 className={styles.title}>
            <bdi>{game.gameName}</bdi>
          </h1>
          <Segmented
            size="sm"
            label={t`Play type`}
            options={[
              { value: 'ent', label: t`Simple` },
              { value: 'trad', label: t`All bets` },
            ]}
            value={playType}
            onChange={setPlayType}
            className={styles.types}
          />
        </div>
        {error && (
          <ErrorRetry
            detail={describeError(error)}
            answered={wasAnswered(error)}
            onRetry={refresh}
          />
        )}
        {numero ? (
          <LastDraw numero={numero} results={results} onProof={setProof} />
        ) : (
          !error && <Skeleton shape="box" height={114} />
        )}
        <Chips
          label={t`Sections`}
          options={[
            { value: 'bet', label: t`Bet` },
            { value: 'mine', label: t`My bets` },
            { value: 'results', label: t`Results` },
            { value: 'stats', label: t`Statistics` },
            { value: 'rules', label: t`Rules` },
          ]}
          value={view}
          onChange={setView}
          className={styles.sections}
        />
        {view === 'bet' && numero && hasCart && (
          <>
            {game.type === 'regional' && last && <LastPrizes draw={last} />}
            <BetView
              // The other play type has other plays.
              key={playType}
              plays={plays}
              numero={numero}
              isOpen={isOpen}
              draft={drafts[playType]}
              onDraft={setDraft}
            />
          </>
        )}
        {view === 'mine' && <MyBets version={`${last?.numero ?? ''} ${settledCount}`} />}
        {view === 'results' && <ResultsView version={last?.numero ?? ''} onProof={setProof} />}
        {view === 'stats' && <StatsView plays={plays} version={last?.numero ?? ''} />}
        {view === 'rules' && <RulesView prizeMode={prizeMode} onPrizeMode={choosePrizeMode} />}
        <ProofPanel open={proof?.proof !== undefined} onClose={() => setProof(null)} draw={proof} />
      </main>
    </GameContextProvider>
  );
}

function useIsOpen(numero: Numero | null): boolean {
  const now = useServerNow();
  return numero !== null && numero.status === 'open' && phaseOf(numero, now) === 'open';
}

/** Reports to the app that the game is ready, with its name and its return. */
function useSendReady(game: Game, plays: readonly Play[] | undefined): void {
  const isLoaded = plays !== undefined;
  const returns = (plays ?? [])
    .flatMap(({ rtp, outcomes }) => [rtp, ...(outcomes ?? []).map((outcome) => outcome.rtp)])
    .filter((rtp) => rtp !== undefined)
    .toSorted();
  const [low] = returns;
  const high = returns.at(-1);
  const rtp =
    low === undefined || high === undefined
      ? null
      : low === high
        ? percentOf(low)
        : `${percentOf(low)}-${percentOf(high)}`;
  useEffect(() => {
    if (!isLoaded) return;
    const { gameName: title, gameCode } = game;
    const engine = gameCode.slice(0, 40);
    sendToApp({ type: 'ready', title, engine, rtp, provable: false, backdrop: null });
  }, [game, isLoaded, rtp]);
}

/** After a draw, informs the player that tickets in the cart are now for the next draw. */
function useNewNumeroToast(numero: Numero | null): void {
  const { t } = useLingui();
  const lastId = useRef<string | null>(null);
  const id = numero?.numero ?? null;
  const name = id && shortNumero(id);
  useEffect(() => {
    const previous = lastId.current;
    if (id === null || id === previous) return;
    lastId.current = id;
    const { tickets, pending } = useCart.getState();
    if (previous === null || tickets.length === 0 || pending) return;
    useCart.setState({ closeTime: numero?.closeTime ?? 0 });
    toast.show(t`Your tickets are now for draw ${name}`);
  }, [id, name, numero, t]);
}
