import { describeError } from '../i18n/api-error.ts';
import type { Widget } from '../lib/widget/messages.ts';
import { client, value } from './client.ts';
import type { components } from './schema.d.ts';

type Slider = components['schemas']['MerchantSlider'];

/** A picture to be read, as a data address. Its answer goes with the cookie that came with it. */
export function captchaPicture(): Promise<string> {
  return value(client.GET('/wps/captcha'));
}

/** The server's slider puzzle, and the way round it for those who cannot slide. */
const own = {
  puzzle: () => value(client.GET('/wps/captcha/slider')),
  slide: async (id: string, x: number) =>
    (await value(client.POST('/wps/captcha/slider', { body: { id, x } }))).pass,
  picture: captchaPicture,
  code: async (captcha: string) =>
    (await value(client.POST('/wps/captcha/code', { body: { captcha } }))).pass,
  explain: describeError,
};

/** The challenge that the merchant asks for: the server's own, or another's in its place. */
export function challengeOf(slider: Slider | undefined) {
  return { ...own, widget: slider && widgetOf(slider) };
}

function widgetOf({ provider, script, geetestId: id }: Slider): Widget | undefined {
  return provider === 'geetest' && script && id ? { kind: 'geetest', script, id } : undefined;
}
