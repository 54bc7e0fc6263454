import type { JsonValue } from '@sibyl/protocol'

/** The keys of `ENTITIES_API_KEYS`, and the DID that each acts as. */
export const callers = {
  /** Acts as the oracle. */
  oracle: { key: 'oracle-key-of-a-fault', did: 'did:web:oracle.example' },
  farm: { key: 'farm-key-of-a-fault-script', did: 'did:web:farm.example' },
  judge: { key: 'judge-key-of-a-fault-script', did: 'did:web:judge.example' },
} as const

/** A name of `callers`. */
export type Caller = keyof typeof callers

/** Returns the settings of an oracle with entities for `callers`, under one public URL regardless of its port. */
export const entitySettings = (databaseUrl: string, mnemonic: string): Readonly<Record<string, string>> => ({
  DATABASE_URL: databaseUrl,
  ORACLE_MNEMONIC: mnemonic,
  PUBLIC_URL: 'https://oracle.example',
  ENTITIES_API_KEYS: [
    `oracle:${callers.oracle.key}`,
    `farm:${callers.farm.key}:read+write:${callers.farm.did}`,
    `judge:${callers.judge.key}:read+write:${callers.judge.did}`,
  ].join(','),
  ENTITIES_WEBHOOK_PRIVATE: 'on',
})

/** A request to the API of entities, claims and credentials. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly by: Caller
  readonly json?: JsonValue
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that came whole. */
export interface CallAnswer<Body> {
  readonly status: number
  readonly body: Body & { readonly code?: string }
}

/** Calls an oracle; undefined where the connection broke before the whole answer was there. */
export const call = async <Body>(
  url: string,
  { method = 'GET', path, by, json, headers = {} }: Call,
): Promise<CallAnswer<Body> | undefined> => {
  try {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${callers[by].key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? ({} as never) : (JSON.parse(text) as never) }
  } catch {
    return undefined
  }
}

/** Calls an oracle that is not going to be killed. @throws Error for anything but an answer of 200 to 299 */
export const mustCall = async <Body>(url: string, wanted: Call): Promise<Body> => {
  const answer = await call<Body>(url, wanted)
  if (answer && answer.status < 300) return answer.body
  throw new Error(`${wanted.method ?? 'GET'} ${wanted.path}: ${answer ? JSON.stringify(answer) : 'no answer'}`)
}
