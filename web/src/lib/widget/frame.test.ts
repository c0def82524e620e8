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

let told: unknown[];
let parent: { postMessage: (news: unknown, target: string) => void };

/** The frame's page as it is loaded, in a window that has a parent. */
beforeEach(async () => {
  told = [];
  parent = {
    postMessage: (news, target) => {
      told.push(target === location.origin ? news : `to ${target}`);
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

test('it says that it listens, and takes one order, from the page around it alone', () => {
  expect(told).toEqual([{ news: 'listening' }]);
  order(geetest, window);
  order(geetest, parent, 'https://other.example');
  order({ ...geetest, script: 'data:,' });
  expect(scripts()).toHaveLength(0);
  order(geetest);
  order(recaptcha);
  expect(scripts().map(({ src }) => src)).toEqual([geetest.script]);
});

test('LG-06 Geetest’s box opens, and gives what the server checks', () => {
  let asked: object = {};
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
  window.initGeetest4 = (options, made) => {
    asked = options;
    made(box);
  };
  loaded();
  expect(asked).toMatchObject({ captchaId: 'id-1', product: 'bind', language: 'eng' });
  done['ready']?.();
  expect(showCaptcha).toHaveBeenCalledOnce();
  done['success']?.();
  expect(told.slice(1)).toEqual([
    { news: 'shown' },
    { news: 'passed', proof: JSON.stringify(proof) },
  ]);
  done['error']?.();
  expect(told.at(-1)).toEqual({ news: 'failed' });
});

test('RG-09 the reCAPTCHA is asked at once, and its token handed over', () => {
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
  expect(told.slice(1)).toEqual([{ news: 'shown' }, { news: 'passed', proof: 'token-1' }]);
});

test.each([geetest, recaptcha])('a script that does not come, or is another, is told', (wanted) => {
  order(wanted);
  scripts()[0]?.dispatchEvent(new Event('error'));
  loaded();
  expect(told.slice(1)).toEqual([{ news: 'failed' }, { news: 'failed' }]);
});
