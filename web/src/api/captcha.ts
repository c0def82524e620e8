import { describeError } from '../i18n/api-error.ts';
import type { Widget } from '../lib/widget/messages.ts';
import { client, value } from './client.ts';
import type { components } from './schema.d.ts';

type Slider = components['schemas']['MerchantSlider'];

/** Returns a captcha picture as a data URL. The response sets a cookie that the answer needs. */
export function captchaPicture(): Promise<string> {
  return value(client.GET('/wps/captcha'));
}

const serverChallenge = {
  puzzle: () => value(client.GET('/wps/captcha/slider')),
  slide: async (id: string, x: number) =>
    (await value(client.POST('/wps/captcha/slider', { body: { id, x } }))).pass,
  explain: describeError,
};

/** Returns the merchant's challenge: the server's own, or a widget of another provider. */
export function challengeOf(slider: Slider | undefined) {
  return { ...serverChallenge, widget: slider && widgetOf(slider) };
}

function widgetOf({ provider, script, geetestId: id }: Slider): Widget | undefined {
  return provider === 'geetest' && script && id ? { kind: 'geetest', script, id } : undefined;
}
