// The request for a round.
import type { RoundCommitment } from '../../src/lib/round-promise.ts';
import { type Api, RefusedError, retryUntilKnown } from '../kit/api.ts';
import type { SpinResponse } from './session.ts';

type Spin = { id: string; stake: number };

type Handlers = {
  /** Returns the commitment of the next round, with the client seed to send. */
  commitment: () => RoundCommitment;
  failed: () => void;
  /** Fetches another commitment. */
  refresh: () => Promise<void>;
};

/**
 * Sends the spin with the browser's own seed, the same in every repetition. Draws another if a round in another window has used the
 * server's seed. `sent` has the commitment and the client seed of the accepted request.
 */
export async function requestSpin(
  api: Api,
  { id: spinId, stake }: Spin,
  on: Handlers,
): Promise<{ sent: RoundCommitment; response: SpinResponse }> {
  const send = async () => {
    const sent = on.commitment();
    const { commitment, clientSeed } = sent;
    const response = await retryUntilKnown(
      () => api.post<SpinResponse>('spin', { spinId, stake, clientSeed, commitment }),
      on.failed,
    );
    return { sent, response };
  };
  try {
    return await send();
  } catch (thrown) {
    if (!(thrown instanceof RefusedError) || thrown.code !== 'house.other_seed') throw thrown;
    await on.refresh();
    return await send();
  }
}
