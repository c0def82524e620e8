import { client, value } from './client.ts';
import { describeError } from './error.ts';

/** A picture to be read, as a data address. Its answer goes with the cookie that came with it. */
export function captchaPicture(): Promise<string> {
  return value(client.GET('/wps/captcha'));
}

/** The server's slider puzzle, and the way round it for those who cannot slide. */
export const challenge = {
  puzzle: () => value(client.GET('/wps/captcha/slider')),
  slide: async (id: string, x: number) =>
    (await value(client.POST('/wps/captcha/slider', { body: { id, x } }))).pass,
  picture: captchaPicture,
  code: async (captcha: string) =>
    (await value(client.POST('/wps/captcha/code', { body: { captcha } }))).pass,
  explain: describeError,
};
