import { msg } from '@lingui/core/macro';

import { DataList, type Column } from '../list/DataList.tsx';

/** The fields that every object of the API has. */
type ListedObject = { id: string; status: string; version: number };

const columns: readonly Column<ListedObject>[] = [
  { key: 'id', title: msg`Id` },
  { key: 'status', title: msg`Status` },
  { key: 'version', title: msg`Version`, isHidden: true },
];

/** The list of a kind of object, such as `members`. */
export function ObjectListScreen({ kind }: { kind: string }) {
  return (
    <DataList
      key={kind}
      name={kind}
      path={`/ops/v1/${kind}`}
      columns={columns}
      filters={[
        { name: 'q', kind: 'text', label: msg`Search` },
        { name: 'state', kind: 'text', label: msg`Status` },
        { name: 'from', kind: 'date', label: msg`From` },
        { name: 'to', kind: 'date', label: msg`To` },
      ]}
    />
  );
}
