// The page that runs third-party scripts. It shows one widget and posts the result to the page that framed it.
import { readOrder, type News, type Order } from './messages.ts';

type GeetestProof = Record<'lot_number' | 'captcha_output' | 'pass_token' | 'gen_time', string>;

type GeetestBox = {
  onReady: (then: () => void) => GeetestBox;
  onSuccess: (then: () => void) => GeetestBox;
  onError: (then: () => void) => GeetestBox;
  showCaptcha: () => void;
  getValidate: () => GeetestProof | false;
};

declare global {
  interface Window {
    initGeetest4?: (options: object, made: (box: GeetestBox) => void) => void;
    grecaptcha?: {
      ready: (then: () => void) => void;
      render: (place: HTMLElement, options: object) => number;
      execute: (widget: number) => void;
    };
  }
}

/** Geetest's codes for the app's languages. */
const geetestLanguages: Readonly<Record<string, string>> = { pt: 'por' };

let started = false;

// A sandboxed frame has no origin, but its URL is the app's.
const notifyParent = (news: News) => window.parent.postMessage(news, location.origin);
const fail = () => notifyParent({ news: 'failed' });

function load(url: string, then: () => void): void {
  const script = document.createElement('script');
  script.src = url;
  script.addEventListener('load', then);
  script.addEventListener('error', fail);
  document.head.append(script);
}

function showGeetest({ script, id, language }: Order): void {
  load(script, () => {
    if (!window.initGeetest4) {
      fail();
      return;
    }
    const options = {
      captchaId: id,
      product: 'bind',
      language: geetestLanguages[language] ?? 'eng',
      protocol: 'https://',
      hideSuccess: true,
      // The surrounding sheet has its own close button.
      hideBar: ['close'],
      mask: { outside: false, bgColor: 'transparent' },
      onError: fail,
    };
    window.initGeetest4(options, (box) => {
      box
        .onReady(() => {
          box.showCaptcha();
          notifyParent({ news: 'shown' });
        })
        .onSuccess(() => {
          const validated = box.getValidate();
          if (!validated) {
            fail();
            return;
          }
          const { lot_number, captcha_output, pass_token, gen_time } = validated;
          const proof = JSON.stringify({ lot_number, captcha_output, pass_token, gen_time });
          notifyParent({ news: 'passed', proof });
        })
        .onError(fail);
    });
  });
}

function showRecaptcha({ script, id, language }: Order): void {
  const url = new URL(script);
  url.searchParams.set('render', 'explicit');
  url.searchParams.set('hl', language);
  load(url.href, () => {
    const { grecaptcha } = window;
    if (!grecaptcha) {
      fail();
      return;
    }
    grecaptcha.ready(() => {
      const place = document.body.appendChild(document.createElement('div'));
      const widget = grecaptcha.render(place, {
        sitekey: id,
        size: 'invisible',
        badge: 'inline',
        callback: (proof: string) => notifyParent({ news: 'passed', proof }),
        'error-callback': fail,
        'expired-callback': fail,
      });
      notifyParent({ news: 'shown' });
      grecaptcha.execute(widget);
    });
  });
}

addEventListener('message', ({ source, origin, data }) => {
  if (started || source !== window.parent || origin !== location.origin) return;
  const order = readOrder(data);
  if (!order) return;
  started = true;
  if (order.kind === 'geetest') showGeetest(order);
  else showRecaptcha(order);
});

notifyParent({ news: 'listening' });
