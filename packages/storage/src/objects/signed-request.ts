import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { AwsV4Signer } from 'aws4fetch'
import { storageErrors } from '../errors/storage-errors.ts'
import type { ObjectLocation } from './object-location.ts'
import { responseError } from './response-error.ts'

/** A request to a bucket. */
export interface ObjectRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Name in the bucket; empty for the bucket itself. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** Attempts; 1 for a request that must not be repeated. @default 3 */
  readonly attempts?: number
}

export interface ObjectRequestOptions {
  /** Milliseconds until a response begins, the time of its upload included. @default two minutes */
  readonly timeLimitMs?: number
  /** Milliseconds until the next piece of a response. @default 30 seconds */
  readonly pieceLimitMs?: number
  readonly now?: () => number
}

/** Maximum length of the text of a response. */
const maxText = 4_000_000

/** A response with its limits. */
export interface ObjectResponse {
  readonly status: number
  readonly headers: Headers
  /** Reads the body piece by piece; a piece that does not arrive in time ends it. */
  pieces(): AsyncGenerator<Uint8Array>
  text(): Promise<string>
  /** Ends the body, read or not. */
  discard(): Promise<void>
}

/** Sends signed requests (AWS Signature Version 4) to a bucket. Never follows a redirect. */
export class SignedRequest {
  readonly #location: ObjectLocation
  readonly #signer: typeof AwsV4Signer
  readonly #options: Required<ObjectRequestOptions>

  constructor(location: ObjectLocation, signer: typeof AwsV4Signer, options: ObjectRequestOptions = {}) {
    this.#location = location
    this.#signer = signer
    this.#options = { timeLimitMs: 120_000, pieceLimitMs: 30_000, now: Date.now, ...options }
  }

  /**
   * Returns the response, or undefined if the object does not exist. Repeats a request that failed for a temporary reason.
   *
   * @throws `object_store_denied`, `object_store_missing`, `object_store_clock`, `object_store_full`,
   * `object_store_unavailable`
   */
  async send(request: ObjectRequest): Promise<ObjectResponse | undefined> {
    const { attempts = 3 } = request
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await this.#fetch(request)
        if (response.status >= 200 && response.status < 300) return response
        const text = request.method === 'HEAD' ? '' : await response.text()
        const error = responseError(response.status, text, this.#location)
        if (error === undefined) return undefined
        throw error
      } catch (error) {
        if (!storageErrors.object_store_unavailable.is(error) || attempt >= attempts) throw error
      }
      await wait(100 * 4 ** (attempt - 1) * (1 + Math.random()))
    }
  }

  async #fetch({ method, key, query = {}, headers = {}, body }: ObjectRequest): Promise<ObjectResponse> {
    const { bucketUrl, region, accessKeyId, secretAccessKey, sessionToken } = this.#location
    const { now, timeLimitMs, pieceLimitMs } = this.#options
    const url = new URL(key === '' ? bucketUrl : `${bucketUrl}/${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const content = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const signed = await new this.#signer({
      ...{ method, url: url.href, accessKeyId, secretAccessKey, region, service: 's3' },
      ...(sessionToken !== undefined && { sessionToken }),
      headers: { ...headers, 'x-amz-content-sha256': content },
      datetime: new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    }).sign()
    const abort = new AbortController()
    const limited = async <Result>(limitMs: number, work: () => Promise<Result>): Promise<Result> => {
      const timer = setTimeout(() => abort.abort(), limitMs)
      try {
        return await work()
      } catch (cause) {
        const problem = abort.signal.aborted ? `did not respond within ${limitMs / 1000} s` : 'is not reachable'
        throw unavailable(this.#location, problem, cause)
      } finally {
        clearTimeout(timer)
      }
    }
    signed.headers.set('accept-encoding', 'identity')
    const { signal } = abort
    const given = { ...signed, body: (body ?? null) as BodyInit | null, redirect: 'manual', signal } as const
    const response = await limited(timeLimitMs, () => fetch(signed.url, given))
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      const reader = response.body?.getReader()
      if (reader === undefined) return
      try {
        for (;;) {
          const { done, value } = await limited(pieceLimitMs, () => reader.read())
          if (done) return
          yield value
        }
      } finally {
        await reader.cancel().catch(() => {})
      }
    }
    const readText = async () => {
      const read: Uint8Array[] = []
      let bytes = 0
      for await (const piece of pieces()) {
        bytes += piece.byteLength
        if (bytes > maxText) throw unavailable(this.#location, 'sends a response that is too large')
        read.push(piece)
      }
      return Buffer.concat(read).toString('utf8')
    }
    const discard = async () => {
      if (response.body?.locked) abort.abort()
      else await response.body?.cancel().catch(() => {})
    }
    return { status: response.status, headers: response.headers, pieces, text: readText, discard }
  }
}

/** Creates `object_store_unavailable`. @param problem such as 'is not reachable' */
export const unavailable = ({ bucketUrl }: ObjectLocation, problem: string, cause?: unknown) =>
  storageErrors.object_store_unavailable({ host: new URL(bucketUrl).host, problem }, { cause })
