// The controller of a slot. It sends spins to the server and shows the results. The server decides stakes and wins.
import { t } from '@lingui/core/macro';

import type { RoundCommitment } from '../../src/lib/round-promise.ts';
import {
  type Api,
  retryUntilKnown,
  leaveOfferedAfterMs,
  RefusedError,
  retryDelay,
} from '../kit/api.ts';
import { listenToApp, type Settings, sendToApp } from '../kit/bridge.ts';
import { presentationOf } from '../kit/celebrate.ts';
import { countUp } from '../kit/count-up.ts';
import { type ServerCommitment, withOwnSeed } from '../kit/fairness-section.ts';
import {
  saveShownRound,
  lastShownRound,
  chosenStake,
  saveChosenStake,
} from '../kit/frame-storage.ts';
import { vibrate } from '../kit/haptics.ts';
import { setLanguage } from '../kit/language.ts';
import { isMotionReduced } from '../kit/motion.ts';
import { PlayerPreferences } from '../kit/player-preferences.ts';
import { muteWhileHidden, playSound, unlockSound } from '../kit/sound.ts';
import { blockingCard } from './blocking-card.ts';
import { openHistory, openLastProof } from './history.ts';
import { layoutFor } from './layout.ts';
import { openPaytable } from './paytable.ts';
import { PromiseWarning } from './promise-warning.ts';
import { counterText, resultBar, idleBar, sceneBar } from './result-text.ts';
import { resumeAction } from './resume.ts';
import { RoundSequencer } from './round-sequencer.ts';
import { finalStep, type Scene } from './scenes.ts';
import type { Round, Session, StateResponse, Step, Win } from './session.ts';
import { requestSpin } from './spin-request.ts';
import { Stage } from './stage.ts';
import { initialState, canSpin, type Event, reduce, type State } from './state.ts';
import { stakeSpreadText, type Texts, createTexts } from './texts.ts';
import { themeOf, themes } from './themes.ts';
import { minRoundMs } from './timing.ts';
import { slotView, type View } from './view.ts';

import './slot.css';
import './controls.css';
import './wide.css';
import './sheets.css';

const noStep: Step = { grid: [], wins: [], multiplier: 1, win: 0 };

export class SlotGame {
  readonly #api: Api;
  readonly #session: Session;
  readonly #texts: Texts;
  readonly #view: View;
  #stage: Stage | null = null;
  #sequencer: RoundSequencer | null = null;
  #state: State;
  /** The commitment shown before the next round. A spin's response carries the commitment after that, in `#nextCommitment`. */
  #commitment: RoundCommitment;
  #nextCommitment: ServerCommitment | null = null;
  readonly #warning = new PromiseWarning((text) => this.#view.setWarning(text));
  readonly #preferences = new PlayerPreferences((reduced) =>
    this.#stage?.setReducedMotion(reduced),
  );
  #skipCountUp: (() => void) | null = null;
  #isRefreshing = false;
  #redrawTimer = 0;
  #litWin: Win | null = null;
  #countedAmount = 0;

  constructor(api: Api, session: Session) {
    this.#api = api;
    this.#session = session;
    this.#texts = createTexts(session);
    this.#commitment = withOwnSeed(session.slot);
    const { slot, balance } = session;
    const stake = chosenStake(session.game.code, session.player.currency.code, slot.stakes);
    this.#state = initialState({ ...slot, stake: stake ?? slot.stake, balance });
    const options = { theme: themeOf(session.game.theme), reels: session.slot.reels };
    const handlers = {
      spin: () => this.#spin(),
      stake: (step: 1 | -1) => this.#tap(() => this.#dispatch({ type: 'stake', step })),
      paytable: () =>
        this.#tap(() => openPaytable(session, this.#state.stake, this.#commitment, this.#texts)),
      history: () => this.#tap(() => openHistory(api, session.slot.strips, this.#texts)),
      sound: () => {
        this.#preferences.toggleSound();
        this.#tap(() => this.#view.setSound(this.#preferences.sound));
      },
      skip: () => this.#skipCountUp?.(),
    };
    this.#view = slotView(handlers, options);
  }

  async start(container: HTMLElement): Promise<void> {
    const { slot, game } = this.#session;
    const theme = themeOf(game.theme);
    const stage = await Stage.open(slot, theme, {
      reelStopped: () => playSound('reelStop'),
      landed: () => this.#movementEnded(),
      fallen: () => this.#movementEnded(),
      lit: (win) => this.#winLit(win),
    });
    this.#sequencer = new RoundSequencer(stage, {
      sceneStarted: (scene) => this.#sceneStarted(scene),
      finished: () => this.#roundFinished(),
    });
    this.#stage = stage;
    container.replaceChildren(this.#view.root);
    this.#view.attach(stage.canvas);
    this.#updateLabels();
    this.#resize();
    this.#view.setSound(this.#preferences.sound);
    new ResizeObserver(() => this.#resize()).observe(document.documentElement);
    stage.setReducedMotion(isMotionReduced());
    muteWhileHidden();
    listenToApp({
      settings: (settings) => void this.#applySettings(settings),
      pause: (paused) => this.#dispatch({ type: 'paused', paused }),
      limit: (limit) => this.#dispatch({ type: 'limitKnown', limit }),
      balance: (balance) => this.#balanceChanged(balance),
      check: (roundId) => void openLastProof(this.#api, slot.strips, roundId),
    });
    this.#updateBar();
    this.#draw();
    const light = document.documentElement.dataset.theme === 'light';
    sendToApp({
      type: 'ready',
      title: game.name,
      engine: game.engine,
      rtp: slot.rtp,
      provable: true,
      backdrop: themes[theme].backdrop[light ? 'light' : 'dark'],
    });
    this.#setCommitment(slot);
    await this.#resume(slot);
  }

  #setCommitment(next: ServerCommitment): void {
    this.#commitment = withOwnSeed(next);
    sendToApp({ type: 'promise', ...this.#commitment });
  }

  async #applySettings(settings: Settings): Promise<void> {
    this.#preferences.apply(settings);
    this.#view.setSound(this.#preferences.sound);
    // If the catalogue does not load, the texts keep their language.
    await setLanguage(settings.language).catch(() => {});
    this.#updateLabels();
    this.#resize();
    this.#updateBar();
    this.#draw();
  }

  #balanceChanged(balance: number): void {
    const { refusal } = this.#state;
    this.#dispatch({ type: 'appBalance', balance });
    if (this.#state.refusal !== refusal) this.#updateBar();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = document.documentElement;
    const layout = layoutFor(clientWidth, clientHeight, this.#session.slot);
    this.#view.resize(layout);
    this.#stage?.resize(layout);
  }

  #updateLabels(): void {
    this.#view.setLabels(this.#session.game.name);
    const [wild = '', scatter = ''] = ['wild', 'scatter'].map((name) =>
      this.#texts.symbol(name).toUpperCase(),
    );
    void this.#stage?.setLabels(wild, scatter);
    this.#warning.updateText();
  }

  #tap(then: () => void): void {
    unlockSound();
    playSound('tap');
    then();
  }

  #dispatch(event: Event): void {
    const { stake } = this.#state;
    this.#state = reduce(this.#state, event);
    const { game, player } = this.#session;
    if (this.#state.stake !== stake)
      saveChosenStake(game.code, player.currency.code, this.#state.stake);
    this.#draw();
  }

  #spin(): void {
    unlockSound();
    const { stake, balance } = this.#state;
    if (stake > balance && canSpin(this.#state, performance.now()))
      void this.#refreshThenSpin(stake);
    else this.#startSpin();
  }

  /** The balance may have grown elsewhere, so it is fetched before a spin is refused. */
  async #refreshThenSpin(stake: number): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    await this.#refresh();
    this.#isRefreshing = false;
    // The player may have changed the stake in the meantime.
    if (this.#state.stake === stake) this.#startSpin();
  }

  #startSpin(): void {
    const at = performance.now();
    const before = this.#state;
    this.#dispatch({ type: 'spin', id: crypto.randomUUID(), at });
    // A second tap, or one too soon, changes nothing.
    if (this.#state === before) return;
    const { phase, spin } = this.#state;
    if (phase !== 'spinning' || !spin) {
      this.#updateBar();
      return;
    }
    this.#skipCountUp?.();
    playSound('tap');
    playSound('reelStart');
    vibrate();
    sendToApp({ type: 'busy', busy: true });
    this.#view.showLine(0, 0, 0);
    this.#stage?.spin(at);
    this.#updateBar();
    this.#view.announce(t`The reels are turning.`);
    void this.#requestSpin(spin);
  }

  async #requestSpin(spin: { id: string; stake: number }): Promise<void> {
    try {
      const { sent, response } = await requestSpin(this.#api, spin, {
        commitment: () => this.#commitment,
        failed: () => this.#requestFailed(),
        refresh: () => this.#refresh(),
      });
      const { round, balance, next: commitment } = response;
      this.#warning.checkPlayed(round, sent);
      this.#nextCommitment = commitment;
      this.#dispatch({ type: 'answered', round, balance });
      this.#sequencer?.start(round, performance.now());
    } catch (thrown) {
      this.#dispatch({ type: 'refused', code: thrown instanceof RefusedError ? thrown.code : '' });
      // Nothing was staked: the reels return to their last position.
      this.#stage?.land(null, performance.now());
      sendToApp({ type: 'busy', busy: false });
      this.#updateBar();
      if (this.#state.stop === 'limit') sendToApp({ type: 'limit' });
      if (this.#state.stop === 'expired') sendToApp({ type: 'expired' });
      else await this.#refresh();
    }
  }

  /** Fetches the balance and the commitment. Keeps the old ones when the request fails. */
  async #refresh(): Promise<void> {
    const response = await this.#api.get<StateResponse>('state').catch(() => null);
    if (!response) return;
    this.#dispatch({ type: 'balance', balance: response.balance });
    this.#setCommitment(response.next);
  }

  #requestFailed(): void {
    this.#dispatch({ type: 'failed', at: performance.now() });
    this.#redrawAfter(leaveOfferedAfterMs);
  }

  /** Called when the reels stop. Without a pending result, they have only returned to their last position. */
  #movementEnded(): void {
    if (this.#state.pending) this.#sequencer?.movementEnded();
  }

  #sceneStarted(scene: Scene): void {
    const bar = sceneBar(scene, this.#texts);
    this.#view.setCounter(counterText(scene));
    this.#view.setBar(bar);
    if (scene.kind === 'award') {
      this.#view.announce(bar.head);
      return;
    }
    this.#view.showLine(0, 0, 0);
    if (scene.kind === 'turn') {
      playSound('reelStart');
      this.#view.announce(bar.head);
    }
  }

  #roundFinished(): void {
    const { pending } = this.#state;
    if (!pending) return;
    this.#dispatch({ type: 'shown' });
    const { round } = pending;
    this.#view.setCounter('');
    this.#showResult(round);
    this.#reportRound(round);
    if (this.#nextCommitment) this.#setCommitment(this.#nextCommitment);
    sendToApp({ type: 'busy', busy: false });
    this.#redrawAfter(minRoundMs - (performance.now() - (this.#state.spin?.at ?? 0)));
  }

  #reportRound(round: Round): void {
    saveShownRound(this.#session.game.code, round.id);
    sendToApp({ type: 'round', roundId: round.id, stake: round.stake, win: round.win });
  }

  /** Only a win above the stake is celebrated. */
  #showResult(round: Round): void {
    const presentation = presentationOf(round.stake, round.win);
    const won = presentation.kind === 'win';
    this.#stage?.showWins(finalStep(round)?.step ?? noStep, !won, won ? presentation.coins : 0);
    this.#view.announce(this.#texts.result(round));
    this.#showResultBar(round, won && !isMotionReduced() ? 0 : round.win);
    if (!won) return;
    playSound(presentation.sound);
    if (isMotionReduced()) return;
    const { decimals } = this.#session.player.currency;
    this.#skipCountUp = countUp(
      round.win,
      presentation.countMs,
      decimals,
      (amount) => this.#showResultBar(round, amount),
      () => {
        this.#skipCountUp = null;
      },
    );
  }

  #winLit(win: Win): void {
    const line = this.#session.slot.paylines[win.line - 1];
    this.#view.showLine(win.line, line?.[0] ?? 0, line?.at(-1) ?? 0);
    this.#litWin = win;
    if (this.#state.shown) this.#showResultBar(this.#state.shown, this.#countedAmount);
  }

  #showResultBar(round: Round, counted: number): void {
    this.#countedAmount = counted;
    const progress = { counted, lit: this.#litWin, isOld: this.#isOldResult };
    this.#view.setBar(resultBar(round, this.#texts, progress));
  }

  /** Reports whether the shown round is from before this page opened, or before a spin that was refused. */
  get #isOldResult(): boolean {
    const { spin, shown, previous } = this.#state;
    return spin === null || shown === previous;
  }

  async #resume(server: { open: Round | null; last: Round | null }): Promise<void> {
    const { code } = this.#session.game;
    const resume = resumeAction(server, lastShownRound(code));
    switch (resume.kind) {
      case 'idle':
        this.#showAtRest(resume.round);
        return;
      case 'show':
        this.#showAtRest(resume.round);
        this.#dispatch({ type: 'resumed', round: resume.round, balance: this.#state.balance });
        this.#showResultBar(resume.round, resume.round.win);
        this.#stage?.showWins(finalStep(resume.round)?.step ?? noStep, true, 0);
        this.#view.announce(this.#texts.result(resume.round));
        saveShownRound(code, resume.round.id);
        return;
      case 'wait':
        await this.#waitForOpenRound();
    }
  }

  #showAtRest(round: Round | null): void {
    if (round) this.#warning.checkResumed(round);
    const last = round && finalStep(round);
    this.#stage?.stopAt(last?.spin.stops ?? [], last?.step.grid);
  }

  /** Polls the server until the open round has ended. */
  async #waitForOpenRound(): Promise<void> {
    this.#requestFailed();
    sendToApp({ type: 'busy', busy: true });
    try {
      const response = await retryUntilKnown(
        () => this.#api.get<StateResponse>('state'),
        () => this.#requestFailed(),
      );
      if (response.open) {
        await new Promise((resolve) =>
          setTimeout(resolve, retryDelay(this.#state.trouble?.attempt ?? 1)),
        );
        await this.#waitForOpenRound();
        return;
      }
      this.#dispatch({ type: 'balance', balance: response.balance });
      this.#setCommitment(response.next);
      sendToApp({ type: 'busy', busy: false });
      await this.#resume(response);
      if (response.last)
        sendToApp({
          type: 'round',
          roundId: response.last.id,
          stake: response.last.stake,
          win: response.last.win,
        });
    } catch (thrown) {
      this.#dispatch({ type: 'refused', code: thrown instanceof RefusedError ? thrown.code : '' });
      sendToApp({ type: 'busy', busy: false });
    }
  }

  #redrawAfter(after: number): void {
    clearTimeout(this.#redrawTimer);
    this.#redrawTimer = window.setTimeout(() => this.#draw(), Math.max(0, after) + 20);
  }

  #updateBar(): void {
    const { shown, refusal } = this.#state;
    if (shown && !refusal) {
      this.#showResultBar(shown, shown.win);
      return;
    }
    const bar = idleBar(this.#state, this.#session.slot);
    this.#view.setBar(bar);
    if (refusal) this.#view.announce(`${bar.head}. ${bar.text}`);
  }

  #draw(): void {
    const state = this.#state;
    const { slot } = this.#session;
    const view = this.#view;
    const texts = this.#texts;
    const each = texts.money(state.stake / slot.parts);
    view.setAmounts(
      texts.money(state.balance),
      stakeSpreadText(slot, each),
      texts.money(state.stake),
      texts.short(state.stake),
    );
    const at = state.stakes.indexOf(state.stake);
    const idle = state.phase === 'ready' && !state.paused && !state.trouble;
    view.setEnabled({
      spin: idle && canSpin(state, performance.now()),
      less: idle && at > 0,
      more: idle && at < state.stakes.length - 1,
    });
    view.setSpinning(state.phase === 'spinning');
    const lower = (): void => this.#tap(() => this.#dispatch({ type: 'lowerStake' }));
    view.setCard(blockingCard(state, this.#texts, lower));
  }
}
