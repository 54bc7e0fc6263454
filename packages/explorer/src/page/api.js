/** @import { Problem } from '@sibyl/protocol' */

/** An error response of the oracle, or a failed connection. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {{ readonly status?: number, readonly code?: string, readonly issues?: Problem['issues'] }} [facts]
   */
  constructor(message, { status = 0, code = 'network_failed', issues } = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.issues = issues ?? []
  }
}

/**
 * The routes of the oracle, asked with one key.
 *
 * @typedef {object} Api
 * @property {(path: string, options?: { accept?: string, signal?: AbortSignal }) => Promise<any>} get
 * @property {(path: string, body: object) => Promise<any>} post
 */

/**
 * @param {object} parts
 * @param {string} parts.base Where the routes are: the page's address without `explorer`.
 * @param {string} parts.key An API key, or another bearer; none is sent where it is empty.
 * @param {typeof globalThis.fetch} [parts.fetch]
 * @returns {Api}
 */
export const createApi = ({ base, key, fetch = globalThis.fetch.bind(globalThis) }) => {
  /** @type {Record<string, string>} */
  const authorization = key === '' ? {} : { authorization: `Bearer ${key}` }

  /**
   * @param {string} path
   * @param {RequestInit} init
   */
  const send = async (path, init) => {
    const response = await fetch(new URL(path, base), { ...init, cache: 'no-store', credentials: 'omit' }).catch(
      error => {
        if (init.signal?.aborted) throw error
        throw new ApiError('The oracle does not answer. Is it still running?')
      },
    )
    const value = await response.json().catch(error => {
      if (init.signal?.aborted) throw error
      return undefined
    })
    if (response.ok && value !== undefined) return value
    throw errorOf(response, value)
  }

  return {
    get: (path, { accept = 'application/json', signal } = {}) =>
      send(path, { headers: { ...authorization, accept }, ...(signal ? { signal } : {}) }),
    post: (path, body) =>
      send(path, {
        method: 'POST',
        headers: { ...authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
}

/**
 * @param {Response} response
 * @param {Partial<Problem> | undefined} problem
 */
const errorOf = ({ ok, status, headers }, problem) => {
  if (ok || typeof problem?.code !== 'string') {
    return new ApiError('The response is not from an oracle. Check the address and the proxies in between.', {
      status,
      code: 'unexpected_response',
    })
  }
  const seconds = status === 429 ? headers.get('retry-after') : null
  const wait = seconds === null ? '' : ` Try again in ${seconds} s.`
  const { code, title = code, detail, issues } = problem
  return new ApiError(`${detail ?? `${title}.`}${wait}`, { status, code, ...(issues ? { issues } : {}) })
}
