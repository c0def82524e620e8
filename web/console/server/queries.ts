import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';

import { cancelQuestion } from '../action/confirmation.ts';
import { chooseMerchant } from './merchant.ts';
import { request, ServerError } from './request.ts';

export type Operator = {
  name: string;
  /** The code of the only merchant that the operator may see. */
  merchant?: string;
  roles: readonly string[];
  permissions: readonly string[];
  /** Another person has set the password. */
  mustChangePassword?: boolean;
};

const sessionPath = '/ops/v1/session';

const sessionKey = ['session'] as const;

/** The operator's session. The request fails with status 401 if there is none. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ client }) => {
    const { operator } = await request<{ operator: Operator }>('GET', sessionPath);
    forgetOtherOperator(client, operator);
    return operator;
  },
  retry: false,
});

/** Identifies an operator. Names are unique within a merchant. */
export const operatorKey = ({ merchant = '', name }: Operator): string => `${merchant}/${name}`;

/** Deletes the data of another operator, who has used the console before in this page. */
function forgetOtherOperator(client: QueryClient, operator: Operator): void {
  const previous = client.getQueryData<Operator>(sessionKey);
  if (!previous || operatorKey(previous) === operatorKey(operator)) return;
  cancelQuestion();
  chooseMerchant(null);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

/** Opens the console after a login. Data that was loaded before the login is loaded again. */
export function openSession(client: QueryClient, operator: Operator): void {
  forgetOtherOperator(client, operator);
  client.setQueryData(sessionKey, operator);
  void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

/** The response to a correct password. The code is the next step. The first login also sets up an authenticator app. */
export type PasswordStep = { step: 'code' } | { step: 'enrol'; secret: string; otpauth: string };

export type CodeStep = { step: 'done'; operator: Operator; recoveryCodes?: readonly string[] };

export const sendPassword = (body: { name: string; password: string }): Promise<PasswordStep> =>
  request('POST', sessionPath, { body });

export const sendCode = (code: string): Promise<CodeStep> =>
  request('POST', `${sessionPath}/code`, { body: { code } });

export const logOut = (): Promise<unknown> => request('DELETE', sessionPath);

/** Creates the cache of responses. A 401 response reloads the session, which shows the login. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        const isLoggedOut = error instanceof ServerError && error.status === 401;
        if (isLoggedOut && query.queryKey[0] !== sessionQuery.queryKey[0])
          void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      },
    }),
    defaultOptions: {
      // Offline requests fail at once instead of waiting for the network.
      queries: { networkMode: 'always', retry: false },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
