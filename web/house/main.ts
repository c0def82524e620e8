// The page of a House game. It opens the session with the ticket of its address, then hands over to the game; each game
// and the engine that draws it come only when they are needed.
import './house.css';
import { houseApi, Refusal } from './kit/api.ts';
import { tell } from './kit/bridge.ts';
import { forgetSession, keepSession, keptSession } from './kit/keep.ts';
import { language, speak } from './kit/language.ts';
import { failureCard } from './kit/panel.ts';
import { houseStream } from './kit/stream.ts';
import type { Session, StateAnswer } from './slot/session.ts';
import type { Engine } from './table/engine.ts';
import type { EngineName } from './table/wire.ts';

const place = document.getElementById('game')!;
const ticket = new URLSearchParams(location.search).get('t') ?? '';
/** How it looks until the app tells it: the app's storage is none of a game's. */
const look = new URLSearchParams(location.hash.slice(1));

let token: string | null = null;
const api = houseApi(() => token, language);
const stream = houseStream(() => token, language);

const tables: Readonly<Record<EngineName, () => Promise<{ engine: Engine }>>> = {
  baccarat: () => import('./table/baccarat.ts'),
  dragontiger: () => import('./table/dragontiger.ts'),
  roulette: () => import('./table/roulette.ts'),
  sicbo: () => import('./table/sicbo.ts'),
};

const isTable = (name: string): name is EngineName => Object.hasOwn(tables, name);

/** A ticket works once: after a reload the session goes on with what was kept of it. */
async function openSession(): Promise<Session> {
  const kept = keptSession(ticket) as Session | null;
  if (!kept) {
    const session = await api.post<Session>('session', { ticket });
    keepSession(ticket, session);
    token = session.token;
    return session;
  }
  token = kept.token;
  // A table is asked for what it knows by its own client.
  if (isTable(kept.game.engine)) return kept;
  const { balance, open, last } = await api.get<StateAnswer>('state');
  return { ...kept, balance, slot: { ...kept.slot, open, last } };
}

async function start(): Promise<void> {
  document.documentElement.dataset.theme = look.get('theme') === 'light' ? 'light' : 'dark';
  try {
    await speak(look.get('lang') ?? '');
    await play(await openSession());
  } catch (thrown) {
    fail(thrown);
  }
}

async function play(session: Session): Promise<void> {
  const name = session.game.engine;
  if (isTable(name)) {
    const [{ TableGame }, { engine }] = await Promise.all([
      import('./table/game.ts'),
      tables[name](),
    ]);
    await new TableGame({ api, stream }, session, engine).start(place);
    return;
  }
  const { SlotGame } = await import('./slot/game.ts');
  await new SlotGame(api, session).start(place);
}

function fail(thrown: unknown): void {
  const refused = thrown instanceof Refusal && thrown.code !== 'house.unavailable';
  // What was kept is of no use any more.
  if (refused) forgetSession();
  const again = (): void => {
    place.replaceChildren();
    void start();
  };
  place.replaceChildren(failureCard(refused ? null : again, () => tell({ type: 'close' })));
  // The app has a cover over a game that does not stand, with a way to try again.
  tell({ type: refused ? 'expired' : 'failed' });
}

void start();
