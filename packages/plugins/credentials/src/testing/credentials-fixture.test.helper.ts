import type { OracleAppOptions } from '@sibyl/core'
import { type TestApp, testApp } from '@sibyl/testing'
import { credentials } from '../credentials.ts'
import type { JsonObject } from '../definitions/json-object.ts'

/** A key of `ENTITIES_API_KEYS` that acts as the oracle. */
export const officeKey = 'fixture-key-0123456789'

/** An oracle with this plugin, and a caller with a key. */
export interface CredentialsFixture extends AsyncDisposable {
  readonly oracle: TestApp
  /** Calls with a key, by default the fixture, or none. */
  call(method: string, path: string, json?: unknown, key?: string | null, headers?: HeadersInit): Promise<Answer>
  /** Issues a credential and gives its record. */
  issue(content?: object): Promise<IssuedRecord>
  verify(credential: unknown): Promise<{ verified: boolean; faults: Record<string, string> }>
}

/** What a route answered. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  readonly body: any
}

/** What `POST /credentials/issue` answers. */
export interface IssuedRecord {
  readonly id: string
  readonly status: string
  readonly credential: JsonObject & { readonly proof: JsonObject; readonly credentialStatus: readonly JsonObject[] }
}

/** Boots it. */
export const openFixture = async (options: Partial<OracleAppOptions> = {}): Promise<CredentialsFixture> => {
  const oracle = await testApp({
    plugins: [credentials()],
    ...options,
    env: { ENTITIES_API_KEYS: `fixture:${officeKey}`, ...options.env },
  })
  const call: CredentialsFixture['call'] = async (method, path, json, key = officeKey, extra = {}) => {
    const headers = new Headers(extra)
    if (key !== null) headers.set('authorization', `Bearer ${key}`)
    if (json !== undefined) headers.set('content-type', 'application/json')
    const body = json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }
    const answer = await oracle.app.request(path, { method, headers, ...body })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    oracle,
    call,
    async issue(content = {}) {
      const { status, body } = await call('POST', '/credentials/issue', { ...sampleRequest, ...content })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body
    },
    async verify(credential) {
      const { body } = await call('POST', '/credentials/verify', credential, null)
      return { verified: body.verified, faults: violationsOf(body.checks) }
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  }
}

/** Something to certify. */
export const sampleRequest = {
  type: 'CleanCookingCredential',
  subject: { id: 'did:web:stoves.example:7', meals: 32, fuel: 'pellets', größe: [1.5, true, null] },
  evidence: [{ type: 'Claim', id: 'urn:uuid:7c3b2f0e-5a0d-4bb0-9a55-7a1d0f3f1f00' }],
}

/** The checks that are not good, by name. */
export const violationsOf = (
  checks: readonly { name: string; ok: boolean; detail: string }[],
): Record<string, string> => Object.fromEntries(checks.flatMap(({ name, ok, detail }) => (ok ? [] : [[name, detail]])))
