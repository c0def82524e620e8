import { Front } from '../pages/front.ts';
import { expect, test } from '../support/test.ts';

test('RT-16 RT-17 a search without accents finds an article, and a reload keeps the article open and its vote', async ({
  page,
  open,
}) => {
  await open('/m/help', { language: 'vi' });
  const { main } = new Front(page);
  await main.getByRole('searchbox').fill('chua vao vi');
  await main.getByRole('button', { name: /chưa vào ví/ }).tap();
  await expect(page).toHaveURL(/\/m\/helpDetail\?p=\d+&c=\d+$/);
  const article = main.getByRole('article');
  await expect(article).toBeInViewport();
  await article.getByRole('button', { name: 'Có', exact: true }).tap();
  await expect(article.getByText('Cảm ơn bạn đã trả lời.')).toBeVisible();
  await page.reload();
  await expect(article.getByText('Cảm ơn bạn đã trả lời.')).toBeVisible();
});
