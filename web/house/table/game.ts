// A live table at work: it hears the table, takes taps, asks the server, lets the stage show what was dealt and tells the
// result when it has been seen. What is staked, when the betting closes and what comes is the server's word alone.
import { t } from '@lingui/core/macro';

import { type Api, askUntilKnown, Refusal } from '../kit/api.ts';
import { hear, type Settings, tell } from '../kit/bridge.ts';
import { showOf } from '../kit/celebrate.ts';
import { countUp } from '../kit/count-up.ts';
import { knock } from '../kit/haptics.ts';
import { keepShown, shownRound } from '../kit/keep.ts';
import { speak } from '../kit/language.ts';
import { Manner } from '../kit/manner.ts';
import { calm } from '../kit/motion.ts';
import { followVisibility, play, wakeSound } from '../kit/sound.ts';
import type { Stream } from '../kit/stream.ts';
import { noticeSaid, type Trouble } from './card.ts';
import type { Engine } from './engine.ts';
import { keepLine } from './line.ts';
import { listOwed, owedOf, owedWords } from './owed.ts';
import { type Phase, ServerClock, standingOf, takesBets } from './phase.ts';
import { isBusy, owesResult, resultWords, settledOf, ticketsOf } from './result.ts';
import { openRules } from './rules.ts';
import { drawTable, drawTray, tellPromise, tellReady, tellRounds, tellStop } from './screen.ts';
import { begin, type Event, next, onceCovered, type State } from './state.ts';
import { openTickets } from './tickets.ts';
import { tableView, type View } from './view.ts';
import type { BetAnswer, TableAnswer, TableNews, TableSession } from './wire.ts';
import { phaseSaid, phaseWord, type Words, wordsFor } from './words.ts';

/** How often the clock is read. */
const tickMs = 250;
/** A phase that is over for this long without a word: the table is asked. */
const overdueMs = 4000;
/** Between two looks at a ticket that is not settled yet. */
const owedMs = 3000;

export class TableGame {
  readonly #api: Api;
  readonly #stream: Stream;
  readonly #session: TableSession;
  readonly #engine: Engine;
  readonly #words: Words;
  readonly #clock: ServerClock;
  #view!: View;
  #state!: State;
  #phase: Phase | null = null;
  #second = 0;
  readonly #manner = new Manner();
  #busy = false;
  #lineTrouble: Trouble | null = null;
  #sendTrouble: Trouble | null = null;
  #heardAt = 0;
  #asking: Promise<void> | null = null;
  /** The round that is being shown, and what stops it. */
  #dealing: { round: string; stop: () => void } | null = null;
  #dealtWords = '';
  /** The last round whose result the player was told. */
  #toldRound: string | null = null;
  #counted: number | null = null;
  /** What an earlier round came to, told after the fact. */
  #lastWords = '';

  constructor(
    { api, stream }: { api: Api; stream: Stream },
    session: TableSession,
    engine: Engine,
    clock: ServerClock = new ServerClock(),
  ) {
    this.#api = api;
    this.#stream = stream;
    this.#session = session;
    this.#engine = engine;
    this.#clock = clock;
    this.#words = wordsFor(session, engine);
  }

  async start(into: HTMLElement): Promise<void> {
    const asked = this.#clock.mark();
    const answer = await this.#api.get<TableAnswer>('table');
    this.#clock.hear(answer.now, asked);
    this.#heardAt = this.#clock.now();
    this.#state = begin(answer);
    const view = tableView(this.#engine, answer.table, this.#words, {
      spot: (id) => this.#put(id),
      chip: (amount) => this.#tap(() => this.#do({ type: 'chip', amount })),
      undo: () => this.#tap(() => this.#do({ type: 'undo' })),
      clear: () => this.#tap(() => this.#do({ type: 'clear' })),
      repeat: () => this.#stake(() => ({ type: 'repeat', open: this.#open })),
      confirm: () =>
        this.#stake(() => ({ type: 'confirm', id: crypto.randomUUID(), open: this.#open })),
      rules: () =>
        this.#tap(() => openRules(this.#engine, this.#state.table, this.#state.round, this.#words)),
      history: () => this.#tap(() => openTickets(this.#api, this.#engine, this.#words)),
      sound: () => {
        this.#manner.toggleSound();
        this.#tap(() => view.heard(this.#manner.sound));
      },
    });
    this.#view = view;
    into.replaceChildren(view.root);
    view.name(this.#session.game.name);
    view.heard(this.#manner.sound);
    this.#toldRound = shownRound(this.#session.game.code);
    followVisibility();
    // A page that was not seen may have missed anything.
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.#catchUp();
    });
    hear({
      settings: (settings) => void this.#settings(settings),
      pause: (paused) => this.#do({ type: 'paused', paused }),
      room: (limit) => this.#do({ type: 'room', limit }),
      // The answer to a stake that lies here says what is left after it.
      balance: (balance) => !this.#busy && this.#do({ type: 'balance', balance }),
    });
    view.stage.rest(this.#state.told.history.at(-1)?.result ?? null);
    this.#tick();
    this.#draw();
    window.setInterval(() => this.#tick(), tickMs);
    tellReady(this.#session, this.#engine, this.#state);
    keepLine(this.#stream, {
      open: () => void this.#lineStands(),
      news: (news) => this.#news(news),
      lost: (attempt) => this.#lineLost(attempt),
      refused: (code) => this.#refused(code, 'barred'),
    });
    void this.#owed();
  }

  // ---- what comes from outside

  async #settings(settings: Settings): Promise<void> {
    this.#manner.follow(settings);
    this.#view.heard(this.#manner.sound);
    // A catalogue that cannot be had leaves the words as they are.
    await speak(settings.language).catch(() => {});
    this.#view.name(this.#session.game.name);
    this.#drawn = null;
    this.#draw();
  }

  #news(news: TableNews): void {
    if (news.now !== undefined) this.#clock.hear(news.now);
    this.#heardAt = this.#clock.now();
    this.#lineTrouble = null;
    this.#take({ type: 'news', news });
  }

  #take(event: Event): void {
    const before = this.#state.round?.id;
    const owes = owesResult(this.#state, this.#toldRound);
    this.#do(event);
    if (before !== this.#state.round?.id) {
      this.#turnedOver();
      if (owes) void this.#owed();
    }
    this.#tick();
  }

  async #lineStands(): Promise<void> {
    if (this.#lineTrouble) {
      await this.#catchUp();
      void this.#owed();
    }
    this.#lineTrouble = null;
    this.#draw();
  }

  #lineLost(attempt: number): void {
    this.#lineTrouble = { attempt, since: this.#lineTrouble?.since ?? performance.now() };
    this.#draw();
  }

  /** Asks the table how it stands. Without an answer it stays as it was. */
  #catchUp(): Promise<void> {
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = null)));
  }

  async #ask(): Promise<void> {
    const asked = this.#clock.mark();
    const { balance } = this.#state.known;
    try {
      const answer = await this.#api.get<TableAnswer>('table');
      this.#clock.hear(answer.now, asked);
      this.#heardAt = this.#clock.now();
      this.#take({ type: 'answer', answer, late: this.#state.known.balance !== balance });
    } catch (thrown) {
      if (thrown instanceof Refusal) this.#refused(thrown.code, 'barred');
    }
  }

  /** A ticket was refused, or looking was: that says nothing of a ticket on its way. */
  #refused(code: string, type: 'refused' | 'barred' = 'refused'): void {
    this.#do({ type, code });
    tellStop(this.#state);
  }

  // ---- taps

  get #open(): boolean {
    const { phase } = standingOf(this.#state.round, this.#clock.now());
    return takesBets(phase) && !this.#lineTrouble;
  }

  #tap(then: () => void): void {
    wakeSound();
    play('tap');
    then();
  }

  #put(spot: string): void {
    // Between rounds the cloth is only looked at.
    if (!this.#open) return;
    this.#stake(() => ({ type: 'put', spot, open: this.#open }));
  }

  #stake(tapped: () => Event): void {
    wakeSound();
    const run = (): void => {
      const before = this.#state;
      this.#do(tapped());
      this.#notice();
      const { put, sending } = this.#state;
      if (put.length > before.put.length) play('chipDrop');
      // A second tap, or one with nothing on the cloth, changes nothing.
      if (!sending || sending === before.sending) return;
      play('tap');
      void this.#send(sending);
    };
    const ask = (): Promise<void> => this.#catchUp();
    void onceCovered(() => this.#state, tapped(), ask, run);
  }

  #notice(): void {
    if (this.#state.notice) this.#view.say(noticeSaid(this.#state, this.#words));
  }

  /** The ticket names its round and itself: asked again it counts once, and never for another round. */
  async #send({ id, round, spots, total }: NonNullable<State['sending']>): Promise<void> {
    const amount = this.#words.money(total);
    try {
      const answer = await askUntilKnown(
        () => this.#api.post<BetAnswer>('table/bet', { betId: id, round, spots }),
        (attempt) => {
          this.#sendTrouble = { attempt, since: this.#sendTrouble?.since ?? performance.now() };
          this.#draw();
        },
      );
      this.#sendTrouble = null;
      this.#do({ type: 'placed', answer });
      this.#view.say(t`Recorded: ${amount}.`);
      if (round !== this.#state.round?.id) void this.#owed();
    } catch (thrown) {
      this.#sendTrouble = null;
      this.#refused(thrown instanceof Refusal ? thrown.code : '');
      this.#notice();
      if (!this.#state.stop) void this.#catchUp();
    }
  }

  // ---- the round

  /** Another round is on: what was shown of the last one is over. */
  #turnedOver(): void {
    this.#dealing?.stop();
    this.#dealing = null;
    this.#dealtWords = '';
    this.#counted = null;
    this.#view.lit(null);
    tellPromise(this.#state.table, this.#state.round);
  }

  #tick(): void {
    const { round, table } = this.#state;
    const now = this.#clock.now();
    const { phase, leftMs } = standingOf(round, now);
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.#turned(phase);
      this.#draw();
    }
    const second = Math.ceil(leftMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      if (phase === 'closing' && second >= 1 && second <= 3) play('lockTick');
      this.#drawCard();
    }
    this.#view.phase(phase, leftMs, table.phases.betMs, phaseWord(phase, this.#engine));
    if (leftMs === 0 && now - this.#heardAt > overdueMs && !this.#state.stop) {
      this.#heardAt = now;
      void this.#catchUp();
    }
  }

  #turned(phase: Phase): void {
    const { round, told } = this.#state;
    const words = phaseSaid(phase, round?.number ?? 0);
    if (words) this.#view.say(words);
    switch (phase) {
      case 'betting':
      case 'closing':
        this.#lastWords = phase === 'betting' ? '' : this.#lastWords;
        this.#view.stage.rest(told.history.at(-1)?.result ?? null);
        break;
      case 'locked':
        this.#do({ type: 'closed' });
        this.#view.closeMore();
        knock();
        break;
      case 'dealing':
      case 'result':
        this.#do({ type: 'closed' });
        this.#deal();
        break;
      case 'void':
        this.#do({ type: 'closed' });
        this.#dealing?.stop();
        this.#told();
        break;
      case 'waiting':
        break;
    }
  }

  /** Shows what came, from where it stands by now: who comes late sees it as it lies. */
  #deal(): void {
    const { round } = this.#state;
    if (!round || round.result == null || this.#dealing?.round === round.id) return;
    if (this.#state.shown === round.id) return;
    this.#dealing?.stop();
    const since = this.#clock.now() - round.dealAt;
    const dealing = { round: round.id, stop: () => {} };
    this.#dealing = dealing;
    dealing.stop = this.#view.stage.deal(round.result, Math.max(0, since), {
      tell: (text) => {
        this.#dealtWords = text;
        this.#drawCard();
      },
      done: () => {
        this.#do({ type: 'shown', round: round.id });
        const { result } = round;
        this.#view.lit((rule) => this.#engine.won(result, rule));
        this.#told();
      },
    });
  }

  /** Tells what the round came to, once: when it has been seen and every ticket is settled. */
  #told(): void {
    const { round, known, shown } = this.#state;
    if (!round || round.id === this.#toldRound) return;
    const over = round.phase === 'void' || shown === round.id;
    const settled = settledOf(known.mine);
    if (!over || settled.open) return;
    const { stake, win } = settled;
    this.#toldRound = round.id;
    const outcome = round.phase === 'void' ? '' : this.#engine.outcome(round.result);
    if (stake === 0) {
      if (outcome) this.#view.say(outcome);
      this.#draw();
      return;
    }
    keepShown(this.#session.game.code, round.id);
    tellRounds(ticketsOf(known.mine));
    this.#view.say(resultWords(outcome, settled, this.#words));
    const show = showOf(stake, win);
    if (show.kind === 'win') {
      play(show.sound);
      if (!calm()) this.#count(win - stake, show.countMs);
    }
    this.#draw();
  }

  #count(net: number, ms: number): void {
    const show = (amount: number): void => {
      this.#counted = amount < net ? amount : null;
      this.#drawCard();
    };
    countUp(net, ms, this.#session.player.currency.decimals, show, () => {});
  }

  /** Looks for a result that was missed: it is told as what it is, the result of an earlier round. */
  async #owed(): Promise<void> {
    const list = await listOwed(this.#api, this.#state.round?.id ?? null).catch(() => []);
    const owed = owedOf(list, this.#toldRound, this.#state.round?.id ?? null);
    if (!owed) return;
    if (owed.open) {
      setTimeout(() => void this.#owed(), owedMs);
      return;
    }
    this.#toldRound = owed.round;
    keepShown(this.#session.game.code, owed.round);
    tellRounds(owed.tickets);
    this.#lastWords = owedWords(owed, this.#engine.outcome, this.#words);
    this.#view.say(this.#lastWords);
    this.#draw();
  }

  // ---- what is seen

  #do(event: Event): void {
    this.#state = next(this.#state, event);
    this.#told();
    this.#draw();
  }

  #drawn: State | null = null;
  readonly #lower = (): void => this.#tap(() => this.#do({ type: 'lower' }));

  #draw(): void {
    drawTable(this.#view, this.#state, this.#drawn, this.#words, this.#lower);
    this.#drawn = this.#state;
    this.#say();
    this.#drawCard();
  }

  /** The app is told while money of the player is in a round: leaving then waits for its end. */
  #say(): void {
    const busy = isBusy(this.#state, this.#phase, this.#toldRound);
    if (busy === this.#busy) return;
    this.#busy = busy;
    tell({ type: 'busy', busy });
  }

  #drawCard(): void {
    const { phase, leftMs } = standingOf(this.#state.round, this.#clock.now());
    drawTray(this.#view, {
      state: this.#state,
      phase,
      leftMs,
      trouble: this.#sendTrouble ?? this.#lineTrouble,
      words: this.#words,
      outcome: this.#engine.outcome,
      dealt: this.#dealtWords,
      counted: this.#counted,
      last: this.#lastWords,
    });
  }
}
