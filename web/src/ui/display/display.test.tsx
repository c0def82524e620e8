import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import jsQR from 'jsqr';
import { useState } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';

import { ApiError } from '../../i18n/api-error.ts';
import { chooseLanguage, loadScreenMessages } from '../../i18n/runtime.ts';
import { currencyOf } from '../../lib/currency.ts';
import { renderUi } from '../../lib/testing/render.tsx';
import { useAmountCheck } from '../form/AmountField.tsx';
import { FileUpload } from '../form/FileUpload.tsx';
import { Accordion } from './Accordion.tsx';
import { CopyButton } from './CopyButton.tsx';
import { drawQr } from './QrCode.tsx';
import { QueryView } from './QueryView.tsx';

beforeAll(async () => {
  await chooseLanguage('en');
  await loadScreenMessages();
});

const idle = { isFetching: false, refetch: vi.fn() };

test('QueryView shows loading, an error with a retry, the empty state and the data', async () => {
  const view = (query: Parameters<typeof QueryView<string[]>>[0]['query']) => (
    <QueryView query={query} skeleton={<i>wait</i>} empty="none" isEmpty={(list) => !list.length}>
      {(list) => <p>{list.join()}</p>}
    </QueryView>
  );
  const refetch = vi.fn();
  const loading = { data: undefined, error: null, isFetching: true, refetch };
  const { rerender } = renderUi(view(loading));
  expect(screen.getByRole('status', { name: 'Loading' })).toBeVisible();
  const error = new ApiError('network.offline', 0);
  rerender(view({ data: undefined, error, isFetching: false, refetch }));
  await userEvent.click(screen.getByRole('button', { name: /Load failed/ }));
  expect(refetch).toHaveBeenCalledOnce();
  rerender(view({ ...idle, data: [], error: null, refetch }));
  expect(screen.getByText('none')).toBeVisible();
  rerender(view({ ...idle, data: ['a', 'b'], error, refetch }));
  expect(screen.getByText('a,b')).toBeVisible();
});

test('QueryView without a skeleton takes no space until it has data or an error', () => {
  const view = (query: Parameters<typeof QueryView<string[]>>[0]['query']) => (
    <QueryView
      query={query}
      className="content"
      errorClass="error"
      empty={null}
      isEmpty={(list) => !list.length}
    >
      {(list) => <p>{list.join()}</p>}
    </QueryView>
  );
  const loading = { ...idle, data: undefined, error: null, isFetching: true };
  const { container, rerender } = renderUi(view(loading));
  expect(container).toBeEmptyDOMElement();
  rerender(view({ ...idle, data: [], error: null }));
  expect(container).toBeEmptyDOMElement();
  rerender(view({ ...idle, data: undefined, error: new ApiError('network.offline', 0) }));
  expect(screen.getByRole('alert')).toHaveClass('error');
  expect(screen.getByRole('alert')).not.toHaveClass('content');
  rerender(view({ ...idle, data: ['a'], error: null }));
  expect(container.firstElementChild).toHaveClass('content');
});

test.each([
  ['', 'Enter an amount'],
  ['-5', 'Enter an amount'],
  ['１２', 'The minimum is'],
  ['1.5', 'Enter an amount'],
  ['0', 'above zero'],
  ['99999', 'The minimum is'],
  ['5000001', 'The maximum is'],
  ['9223372036854775808', 'The maximum is'],
])('an amount of %j is rejected', (typed, words) => {
  const results: (string | undefined)[] = [];
  function Check() {
    results.push(
      useAmountCheck(currencyOf('VND', ''), 0)(typed, { min: '100000', max: '5000000' }).error,
    );
    return null;
  }
  renderUi(<Check />);
  expect(results[0]).toContain(words);
});

test('a grouped amount is read exactly', () => {
  const results: (string | undefined)[] = [];
  function Check() {
    results.push(useAmountCheck(currencyOf('VND', ''), 0)('1.250.000').amount);
    return null;
  }
  renderUi(<Check />);
  expect(results[0]).toBe('1250000');
});

const picture = (name: string, size: number, type = 'image/png') => {
  const file = new File(['x'], name, { type });
  Object.defineProperty(file, 'size', { value: size });
  return file;
};

test.each([
  ['a wrong type', [picture('run.svg', 10, 'image/svg+xml')], 'run.svg is not a picture'],
  ['a large file', [picture('big.png', 6 * 1024 * 1024)], 'big.png is larger than 5 MB'],
  ['too many', [1, 2, 3, 4].map((i) => picture(`${i}.png`, i)), 'at most 3 pictures'],
])('VA-08 images in part: %s is rejected before the upload', async (_, files, words) => {
  const onChange = vi.fn();
  renderUi(
    <FileUpload
      label="Proof"
      files={[]}
      onChange={onChange}
      accept={['image/png', 'image/jpeg']}
      maxFiles={3}
      maxBytes={5 * 1024 * 1024}
    />,
  );
  await userEvent
    .setup({ applyAccept: false })
    .upload(screen.getByLabelText('Proof', { selector: 'input' }), files);
  expect(screen.getByRole('alert')).toHaveTextContent(words);
  expect(onChange).not.toHaveBeenCalled();
});

test('of a good and a wrong file, the good one is kept and the wrong one is named', async () => {
  const onChange = vi.fn();
  const good = picture('front.png', 10);
  renderUi(
    <FileUpload
      label="Proof"
      files={[]}
      onChange={onChange}
      accept={['image/png']}
      maxFiles={3}
      maxBytes={1024}
    />,
  );
  await userEvent
    .setup({ applyAccept: false })
    .upload(screen.getByLabelText('Proof', { selector: 'input' }), [
      picture('notes.txt', 10, 'text/plain'),
      good,
    ]);
  expect(screen.getByRole('alert')).toHaveTextContent('notes.txt is not a picture');
  expect(onChange).toHaveBeenCalledExactlyOnceWith([good]);
});

test('an accordion has at most one open section, and a tap closes it', async () => {
  const items = ['a', 'b'].map((key) => ({ key, title: `title ${key}`, content: `text ${key}` }));
  function Questions() {
    const [open, setOpen] = useState<string | null>(null);
    return <Accordion level={2} items={items} open={open} onOpen={setOpen} />;
  }
  renderUi(<Questions />);
  await userEvent.click(screen.getByRole('button', { name: 'title a' }));
  expect(screen.getByText('text a')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'title b' }));
  expect(screen.queryByText('text a')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'title b' }));
  expect(screen.queryByText('text b')).toBeNull();
});

test('copying shows a check mark', async () => {
  const user = userEvent.setup();
  renderUi(<CopyButton text="FG12" label="the reference" />);
  await user.click(screen.getByRole('button', { name: 'Copy the reference' }));
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Copied'));
  expect(await navigator.clipboard.readText()).toBe('FG12');
});

// The same texts as in internal/finance/paycode/paycode_test.go.
test.each([
  [
    'VietQR',
    '00020101021238570010A00000072701270006970415011300110019324180208QRIBFTTA530370454061200005802VN62170813ung ho lu lut6304C15C',
  ],
  [
    'PIX',
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
  ],
  ['Raast', '0002020102110202000424PK33ABCD00000000000000001004BA20'],
])('OS-12 part: an independent reader decodes a %s code', (_, text) => {
  const { edge, path } = drawQr(text);
  const scale = 4;
  const pixels = new Uint8ClampedArray(edge * edge * scale * scale * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let dy = 0; dy < scale; dy++)
      for (let dx = 0; dx < scale; dx++) {
        const at = ((Number(y) * scale + dy) * edge * scale + Number(x) * scale + dx) * 4;
        pixels.fill(0, at, at + 3);
      }
  }
  expect(jsQR(pixels, edge * scale, edge * scale)?.data).toBe(text);
});
