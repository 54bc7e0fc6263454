import { authSchemas } from '@sibyl/protocol'
import type * as z from 'zod'
import type { OracleHttp } from './http/oracle-http.ts'
import { pathSegment } from './http/path-segment.ts'
import { readJson } from './http/read-json.ts'

export type ApiKeyRecord = z.infer<typeof authSchemas.apiKeyList>['keys'][number]
export type ApiKeyRequest = z.infer<typeof authSchemas.apiKeyRequest>
export type CreatedApiKeyRecord = z.infer<typeof authSchemas.createdApiKeyRecord>

/** Stored API keys of the caller, for clients that cannot sign. */
export interface ApiKeys {
  /**
   * Creates one that acts as the caller, with at most the caller's abilities.
   *
   * @returns the key with its secret, which the oracle does not return again
   * @throws ProblemError with the oracle's code (`scope_not_held`, `api_keys_full`, ...)
   */
  create(request: ApiKeyRequest): Promise<CreatedApiKeyRecord>
  /** Returns the valid ones, without secrets. */
  list(): Promise<ApiKeyRecord[]>
  /** Revokes one by its ID. */
  revoke(id: string): Promise<void>
}

/** Creates them on the connection of a client. Calls are signed with a key. */
export const makeApiKeys = (http: OracleHttp): ApiKeys => ({
  async create(body) {
    return readJson(
      await http.send({
        method: 'POST',
        path: '/api-keys',
        signs: ['api-key/create', ...(body.scopes ?? ['chat/*', 'session/*'])],
        body,
      }),
      authSchemas.createdApiKeyRecord,
    )
  },
  async list() {
    return (
      await readJson(
        await http.send({ method: 'GET', path: '/api-keys', signs: ['api-key/read'] }),
        authSchemas.apiKeyList,
      )
    ).keys
  },
  async revoke(id) {
    await http.send({ method: 'DELETE', path: `/api-keys/${pathSegment('API key', id)}`, signs: ['api-key/delete'] })
  },
})
