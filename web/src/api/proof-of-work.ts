// Proofs of work. The server requires one after failed attempts. The app solves it in the background, unnoticed by the member.
import { ApiError } from '../i18n/api-error.ts';
import { solveInBackground } from '../lib/proof-of-work.ts';
import { client, value } from './client.ts';

/** The call that a proof is for. */
export type Purpose = 'login' | 'register' | 'code';

export type ProofOfWork = { proofOfWork?: string };

/** How often a request is sent again. The cost may rise while the app solves. */
const maxRepeats = 3;
/** A proof may not expire on its way to the server, because the request would be refused. */
const expiryMarginMs = 30_000;

type PendingProof = { proof: Promise<string | undefined>; expiresAt: number };

const proofs = new Map<Purpose, PendingProof>();

/** Solves a proof before it is needed, if the server requires one from this network and device. */
export async function prefetchProof(purpose: Purpose): Promise<void> {
  // Browsers offer crypto.subtle on secure pages only.
  if (!globalThis.crypto.subtle || proofs.has(purpose)) return;
  await solve(purpose, 0).catch(() => {});
}

/** Requests work and starts to solve it. Without a cost it solves only work that the server requires now. */
async function solve(purpose: Purpose, cost: number): Promise<void> {
  const query = { purpose, ...(cost > 0 && { cost }) };
  const work = await value(client.GET('/wps/captcha/proof', { params: { query } }));
  if (cost === 0 && !work.required) return;
  proofs.set(purpose, {
    proof: solveInBackground(work).catch(() => undefined),
    expiresAt: Date.now() + work.expiresIn * 1000 - expiryMarginMs,
  });
}

/** Takes the solved proof, if there is one. A proof is valid once. */
async function takeProof(purpose: Purpose): Promise<ProofOfWork> {
  const pending = proofs.get(purpose);
  proofs.delete(purpose);
  if (!pending || pending.expiresAt < Date.now()) return {};
  const proofOfWork = await pending.proof;
  return proofOfWork ? { proofOfWork } : {};
}

/** Sends a request with the solved proof, if any. If the server requires another one, solves it and sends the request again. */
export async function withProof<T>(
  purpose: Purpose,
  send: (proof: ProofOfWork) => Promise<T>,
): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      return await send(await takeProof(purpose));
    } catch (thrown) {
      const cost = requiredCost(thrown);
      if (cost === 0 || repeats === maxRepeats || !globalThis.crypto.subtle) throw thrown;
      // oxlint-disable-next-line no-await-in-loop
      await solve(purpose, cost);
    }
  }
}

function requiredCost(thrown: unknown): number {
  if (!(thrown instanceof ApiError) || thrown.code !== 'proof.required') return 0;
  return Number(thrown.args['cost']) || 0;
}
