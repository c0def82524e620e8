import { expect, test } from '../support/test.ts';

type Envelope<T> = { success: boolean; value: T };

test('EN-10 the status has IP address, system status, home category and game page category', async ({
  request,
}) => {
  const { success, value } = (await (await request.get('/wps/system/status')).json()) as Envelope<
    Record<string, unknown>
  >;
  expect(success).toBe(true);
  expect(value['ip']).toBe('127.0.0.1');
  expect(value['systemStatus']).toBe(0);
  expect(value['homeGameCategory']).toBe('HOT');
  expect(value).toHaveProperty('gamePageAvtiveCategory');
});

test('CA-26 over HTTP: country, status, consolidated settings and template settings are served', async ({
  request,
}) => {
  const read = async (path: string) => {
    const response = await request.get(path);
    expect(response.status(), path).toBe(200);
    expect(response.headers()['content-type']).toContain('application/json');
    const body = (await response.json()) as Envelope<Record<string, unknown>>;
    expect(body.success).toBe(true);
    return body.value;
  };
  expect(await read('/wps/system/country')).toMatchObject({
    country: 'VN',
    countryDialingCode: '84',
  });
  expect(await read('/wps/system/status')).toMatchObject({ systemStatus: 0, statusReading: 'a' });
  expect(await read('/wps/system/settings/consolidated')).toMatchObject({
    merchantCode: 'fairground',
    languages: ['VI', 'EN', 'UR', 'PT'],
    defaultLanguage: 'VI',
    pickerLanguages: ['VI', 'EN'],
    currency: { code: 'VND' },
    demo: true,
  });
  expect(await read('/wps/system/setting/template')).toMatchObject({
    theme: 'dark',
    themes: ['dark', 'light'],
  });
});

test('invalid requests are refused in the envelope, each with its code', async ({ request }) => {
  const cases = [
    {
      name: 'unknown path',
      status: 404,
      code: 'route.unknown',
      send: () => request.get('/wps/nothing/here'),
    },
    {
      name: 'malformed body',
      status: 400,
      code: 'request_param_err',
      send: () =>
        request.post('/wps/session/login', {
          headers: { 'Content-Type': 'application/json' },
          data: '{"username":',
        }),
    },
    {
      name: 'wrong type',
      status: 400,
      code: 'request_param_err',
      send: () => request.post('/wps/session/login', { data: { username: 7, password: 'x' } }),
    },
    {
      name: 'unknown field',
      status: 400,
      code: 'request_param_err',
      send: () =>
        request.post('/wps/session/login', {
          data: { username: 'demo88', password: 'x', admin: true },
        }),
    },
    {
      name: 'oversize',
      status: 413,
      code: 'request.too_large',
      send: () =>
        request.post('/wps/session/login', {
          data: { username: 'a', password: 'b'.repeat(2_000_000) },
        }),
    },
    {
      name: 'unknown merchant',
      status: 403,
      code: 'merchant.unknown',
      send: () => request.get('/wps/system/status', { headers: { Merchant: 'nobody' } }),
    },
    {
      name: 'no session',
      status: 401,
      code: 'login.not.session',
      send: () => request.get('/wps/member/info'),
    },
    {
      name: 'unknown token',
      status: 401,
      code: 'user.or.token.invalid',
      send: () => request.get('/wps/member/info', { headers: { Authorization: 'y'.repeat(43) } }),
    },
    {
      name: 'another site',
      status: 403,
      code: 'csrf.refused',
      send: () =>
        request.post('/wps/session/login', {
          headers: { Origin: 'https://elsewhere.example' },
          data: { username: 'demo88', password: 'x' },
        }),
    },
  ];
  for (const { name, status, code, send } of cases) {
    await test.step(name, async () => {
      const response = await send();
      const body = (await response.json()) as { success: boolean; errorCode: string };
      expect({ status: response.status(), ...body }).toMatchObject({
        status,
        success: false,
        errorCode: code,
      });
    });
  }
});
