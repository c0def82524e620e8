import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { loadSanitizer, SafeHtml } from './SafeHtml.tsx';

test('shows a placeholder until the sanitizer is loaded', async () => {
  const { container } = render(<SafeHtml html="<p>Welcome</p><script>alert(1)</script>" />);
  expect(container.textContent).toBe('');
  await screen.findByText('Welcome');
  expect(container.querySelector('script')).toBeNull();
});

test('renders at once when the sanitizer is loaded', async () => {
  await loadSanitizer();
  const { container } = render(<SafeHtml html="<p>Welcome</p>" />);
  expect(container.textContent).toBe('Welcome');
  expect(container.children).toHaveLength(1);
});

test('closes broken HTML, so that what follows keeps its place', async () => {
  await loadSanitizer();
  const broken = '</div><p>One <b>two<p>three</table><a href="/m/help">four<script>alert(1)</p';
  const { container } = render(
    <>
      <SafeHtml html={broken} />
      <footer>five</footer>
    </>,
  );
  expect([...container.children].map(({ textContent }) => textContent)).toEqual([
    'One twothreefour',
    'five',
  ]);
});

test('shows pictures of the app and uploaded ones, and removes others', async () => {
  await loadSanitizer();
  const sources = [
    '/m/art/a.webp',
    '/wps/content/picture/0123abcd',
    'https://other.example/a.png',
    '/wps/content/picture/../../member/info',
  ];
  const { container } = render(<SafeHtml html={sources.map((s) => `<img src="${s}">`).join('')} />);
  const shown = [...container.querySelectorAll('img')].map((image) => image.getAttribute('src'));
  expect(shown).toEqual(sources.slice(0, 2));
});
