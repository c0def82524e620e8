// The page of a House game. It opens a session with the ticket in its URL, then loads the game.
import './house.css';
import { houseApi, RefusedError } from './kit/api.ts';
import { sendToApp } from './kit/bridge.ts';
import { failureCard } from './kit/cards.ts';
import { clearSession, savedSession, saveSession } from './kit/frame-storage.ts';
import { language, setLanguage } from './kit/language.ts';
import { houseStream } from './kit/stream.ts';
import type { Session, StateResponse } from './slot/session.ts';
import { tableEngine } from './table/engines.ts';

const container = document.getElementById('game')!;
const ticket = new URLSearchParams(location.search).get('t') ?? '';
/** Theme and language until the app sends its settings. A game does not read the app's storage. */
const initialSettings = new URLSearchParams(location.hash.slice(1));

let token: string | null = null;
const api = houseApi(() => token, language);
const stream = houseStream(() => token, language);

/** A ticket works once. After a reload the saved session is used instead. */
async function openSession(): Promise<Session> {
  const saved = savedSession(ticket) as Session | null;
  if (!saved) {
    const session = await api.post<Session>('session', { ticket });
    saveSession(ticket, session);
    token = session.token;
    return session;
  }
  token = saved.token;
  // A table game fetches its own state.
  if (tableEngine(saved.game.engine)) return saved;
  const { balance, open, last } = await api.get<StateResponse>('state');
  return { ...saved, balance, slot: { ...saved.slot, open, last } };
}

async function start(): Promise<void> {
  document.documentElement.dataset.theme =
    initialSettings.get('theme') === 'light' ? 'light' : 'dark';
  try {
    await setLanguage(initialSettings.get('lang') ?? '');
    await startGame(await openSession());
  } catch (thrown) {
    showFailure(thrown);
  }
}

async function startGame(session: Session): Promise<void> {
  const loadEngine = tableEngine(session.game.engine);
  if (loadEngine) {
    const [{ TableGame }, { engine }] = await Promise.all([
      import('./table/game.ts'),
      loadEngine(),
    ]);
    await new TableGame({ api, stream }, session, engine).start(container);
    return;
  }
  const { SlotGame } = await import('./slot/game.ts');
  await new SlotGame(api, session).start(container);
}

function showFailure(thrown: unknown): void {
  const isRefused = thrown instanceof RefusedError && thrown.code !== 'house.unavailable';
  if (isRefused) clearSession();
  const retry = (): void => {
    container.replaceChildren();
    void start();
  };
  container.replaceChildren(
    failureCard(isRefused ? null : retry, () => sendToApp({ type: 'close' })),
  );
  sendToApp({ type: isRefused ? 'expired' : 'failed' });
}

void start();
