import { sessionStore } from '../lib/storage.ts';
import { client, value } from './client.ts';
import { openGrantedSession, trialKey } from './open-session.ts';
import { freePlayModule } from './switches.gen.ts';

/** Starts a session with play money. Returns false if the server offers none at the moment. */
export async function beginTrial(merchantCode: string): Promise<boolean> {
  const trial = await value(
    client.POST('/wps/session/login/freeplay', {
      body: { moduleId: freePlayModule, ageConfirmed: true },
    }),
  );
  const { trialIndicator, token, userName, type, firstTimeLogin, trialName } = trial;
  if (trialIndicator === 0 || !token || !userName || type === undefined) return false;
  openGrantedSession({ token, userName, type, firstTimeLogin }, merchantCode);
  sessionStore.set(trialKey, trialName ?? userName);
  return true;
}
