import type { HomeserverRequest } from './homeserver-request.test.support.ts'

/** How a homeserver does wrong. */
export type Wrong =
  /** Waits before it answers as it should. */
  | { readonly delayMs: number }
  /** Never answers; the connection breaks when the fault is mended. */
  | { readonly hang: true }
  /** Breaks the connection. */
  | { readonly cut: true }
  /** Does as it should, but nobody learns of it: the connection breaks, or stays without an answer. */
  | { readonly afterwards: 'cut' | 'hang' }
  /** Answers something else. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  /** Answers as it should, with so many bytes more in the JSON. */
  | { readonly paddingBytes: number }
  /** A sync gives the batch before once more, or its events in the wrong order. */
  | { readonly sync: 'repeat' | 'reverse' }

/** A fault that a homeserver is given. */
export interface Failure {
  /** The operations that go wrong: `['sync', 'send']`. @default all */
  readonly on?: readonly string[]
  /** The user whose requests go wrong. @default all, and those without a token */
  readonly user?: string
  /** What is in the decoded path of those that go wrong, such as a room's id. @default anything */
  readonly path?: string
  /** How many requests. @default all, until it is mended */
  readonly times?: number
  readonly wrong: Wrong
}

const json = { 'content-type': 'application/json' }

/** Takes so long before each answer. */
export const slow = (delayMs: number): Wrong => ({ delayMs })

/** 429 as Matrix has it. */
export const busy = (retryAfterMs?: number): Wrong => ({
  status: 429,
  headers: json,
  body: JSON.stringify({ errcode: 'M_LIMIT_EXCEEDED', error: 'Too many requests', retry_after_ms: retryAfterMs }),
})

/** An error of a proxy in front of the homeserver. */
export const broken = (status = 502): Wrong => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html>\u001b[31mBad Gateway</html>',
})

/** A page where JSON is expected. */
export const page = (): Wrong => ({ status: 200, headers: json, body: '<!doctype html><title>It works!</title>' })

/** JSON that ends in the middle. */
export const truncated = (): Wrong => ({ status: 200, headers: json, body: '{"next_batch":"s1","rooms":{"join":{"!a' })

/** JSON of the wrong shape. */
export const misshapen = (): Wrong => ({
  status: 200,
  headers: json,
  body: '{"next_batch":7,"rooms":[],"user_id":{},"room_id":1,"event_id":null,"joined":"x","chunk":{}}',
})

/** A redirect. */
export const elsewhere = (location: string): Wrong => ({ status: 307, headers: { location }, body: '' })

/** A refusal as Matrix has it. */
export const refusal = (status: number, errcode: string, more: object = {}): Wrong => ({
  status,
  headers: json,
  body: JSON.stringify({ errcode, error: `hostile \u001b[31m text about ${errcode}`, ...more }),
})

/** The faults that a homeserver has now. */
export class Failures {
  #failures: { readonly fault: Failure; left: number }[] = []

  add(failure: Failure): void {
    this.#failures.push({ fault: failure, left: failure.times ?? Infinity })
  }

  /** @param path of the faults that end. @default all of them */
  clear(path?: string): void {
    this.#failures = path === undefined ? [] : this.#failures.filter(({ fault }) => fault.path !== path)
  }

  /** What goes wrong with a request, the oldest fault first; it counts as one of the fault's times. */
  next({ operation, user, path }: Pick<HomeserverRequest, 'operation' | 'user' | 'path'>): Wrong | undefined {
    const found = this.#failures.find(
      ({ fault, left }) =>
        left > 0 &&
        (fault.on?.includes(operation) ?? true) &&
        (fault.user === undefined || fault.user === user) &&
        path.includes(fault.path ?? ''),
    )
    if (!found) return undefined
    found.left -= 1
    return found.fault.wrong
  }
}
