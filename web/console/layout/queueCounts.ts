// Counts the open tasks, for the navigation.
import { useQuery } from '@tanstack/react-query';

import { request } from '../server/request.ts';

type OpenTasks = { list: readonly { object: string }[] };

/** The highest number that is shown. One page of the list has enough tasks to know whether there are more. */
export const maxCount = 99;

/** Returns the number of open tasks of each screen, by the path of the screen. */
export function useQueueCounts(): ReadonlyMap<string, number> {
  const query = { state: 'open', pageSize: String(maxCount + 1) };
  const { data } = useQuery({
    // The event stream reloads it like the list of the tasks.
    queryKey: ['list', '/ops/v1/tasks', query],
    queryFn: () => request<OpenTasks>('GET', '/ops/v1/tasks', { query }),
  });
  return countTasks(data?.list ?? []);
}

/** Counts tasks by screen. The object of a task, such as `withdrawals/17`, is the path of its screen. */
export function countTasks(tasks: OpenTasks['list']): ReadonlyMap<string, number> {
  const counts = new Map([['/tasks', tasks.length]]);
  for (const { object } of tasks) {
    const screen = `/${object.split('/')[0]}`;
    counts.set(screen, (counts.get(screen) ?? 0) + 1);
  }
  return counts;
}
