// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

const proof = { lot_number: 'lot', captcha_output: 'out', pass_token: 'pass', gen_time: '1' };
const geetest = { kind: 'geetest', script: 'https://c.example/gt4.js', id: 'id-1', language: 'vi' };
const recaptcha = {
  kind: 'recaptcha',
  script: 'https://r.example/recaptcha/api.js',
  id: 'key-1',
  language: 'ur',
};

let posted: unknown[];
let parent: { postMessage: (news: unknown, target: string) => void };

/** Loads the frame's script in a window with a parent. */
beforeEach(async () => {
  posted = [];
  parent = {
    postMessage: (news, target) => {
      posted.push(target === location.origin ? news : `to ${target}`);
    },
  };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  document.head.replaceChildren();
  delete window.initGeetest4;
  delete window.grecaptcha;
  vi.resetModules();
  await import('./frame.ts');
});

function order(data: unknown, source: unknown = parent, origin = location.origin): void {
  const event = new MessageEvent('message', { data, origin });
  Object.defineProperty(event, 'source', { value: source });
  dispatchEvent(event);
}

const scripts = () => [...document.head.querySelectorAll('script')];
const loaded = () => scripts()[0]?.dispatchEvent(new Event('load'));

test('announces that it listens, and accepts one order, from its parent only', () => {
  expect(posted).toEqual([{ news: 'listening' }]);
  order(geetest, window);
  order(geetest, parent, 'https://other.example');
  order({ ...geetest, script: 'data:,' });
  expect(scripts()).toHaveLength(0);
  order(geetest);
  order(recaptcha);
  expect(scripts().map(({ src }) => src)).toEqual([geetest.script]);
});

test('LG-06 shows Geetest’s dialog and returns its proof', () => {
  let usedOptions: object = {};
  const done: Record<string, () => void> = {};
  const showCaptcha = vi.fn();
  const on = (name: string) => (then: () => void) => {
    done[name] = then;
    return box;
  };
  const box = {
    onReady: on('ready'),
    onSuccess: on('success'),
    onError: on('error'),
    showCaptcha,
    getValidate: () => ({ ...proof, captcha_id: 'id-1', more: 'x' }),
  };
  order(geetest);
  window.initGeetest4 = (options, onCreate) => {
    usedOptions = options;
    onCreate(box);
  };
  loaded();
  expect(usedOptions).toMatchObject({ captchaId: 'id-1', product: 'bind', language: 'eng' });
  done['ready']?.();
  expect(showCaptcha).toHaveBeenCalledOnce();
  done['success']?.();
  expect(posted.slice(1)).toEqual([
    { news: 'shown' },
    { news: 'passed', proof: JSON.stringify(proof) },
  ]);
  done['error']?.();
  expect(posted.at(-1)).toEqual({ news: 'failed' });
});

test('RG-09 runs the reCAPTCHA at once and returns its token', () => {
  let options: Record<string, unknown> = {};
  const execute = vi.fn();
  order(recaptcha);
  expect(scripts()[0]?.src).toBe(`${recaptcha.script}?render=explicit&hl=ur`);
  window.grecaptcha = {
    ready: (then) => then(),
    render: (_, given) => {
      options = given as Record<string, unknown>;
      return 7;
    },
    execute,
  };
  loaded();
  expect(options).toMatchObject({ sitekey: 'key-1', size: 'invisible' });
  expect(execute).toHaveBeenCalledWith(7);
  (options['callback'] as (token: string) => void)('token-1');
  expect(posted.slice(1)).toEqual([{ news: 'shown' }, { news: 'passed', proof: 'token-1' }]);
});

test.each([geetest, recaptcha])('a script that fails or is unknown is reported', (wanted) => {
  order(wanted);
  scripts()[0]?.dispatchEvent(new Event('error'));
  loaded();
  expect(posted.slice(1)).toEqual([{ news: 'failed' }, { news: 'failed' }]);
});
