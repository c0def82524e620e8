import { value } from './client.ts';

/** Returns the value with the server's time of the response, because the device's clock may be wrong. */
export async function withServerTime<T extends object>(
  response: Parameters<typeof value<T>>[0],
): Promise<T & { answeredAt?: number }> {
  const body = await value(response);
  const answeredAt = Date.parse((await response).response.headers.get('Date') ?? '');
  return Number.isNaN(answeredAt) ? body : { ...body, answeredAt };
}
