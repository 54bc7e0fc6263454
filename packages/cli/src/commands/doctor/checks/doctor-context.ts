import { access, constants } from 'node:fs/promises'
import { ResponseTooLargeError } from '@sibyl/client'
import type { OracleInspection } from '@sibyl/core/records'
import { parseJson } from '@sibyl/protocol'
import { networkReason } from '../../../http/network-reason.ts'
import { readCapped } from '../../../http/read-capped.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import type { Project } from '../../../project/project.ts'

/** Timeout of one request, in milliseconds. */
export const requestLimitMs = 10_000
const maxBytes = 4_000_000

/** The response of an address, or the reason why it is missing. */
export type WebResponse =
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly headers: Headers
      readonly text: string
      /** The body as JSON; undefined if it is not JSON. */
      readonly json: unknown
    }
  | { readonly kind: 'silent'; readonly reason: string }

/** The clock of another computer. */
interface RemoteTime {
  /** Its host: `localhost:4100`. */
  readonly host: string
  /** Milliseconds since 1970, to the second. */
  readonly time: number
  /** The clock of this computer, halfway between request and response. */
  readonly ownTime: number
}

export interface DoctorContext {
  readonly io: CommandIo
  /** Undefined outside of a project, and if its files cannot be read. */
  readonly project: Project | undefined
  /** The inspection of the oracle of the project; undefined without a project, or if it fails. */
  readonly inspection: Promise<OracleInspection | undefined>
  /** Whether requests to the model provider are allowed. */
  readonly online: boolean
  /** A setting of the project, otherwise of the environment. */
  setting(variable: string): string | undefined
  readonly signal: AbortSignal
  send(url: string, init?: RequestInit): Promise<WebResponse>
  readonly fetch: typeof globalThis.fetch
  /** The clocks in all responses so far. */
  readonly times: readonly RemoteTime[]
}

export const makeContext = (
  given: Pick<DoctorContext, 'io' | 'project' | 'inspection' | 'online'>,
  signal: AbortSignal,
): DoctorContext => {
  const times: RemoteTime[] = []
  const timedFetch: typeof globalThis.fetch = async (input, init) => {
    const before = Date.now()
    const ends = [signal, AbortSignal.timeout(requestLimitMs), ...(init?.signal ? [init.signal] : [])]
    const response = await fetch(input, { redirect: 'manual', ...init, signal: AbortSignal.any(ends) })
    const time = Date.parse(response.headers.get('date') ?? '')
    const host = new URL(input instanceof Request ? input.url : input).host
    if (!Number.isNaN(time)) times.push({ host, time, ownTime: (before + Date.now()) / 2 })
    return response
  }
  const { io, project } = given
  return {
    ...given,
    signal,
    times,
    fetch: timedFetch,
    setting: variable => (project ? project.setting(variable) : io.env[variable]?.trim() || undefined),
    async send(url, init) {
      try {
        const response = await timedFetch(url, init)
        const text = await readCapped(response, maxBytes)
        if (text === undefined) throw new ResponseTooLargeError('The response', maxBytes)
        const { status, headers } = response
        return { kind: 'reply', status, headers, text, json: parseJson(text) }
      } catch (error) {
        return { kind: 'silent', reason: reasonOf(error) }
      }
    },
  }
}

/** Returns whether this process may write to a file or folder. */
export const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  )

const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return `no response within ${requestLimitMs / 1_000} s`
  return networkReason(error)
}
