// The slot at work: it takes taps, asks the server, lets the stage turn the reels and tells the result when its time has
// come. What is staked and what is won is the server's word alone.
import { t } from '@lingui/core/macro';

import { type Api, askUntilKnown, leaveAfter, Refusal, waitBefore } from '../kit/api.ts';
import { hear, type Settings, tell } from '../kit/bridge.ts';
import { showOf } from '../kit/celebrate.ts';
import { countUp } from '../kit/count-up.ts';
import { knock } from '../kit/haptics.ts';
import { keepShown, shownRound } from '../kit/keep.ts';
import { speak } from '../kit/language.ts';
import { Manner } from '../kit/manner.ts';
import { calm } from '../kit/motion.ts';
import type { Promised } from '../kit/seal.ts';
import { followVisibility, play, wakeSound } from '../kit/sound.ts';
import { Course } from './course.ts';
import { openHistory } from './history.ts';
import { layoutFor } from './layout.ts';
import { panelOf } from './panels.ts';
import { openPaytable } from './paytable.ts';
import { resumeOf } from './resume.ts';
import { lastOf, type Scene } from './scenes.ts';
import type { Round, Session, SpinAnswer, StateAnswer, Step, Win } from './session.ts';
import { Stage } from './stage.ts';
import { begin, canSpin, type Event, next, type State } from './state.ts';
import { counterOf, resultBar, restBar, sceneBar } from './telling.ts';
import { themeOf, themes } from './themes.ts';
import { shortestCycle } from './timing.ts';
import { slotView, type View } from './view.ts';
import { spreadWord, type Words, wordsFor } from './words.ts';

import './slot.css';
import './controls.css';
import './wide.css';
import './sheets.css';

const noStep: Step = { grid: [], wins: [], multiplier: 1, win: 0 };

export class SlotGame {
  readonly #api: Api;
  readonly #session: Session;
  readonly #words: Words;
  readonly #view: View;
  #stage: Stage | null = null;
  #course: Course | null = null;
  #state: State;
  /** What the next round will be drawn from. It is told with the round before, and shown when that has been. */
  #promised: Promised;
  #coming: Promised | null = null;
  readonly #manner = new Manner((still) => this.#stage?.calm(still));
  #skip: (() => void) | null = null;
  /** The server is asked for the balance, for a tap that it did not cover. */
  #asking = false;
  #wakes = 0;
  /** The win that is lit, and how much of the whole is counted by now. */
  #now: Win | null = null;
  #counted = 0;

  constructor(api: Api, session: Session) {
    this.#api = api;
    this.#session = session;
    this.#words = wordsFor(session);
    this.#promised = session.slot;
    this.#state = begin({ ...session.slot, balance: session.balance });
    const look = { theme: themeOf(session.game.theme), reels: session.slot.reels };
    const taps = {
      spin: () => this.#spin(),
      stake: (step: 1 | -1) => this.#tap(() => this.#do({ type: 'stake', step })),
      paytable: () =>
        this.#tap(() => openPaytable(session, this.#state.stake, this.#promised, this.#words)),
      history: () => this.#tap(() => openHistory(api, this.#words)),
      sound: () => {
        this.#manner.toggleSound();
        this.#tap(() => this.#view.heard(this.#manner.sound));
      },
      skip: () => this.#skip?.(),
    };
    this.#view = slotView(taps, look);
  }

  async start(into: HTMLElement): Promise<void> {
    const { slot, game } = this.#session;
    const theme = themeOf(game.theme);
    const stage = await Stage.open(slot, theme, {
      reelStopped: () => play('reelStop'),
      landed: () => this.#moved(),
      fallen: () => this.#moved(),
      lit: (win) => this.#lit(win),
    });
    this.#course = new Course(stage, {
      begins: (scene) => this.#begins(scene),
      ended: () => this.#ended(),
    });
    this.#stage = stage;
    into.replaceChildren(this.#view.root);
    this.#view.attach(stage.canvas);
    this.#name();
    this.#place();
    this.#view.heard(this.#manner.sound);
    new ResizeObserver(() => this.#place()).observe(document.documentElement);
    stage.calm(calm());
    followVisibility();
    hear({
      settings: (settings) => void this.#settings(settings),
      pause: (paused) => this.#do({ type: 'paused', paused }),
      room: (limit) => this.#do({ type: 'room', limit }),
      balance: (balance) => this.#funded(balance),
    });
    this.#bar();
    this.#draw();
    const light = document.documentElement.dataset.theme === 'light';
    tell({
      type: 'ready',
      title: game.name,
      engine: game.engine,
      rtp: slot.rtp,
      provable: true,
      backdrop: themes[theme].backdrop[light ? 'light' : 'dark'],
    });
    this.#promise(slot);
    await this.#resume(slot);
  }

  #promise({ commitment, clientSeed, nonce }: Promised): void {
    this.#promised = { commitment, clientSeed, nonce };
    tell({ type: 'promise', ...this.#promised });
  }

  // ---- what comes from outside

  async #settings(settings: Settings): Promise<void> {
    this.#manner.follow(settings);
    this.#view.heard(this.#manner.sound);
    // A catalogue that cannot be had leaves the words as they are.
    await speak(settings.language).catch(() => {});
    this.#name();
    this.#place();
    this.#bar();
    this.#draw();
  }

  /** The balance changed by something other than a round here. */
  #funded(balance: number): void {
    const { refusal } = this.#state;
    this.#do({ type: 'told', balance });
    if (this.#state.refusal !== refusal) this.#bar();
  }

  #place(): void {
    const { clientWidth, clientHeight } = document.documentElement;
    const layout = layoutFor(clientWidth, clientHeight, this.#session.slot);
    this.#view.place(layout);
    this.#stage?.place(layout);
  }

  #name(): void {
    this.#view.name(this.#session.game.name);
    const [wild = '', scatter = ''] = ['wild', 'scatter'].map((name) =>
      this.#words.symbol(name).toUpperCase(),
    );
    void this.#stage?.name(wild, scatter);
  }

  #tap(then: () => void): void {
    wakeSound();
    play('tap');
    then();
  }

  #do(event: Event): void {
    this.#state = next(this.#state, event);
    this.#draw();
  }

  // ---- a round

  #spin(): void {
    wakeSound();
    const { stake, balance } = this.#state;
    if (stake > balance && canSpin(this.#state, performance.now())) void this.#askBalance(stake);
    else this.#begin();
  }

  /** The balance may have grown elsewhere: the server is asked before a tap is refused for want of it. */
  async #askBalance(stake: number): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    await this.#refresh();
    this.#asking = false;
    // A stake that was changed meanwhile is not what was tapped.
    if (this.#state.stake === stake) this.#begin();
  }

  #begin(): void {
    const at = performance.now();
    const before = this.#state;
    this.#do({ type: 'spin', id: crypto.randomUUID(), at });
    // A second tap, or one too soon, changes nothing.
    if (this.#state === before) return;
    const { phase, spin } = this.#state;
    if (phase !== 'spinning' || !spin) {
      this.#bar();
      return;
    }
    this.#skip?.();
    play('tap');
    play('reelStart');
    knock();
    tell({ type: 'busy', busy: true });
    this.#view.line(0, 0, 0);
    this.#stage?.spin(at);
    this.#bar();
    this.#view.say(t`The reels are turning.`);
    void this.#ask(spin.id, spin.stake);
  }

  async #ask(spinId: string, stake: number): Promise<void> {
    try {
      const {
        round,
        balance,
        next: promised,
      } = await askUntilKnown(
        () => this.#api.post<SpinAnswer>('spin', { spinId, stake }),
        () => this.#failed(),
      );
      this.#coming = promised;
      this.#do({ type: 'answered', round, balance });
      this.#course?.begin(round, performance.now());
    } catch (thrown) {
      this.#do({ type: 'refused', code: thrown instanceof Refusal ? thrown.code : '' });
      // Nothing was staked: the reels go back to where they were.
      this.#stage?.land(null, performance.now());
      tell({ type: 'busy', busy: false });
      this.#bar();
      if (this.#state.stop === 'limit') tell({ type: 'limit' });
      if (this.#state.stop === 'expired') tell({ type: 'expired' });
      else await this.#refresh();
    }
  }

  /** What there is to play with may have changed elsewhere. Without an answer it stays as it was. */
  async #refresh(): Promise<void> {
    const answer = await this.#api.get<StateAnswer>('state').catch(() => null);
    if (!answer) return;
    this.#do({ type: 'balance', balance: answer.balance });
    this.#promise(answer.next);
  }

  #failed(): void {
    this.#do({ type: 'failed', at: performance.now() });
    // The way out appears by itself when its time has come.
    this.#wake(leaveAfter);
  }

  /** Reels that stand, or symbols that fell, have something to tell: where no result came they went back. */
  #moved(): void {
    if (this.#state.coming) this.#course?.moved();
  }

  #begins(scene: Scene): void {
    const bar = sceneBar(scene, this.#words);
    this.#view.counter(counterOf(scene));
    this.#view.bar(bar);
    if (scene.kind === 'award') {
      this.#view.say(bar.head);
      return;
    }
    this.#view.line(0, 0, 0);
    if (scene.kind === 'turn') {
      play('reelStart');
      this.#view.say(bar.head);
    }
  }

  #ended(): void {
    const { coming } = this.#state;
    if (!coming) return;
    this.#do({ type: 'shown' });
    const { round } = coming;
    this.#view.counter('');
    this.#celebrate(round);
    this.#settled(round);
    if (this.#coming) this.#promise(this.#coming);
    tell({ type: 'busy', busy: false });
    // The next round may begin when its time has come.
    this.#wake(shortestCycle - (performance.now() - (this.#state.spin?.at ?? 0)));
  }

  #settled(round: Round): void {
    keepShown(this.#session.game.code, round.id);
    tell({ type: 'round', roundId: round.id, stake: round.stake, win: round.win });
  }

  /** More than the stake is a reason to celebrate; all else is told as it is. */
  #celebrate(round: Round): void {
    const show = showOf(round.stake, round.win);
    const won = show.kind === 'win';
    this.#stage?.show(lastOf(round)?.step ?? noStep, !won, won ? show.coins : 0);
    this.#view.say(this.#words.result(round));
    this.#told(round, won && !calm() ? 0 : round.win);
    if (!won) return;
    play(show.sound);
    if (calm()) return;
    const { decimals } = this.#session.player.currency;
    this.#skip = countUp(
      round.win,
      show.countMs,
      decimals,
      (amount) => this.#told(round, amount),
      () => {
        this.#skip = null;
      },
    );
  }

  #lit(win: Win): void {
    const line = this.#session.slot.paylines[win.line - 1];
    this.#view.line(win.line, line?.[0] ?? 0, line?.at(-1) ?? 0);
    this.#now = win;
    if (this.#state.shown) this.#told(this.#state.shown, this.#counted);
  }

  #told(round: Round, counted: number): void {
    this.#counted = counted;
    const told = { counted, lit: this.#now, old: this.#old };
    this.#view.bar(resultBar(round, this.#words, told));
  }

  /** It was played before this page was opened, or before a spin of which nothing came. */
  get #old(): boolean {
    const { spin, shown, kept } = this.#state;
    return spin === null || shown === kept;
  }

  // ---- coming back

  async #resume(known: { open: Round | null; last: Round | null }): Promise<void> {
    const { code } = this.#session.game;
    const resume = resumeOf(known, shownRound(code));
    switch (resume.kind) {
      case 'rest':
        this.#rest(resume.round);
        return;
      case 'tell':
        this.#rest(resume.round);
        this.#do({ type: 'resumed', round: resume.round, balance: this.#state.balance });
        this.#told(resume.round, resume.round.win);
        this.#stage?.show(lastOf(resume.round)?.step ?? noStep, true, 0);
        this.#view.say(this.#words.result(resume.round));
        keepShown(code, resume.round.id);
        return;
      case 'wait':
        await this.#await();
    }
  }

  /** The reels stand as they did when the round was over. */
  #rest(round: Round | null): void {
    const last = round && lastOf(round);
    this.#stage?.rest(last?.spin.stops ?? [], last?.step.grid);
  }

  /** A round runs at the server: it is asked until the round has ended. */
  async #await(): Promise<void> {
    this.#failed();
    tell({ type: 'busy', busy: true });
    try {
      const answer = await askUntilKnown(
        () => this.#api.get<StateAnswer>('state'),
        () => this.#failed(),
      );
      if (answer.open) {
        await new Promise((resolve) =>
          setTimeout(resolve, waitBefore(this.#state.trouble?.attempt ?? 1)),
        );
        await this.#await();
        return;
      }
      this.#do({ type: 'balance', balance: answer.balance });
      this.#promise(answer.next);
      tell({ type: 'busy', busy: false });
      await this.#resume(answer);
      if (answer.last)
        tell({
          type: 'round',
          roundId: answer.last.id,
          stake: answer.last.stake,
          win: answer.last.win,
        });
    } catch (thrown) {
      this.#do({ type: 'refused', code: thrown instanceof Refusal ? thrown.code : '' });
      tell({ type: 'busy', busy: false });
    }
  }

  // ---- what is seen

  #wake(after: number): void {
    clearTimeout(this.#wakes);
    this.#wakes = window.setTimeout(() => this.#draw(), Math.max(0, after) + 20);
  }

  #bar(): void {
    const { shown, refusal } = this.#state;
    if (shown && !refusal) {
      this.#told(shown, shown.win);
      return;
    }
    const bar = restBar(this.#state, this.#session.slot);
    this.#view.bar(bar);
    if (refusal) this.#view.say(`${bar.head}. ${bar.text}`);
  }

  #draw(): void {
    const state = this.#state;
    const { slot } = this.#session;
    const view = this.#view;
    const words = this.#words;
    const each = words.money(state.stake / slot.parts);
    view.purse(
      words.money(state.balance),
      spreadWord(slot, each),
      words.money(state.stake),
      words.short(state.stake),
    );
    const at = state.stakes.indexOf(state.stake);
    const idle = state.phase === 'ready' && !state.paused && !state.trouble;
    view.ready({
      spin: idle && canSpin(state, performance.now()),
      less: idle && at > 0,
      more: idle && at < state.stakes.length - 1,
    });
    view.spinning(state.phase === 'spinning');
    const lower = (): void => this.#tap(() => this.#do({ type: 'lower' }));
    view.panel(panelOf(state, this.#words, lower));
  }
}
