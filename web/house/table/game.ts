// The controller of a live table. It follows the table, sends stakes and shows results. The server decides times and results.
import { t } from '@lingui/core/macro';

import { type Api, retryUntilKnown, RefusedError } from '../kit/api.ts';
import { listenToApp, type Settings, sendToApp } from '../kit/bridge.ts';
import { presentationOf } from '../kit/celebrate.ts';
import { countUp } from '../kit/count-up.ts';
import {
  chosenStake,
  lastShownRound,
  saveChosenStake,
  savedSpots,
  saveShownRound,
  saveSpots,
} from '../kit/frame-storage.ts';
import { vibrate } from '../kit/haptics.ts';
import { setLanguage } from '../kit/language.ts';
import { isMotionReduced } from '../kit/motion.ts';
import { PlayerPreferences } from '../kit/player-preferences.ts';
import { muteWhileHidden, playSound, unlockSound } from '../kit/sound.ts';
import type { Stream } from '../kit/stream.ts';
import type { Engine } from './engine.ts';
import { listMissedTickets, missedResult, missedResultText } from './missed-results.ts';
import { noticeLine, type Trouble } from './phase-card.ts';
import { type Phase, ServerClock, phaseAt, visiblePhase, acceptsBets } from './phase.ts';
import {
  isBusy,
  hasUnshownResult,
  resultAnnouncement,
  settlementOf,
  ticketResults,
} from './result.ts';
import { openRules } from './rules.ts';
import { drawTable, drawTray, sendCommitment, sendReady, sendRounds, sendStop } from './screen.ts';
import { initialState, type Event, reduce, retryWithFreshBalance, type State } from './state.ts';
import { TableSync } from './table-sync.ts';
import { phaseAnnouncement, phaseLabel, type Texts, createTexts } from './texts.ts';
import { openLastProof, openTickets } from './tickets.ts';
import { tableView, type View } from './view.ts';
import type { BetResponse, TableSession } from './wire.ts';

const tickMs = 250;
/** The interval for checking an unsettled ticket. */
const unsettledPollMs = 3000;

export class TableGame {
  readonly #api: Api;
  readonly #session: TableSession;
  readonly #engine: Engine;
  readonly #texts: Texts;
  readonly #sync: TableSync;
  #view!: View;
  #state!: State;
  #phase: Phase | null = null;
  #second = 0;
  readonly #preferences = new PlayerPreferences();
  #busy = false;
  #sendTrouble: Trouble | null = null;
  #dealing: { round: string; stop: () => void } | null = null;
  #dealText = '';
  #lastShownRound: string | null = null;
  #countedAmount: number | null = null;
  /** The result of an earlier round that the player missed. */
  #missedText = '';

  constructor(
    connection: { api: Api; stream: Stream },
    session: TableSession,
    engine: Engine,
    clock: ServerClock = new ServerClock(),
  ) {
    this.#api = connection.api;
    this.#session = session;
    this.#engine = engine;
    this.#sync = new TableSync(connection, clock, {
      balance: () => this.#state.latest.balance,
      table: (event) => this.#dispatchTable(event),
      refused: (code) => this.#refused(code, 'readRefused'),
      streamChanged: () => this.#draw(),
      reconnected: () => void this.#showMissedResult(),
    });
    this.#texts = createTexts(session, engine);
  }

  async start(container: HTMLElement): Promise<void> {
    const response = await this.#sync.fetch();
    const { game, player } = this.#session;
    const currency = player.currency.code;
    this.#state = initialState(response, {
      chip: chosenStake(game.code, currency, response.table.chips),
      spots: savedSpots(game.code, currency),
    });
    const view = tableView(this.#engine, response.table, this.#texts, {
      spot: (id) => this.#placeChip(id),
      chip: (amount) => this.#tap(() => this.#dispatch({ type: 'chip', amount })),
      undo: () => this.#tap(() => this.#dispatch({ type: 'undo' })),
      clear: () => this.#tap(() => this.#dispatch({ type: 'clear' })),
      repeat: () => this.#dispatchStake(() => ({ type: 'repeat', open: this.#isOpen })),
      confirm: () =>
        this.#dispatchStake(() => ({
          type: 'confirm',
          id: crypto.randomUUID(),
          open: this.#isOpen,
        })),
      rules: () =>
        this.#tap(() => openRules(this.#engine, this.#state.table, this.#state.round, this.#texts)),
      history: () =>
        this.#tap(() =>
          openTickets(
            this.#api,
            { name: this.#session.game.engine, engine: this.#engine },
            this.#texts,
          ),
        ),
      sound: () => {
        this.#preferences.toggleSound();
        this.#tap(() => view.setSound(this.#preferences.sound));
      },
    });
    this.#view = view;
    container.replaceChildren(view.root);
    view.setLabels(this.#session.game.name);
    view.setSound(this.#preferences.sound);
    this.#lastShownRound = lastShownRound(this.#session.game.code);
    muteWhileHidden();
    // A hidden page may have missed updates.
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.#sync.refresh();
    });
    listenToApp({
      settings: (settings) => void this.#applySettings(settings),
      pause: (paused) => this.#dispatch({ type: 'paused', paused }),
      limit: (limit) => this.#dispatch({ type: 'limitKnown', limit }),
      // While a stake is in the round, the table's own responses carry the balance.
      balance: (balance) => !this.#busy && this.#dispatch({ type: 'balance', balance }),
      check: (ticketId) => void openLastProof(this.#api, game.engine, ticketId),
    });
    view.stage.showIdle(this.#state.visible.history.at(-1)?.result ?? null);
    this.#tick();
    this.#draw();
    window.setInterval(() => this.#tick(), tickMs);
    sendReady(this.#session, this.#engine, this.#state);
    this.#sync.follow();
    void this.#showMissedResult();
  }

  async #applySettings(settings: Settings): Promise<void> {
    this.#preferences.apply(settings);
    this.#view.setSound(this.#preferences.sound);
    // If the catalogue does not load, the texts keep their language.
    await setLanguage(settings.language).catch(() => {});
    this.#view.setLabels(this.#session.game.name);
    this.#drawnState = null;
    this.#draw();
  }

  #dispatchTable(event: Event): void {
    const before = this.#state.round?.id;
    const hadUnshownResult = hasUnshownResult(this.#state, this.#lastShownRound);
    this.#dispatch(event);
    if (before !== this.#state.round?.id) {
      this.#roundChanged();
      if (hadUnshownResult) void this.#showMissedResult();
    }
    this.#tick();
  }

  /** `readRefused` means that reading the table was refused. A ticket in flight is not affected. */
  #refused(code: string, type: 'refused' | 'readRefused' = 'refused'): void {
    this.#dispatch({ type, code });
    sendStop(this.#state);
  }

  get #isOpen(): boolean {
    const { phase } = phaseAt(this.#state.round, this.#sync.clock.now());
    return acceptsBets(phase) && !this.#sync.trouble;
  }

  #tap(then: () => void): void {
    unlockSound();
    playSound('tap');
    then();
  }

  #placeChip(spot: string): void {
    if (!this.#isOpen) return;
    this.#dispatchStake(() => ({ type: 'placeChip', spot, open: this.#isOpen }));
  }

  #dispatchStake(createEvent: () => Event): void {
    unlockSound();
    const run = (): void => {
      const before = this.#state;
      this.#dispatch(createEvent());
      this.#announceNotice();
      const { unconfirmed, sending } = this.#state;
      if (unconfirmed.length > before.unconfirmed.length) playSound('chipDrop');
      // A second tap, or one without chips, changes nothing.
      if (!sending || sending === before.sending) return;
      playSound('tap');
      void this.#send(sending);
    };
    const refresh = (): Promise<void> => this.#sync.refresh();
    void retryWithFreshBalance(() => this.#state, createEvent(), refresh, run);
  }

  #announceNotice(): void {
    if (this.#state.notice) this.#view.announce(noticeLine(this.#state, this.#texts));
  }

  /** A retry has the same ticket id and round, so it counts once and never for another round. */
  async #send({ id, round, spots, total }: NonNullable<State['sending']>): Promise<void> {
    const amount = this.#texts.money(total);
    try {
      const response = await retryUntilKnown(
        () => this.#api.post<BetResponse>('table/bet', { betId: id, round, spots }),
        (attempt) => {
          this.#sendTrouble = { attempt, since: this.#sendTrouble?.since ?? performance.now() };
          this.#draw();
        },
      );
      this.#sendTrouble = null;
      this.#dispatch({ type: 'placed', response });
      this.#view.announce(t`Recorded: ${amount}.`);
      if (round !== this.#state.round?.id) void this.#showMissedResult();
    } catch (thrown) {
      this.#sendTrouble = null;
      this.#refused(thrown instanceof RefusedError ? thrown.code : '');
      this.#announceNotice();
      if (!this.#state.stop) void this.#sync.refresh();
    }
  }

  #roundChanged(): void {
    this.#dealing?.stop();
    this.#dealing = null;
    this.#dealText = '';
    this.#countedAmount = null;
    this.#view.showWinners(null);
    sendCommitment(this.#state.round);
  }

  #tick(): void {
    const { round, table } = this.#state;
    const { phase, leftMs } = visiblePhase(round, this.#sync.clock.now(), this.#state.shownRound);
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.#phaseChanged(phase);
      this.#draw();
      // A result that is shown at once is already the next phase.
      this.#tick();
      return;
    }
    const second = Math.ceil(leftMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      if (phase === 'closing' && second >= 1 && second <= 3) playSound('lockTick');
      this.#drawCard();
    }
    this.#view.setPhase(phase, leftMs, table.phases.betMs, phaseLabel(phase, this.#engine));
    if (leftMs === 0 && !this.#state.stop) this.#sync.refreshIfOverdue();
  }

  #phaseChanged(phase: Phase): void {
    const { round, visible } = this.#state;
    const text = phaseAnnouncement(phase, round?.number ?? 0);
    if (text) this.#view.announce(text);
    switch (phase) {
      case 'betting':
      case 'closing':
        this.#missedText = phase === 'betting' ? '' : this.#missedText;
        this.#view.stage.showIdle(visible.history.at(-1)?.result ?? null);
        break;
      case 'locked':
        this.#dispatch({ type: 'closed' });
        this.#view.closeMoreBets();
        vibrate();
        break;
      case 'dealing':
        this.#dispatch({ type: 'closed' });
        this.#deal();
        break;
      case 'void':
        this.#dispatch({ type: 'closed' });
        this.#dealing?.stop();
        this.#showResult();
        break;
      case 'result':
      case 'waiting':
        break;
    }
  }

  #deal(): void {
    const { round } = this.#state;
    if (!round || round.result == null || this.#dealing?.round === round.id) return;
    if (this.#state.shownRound === round.id) return;
    this.#dealing?.stop();
    const since = this.#sync.clock.now() - round.dealAt;
    const dealing = { round: round.id, stop: () => {} };
    this.#dealing = dealing;
    dealing.stop = this.#view.stage.deal(round.result, Math.max(0, since), {
      announce: (text) => {
        this.#dealText = text;
        this.#drawCard();
      },
      done: () => {
        this.#dispatch({ type: 'shown', round: round.id });
        const { result } = round;
        this.#view.showWinners((rule) => this.#engine.isWinning(result, rule));
        this.#showResult();
        this.#tick();
      },
    });
  }

  /** Shows the result once, when the deal is over and every ticket is settled. */
  #showResult(): void {
    const { round, latest, shownRound } = this.#state;
    if (!round || round.id === this.#lastShownRound) return;
    const over = round.phase === 'void' || shownRound === round.id;
    const settlement = settlementOf(latest.mine);
    if (!over || settlement.open) return;
    const { stake, win } = settlement;
    this.#lastShownRound = round.id;
    const outcome = round.phase === 'void' ? '' : this.#engine.outcomeText(round.result);
    if (stake === 0) {
      if (outcome) this.#view.announce(outcome);
      this.#draw();
      return;
    }
    saveShownRound(this.#session.game.code, round.id);
    sendRounds(ticketResults(latest.mine));
    this.#view.announce(resultAnnouncement(outcome, settlement, this.#texts));
    const presentation = presentationOf(stake, win);
    if (presentation.kind === 'win') {
      playSound(presentation.sound);
      if (!isMotionReduced()) this.#countUp(win - stake, presentation.countMs);
    }
    this.#draw();
  }

  #countUp(net: number, ms: number): void {
    const show = (amount: number): void => {
      this.#countedAmount = amount < net ? amount : null;
      this.#drawCard();
    };
    countUp(net, ms, this.#session.player.currency.decimals, show, () => {});
  }

  async #showMissedResult(): Promise<void> {
    const list = await listMissedTickets(this.#api, this.#state.round?.id ?? null).catch(() => []);
    const missed = missedResult(list, this.#lastShownRound, this.#state.round?.id ?? null);
    if (!missed) return;
    if (missed.open) {
      setTimeout(() => void this.#showMissedResult(), unsettledPollMs);
      return;
    }
    this.#lastShownRound = missed.round;
    saveShownRound(this.#session.game.code, missed.round);
    sendRounds(missed.tickets);
    this.#missedText = missedResultText(missed, this.#engine.outcomeText, this.#texts);
    this.#view.announce(this.#missedText);
    this.#draw();
  }

  #dispatch(event: Event): void {
    const { chip, lastStake } = this.#state;
    this.#state = reduce(this.#state, event);
    const { game, player } = this.#session;
    if (this.#state.chip !== chip)
      saveChosenStake(game.code, player.currency.code, this.#state.chip);
    if (this.#state.lastStake && this.#state.lastStake !== lastStake)
      saveSpots(game.code, player.currency.code, this.#state.lastStake);
    this.#showResult();
    this.#draw();
  }

  #drawnState: State | null = null;
  readonly #lowerStake = (): void => this.#tap(() => this.#dispatch({ type: 'lowerStake' }));

  #draw(): void {
    drawTable(this.#view, this.#state, this.#drawnState, this.#texts, this.#lowerStake);
    this.#drawnState = this.#state;
    this.#reportBusy();
    this.#drawCard();
  }

  /** While the player's money is in a round, the app delays leaving. */
  #reportBusy(): void {
    const busy = isBusy(this.#state, this.#phase, this.#lastShownRound);
    if (busy === this.#busy) return;
    this.#busy = busy;
    sendToApp({ type: 'busy', busy });
  }

  #drawCard(): void {
    const { round, shownRound } = this.#state;
    const { phase, leftMs } = visiblePhase(round, this.#sync.clock.now(), shownRound);
    drawTray(this.#view, {
      state: this.#state,
      phase,
      leftMs,
      trouble: this.#sendTrouble ?? this.#sync.trouble,
      texts: this.#texts,
      outcomeText: this.#engine.outcomeText,
      dealText: this.#dealText,
      counted: this.#countedAmount,
      missedText: this.#missedText,
    });
  }
}
