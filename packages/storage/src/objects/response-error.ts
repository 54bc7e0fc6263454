import { storageErrors } from '../errors/storage-errors.ts'
import type { ObjectLocation } from './object-location.ts'

const codes = {
  clock: new Set(['RequestTimeTooSkewed', 'RequestExpired']),
  full: new Set([
    'QuotaExceeded',
    'EntityTooLarge',
    'InsufficientStorage',
    'XMinioStorageFull',
    'InsufficientCapacity',
  ]),
  missing: new Set(['NoSuchBucket', 'PermanentRedirect', 'TemporaryRedirect', 'AuthorizationHeaderMalformed']),
  busy: new Set(['SlowDown', 'RequestTimeout', 'InternalError', 'ServiceUnavailable']),
} as const

/** Returns the error of a response; undefined if an object does not exist. */
export const responseError = (status: number, text: string, { bucketUrl, bucket }: ObjectLocation) => {
  const { host } = new URL(bucketUrl)
  const code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1] ?? ''
  const reason = code === '' ? `status ${status}` : `${code}, status ${status}`
  if (codes.clock.has(code)) return storageErrors.object_store_clock({ host })
  if (codes.full.has(code) || status === 413 || status === 507) return storageErrors.object_store_full({ host, reason })
  if (codes.missing.has(code) || (status >= 300 && status < 400))
    return storageErrors.object_store_missing({ host, bucket, reason })
  if (codes.busy.has(code) || status >= 500 || status === 429)
    return storageErrors.object_store_unavailable({ host, problem: `responds with ${reason}` })
  if (status === 401 || status === 403) return storageErrors.object_store_denied({ host, bucket, reason })
  if (status === 404) return undefined
  return storageErrors.object_store_unavailable({ host, problem: `rejects a request with ${reason}` })
}
