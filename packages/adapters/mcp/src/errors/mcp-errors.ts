import type { Route } from '@sibyl/plugin'

/** JSON-RPC codes of requests that the oracle rejects before their handler. */
const rpcCodes: Readonly<Record<string, number>> = {
  json_invalid: -32700,
  body_not_readable: -32700,
  input_invalid: -32600,
  internal_error: -32603,
}

const otherCode = -32000

/** Answers a rejected request as a JSON-RPC error; `data.code` is the oracle's own code. */
export const refuse: NonNullable<Route['refuse']> = (_, { status, code, detail }) =>
  Response.json(
    { jsonrpc: '2.0', id: null, error: { code: rpcCodes[code] ?? otherCode, message: detail ?? code, data: { code } } },
    { status },
  )

/** Answers a request that the endpoint rejects. */
export const rejection = (
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers })

/** Rejects a connection that follows changes. */
export const tooManyListeners = () =>
  rejection(429, -32000, 'This caller follows changes on too many connections. Close one and try again.', {
    'retry-after': '60',
  })
