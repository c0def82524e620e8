import { expect, test } from 'vitest';

import { destinations } from '../destinations.ts';
import { screenPaths } from '../testing/screen-paths.ts';
import { screenRoutes } from './routes.ts';

test('the list of screens for the browser tests has every route, and only these', () => {
  const routes = ['/', ...screenRoutes.map(({ path }) => path)];
  expect(screenPaths.toSorted()).toEqual(routes.toSorted());
  expect(new Set(routes).size, 'no path has two routes').toBe(routes.length);
});

test('every destination is a screen', () => {
  const paths = destinations.flatMap(({ path, otherPaths = [] }) => [path, ...otherPaths]);
  expect(paths.filter((path) => !screenPaths.includes(path))).toEqual([]);
});
