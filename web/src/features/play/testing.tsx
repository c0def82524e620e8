import { expect, vi } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { navigate } from '../../lib/router.tsx';
import { answerWith } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { clearScreen, renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import PlayScreen from './PlayScreen.tsx';

export const launched = {
  gameUrl: '/m/house/?t=ticket',
  content: { game_url: '/m/house/?t=ticket' },
  playId: 'play-1',
  mode: 'frame',
  origin: '',
  startedAt: 0,
};

export const vendorGame = {
  ...launched,
  gameUrl: 'https://games.example/play?t=1',
  origin: 'https://games.example',
};

export function playReply(more: Record<string, unknown> = {}) {
  const now = Date.now();
  return {
    playId: 'play-1',
    gameId: 'rng-1',
    gameName: 'Golden Dragon',
    vendor: 'JL',
    vendorName: 'Jade Lantern',
    category: 'RNG',
    nodeId: '1001',
    startedAt: now - 65_000,
    now,
    opened: true,
    closedAt: null,
    staked: 30_000,
    returned: 10_000,
    net: -20_000,
    rounds: 3,
    currency: 'VND',
    realityCheck: { minutes: null, dueAt: null },
    rtp: '96.20',
    ...more,
  };
}

export const noLimits = {
  currency: 'VND',
  limits: [],
  realityCheck: { minutes: null, choices: [15, 30, 60], played: null },
  break: null,
};

const gamePath =
  '/m/launchGame?vendor=JL&gameCategory=RNG&gameId=rng-1&nodeId=1001&supportPlay=true';

export async function showGame(answers: Record<string, unknown> = {}, path = gamePath) {
  await clearScreen();
  history.replaceState(null, '', '/m/game');
  navigate(path);
  const requests = answerWith({
    ...homeAnswers,
    'POST /wps/game/launchGame': launched,
    'GET /wps/game/play': () => playReply(),
    'DELETE /wps/game/play': {},
    'GET /wps/member/limits': noLimits,
    'POST /wps/member/limits/realityCheck/acknowledge': {},
    'PUT /wps/member/limits/realityCheck': {},
    'GET /wps/session/touch': {},
    ...answers,
  });
  const shown = renderScreen(
    <>
      <PlayScreen />
      <ToastViewport />
    </>,
  );
  return { ...shown, requests };
}

/** Shows a game whose frame is ready, and spies on the messages to it. */
export async function showReadyGame(answers: Record<string, unknown> = {}) {
  const shown = await showGame(answers);
  await expect.poll(frame).not.toBeNull();
  const postMessage = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame);
  return { ...shown, postMessage };
}

/** Starts a member's session and clears the state of earlier tests. */
export function logInMember(): void {
  sessionStorage.clear();
  clearSession();
  toast.hide();
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
}
