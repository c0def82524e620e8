import { value } from './client.ts';

/** As `value`, for a code that was sent, with the server's time of the answer: the device's clock may be off. */
export async function sentCode<T extends object>(
  answer: Parameters<typeof value<T>>[0],
): Promise<T & { answeredAt?: number }> {
  const sent = await value(answer);
  const answeredAt = Date.parse((await answer).response.headers.get('Date') ?? '');
  return Number.isNaN(answeredAt) ? sent : { ...sent, answeredAt };
}
