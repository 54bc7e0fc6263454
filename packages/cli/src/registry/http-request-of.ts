import type { JsonValue } from '@sibyl/protocol'
import type { RegistryWrite } from './opened-registry.ts'

/** The request that `HttpRegistry` sends for a write, but for its `authorization`, which is another each time. */
export const httpRequestOf = (url: string, write: RegistryWrite): JsonValue => {
  const authorization = 'Bearer <an invocation for this request alone>'
  const type = 'application/json'
  if (write.kind === 'create') {
    const headers = { 'content-type': type, 'idempotency-key': write.idempotencyKey, authorization }
    return { method: 'POST', url: `${url}/v1/entities`, headers, body: write.creation as JsonValue }
  }
  const address = `${url}/v1/entities/${encodeURIComponent(write.did)}`
  if (write.kind === 'deactivate') {
    return { method: 'DELETE', url: address, headers: { 'if-match': write.etag, authorization } }
  }
  const headers = { 'content-type': type, 'if-match': write.etag, authorization }
  return { method: 'PATCH', url: address, headers, body: write.patch as JsonValue }
}
