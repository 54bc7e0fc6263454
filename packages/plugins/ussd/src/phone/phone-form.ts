import type { UssdReply } from '../requests/ussd-request.ts'
import type { TextLimits } from '../text/measure.ts'

/** State of a phone's call at one of its requests. */
export interface PhoneCall {
  /** The network session's ID. */
  readonly sessionId: string
  /** E.164 with its plus: `+447700900001`. */
  readonly phoneNumber: string
  /** The dialed text: `*1234#`, or `*1234*1#`. */
  readonly serviceCode: string
  /** All answers so far, the last one being sent; empty for the dial. */
  readonly answers: readonly string[]
}

/** An HTTP request of a telecom gateway. */
export interface PhoneRequest {
  readonly method: 'GET' | 'POST'
  /** After the origin, with the query: `/api/ussd/hubtel`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The form of a telecom gateway's requests, for a simulated phone: in a terminal, a browser, or a test. */
export interface PhoneForm {
  /** `plain` for the form of the specification, else the provider's name. */
  readonly name: string
  readonly title: string
  /** Whether a request contains all answers of the session, or the last one. */
  readonly textMode: 'cumulative' | 'last'
  readonly limits: TextLimits
  /** Returns the request of the dial, or of the last answer. */
  request(call: PhoneCall): PhoneRequest
  /** Returns the screen in a response; undefined if the response has another form. */
  read(body: string): UssdReply | undefined
  /** Returns the request that reports the end of a call; absent if the provider does not report it. */
  end?(call: PhoneCall, reason: 'release' | 'timeout'): PhoneRequest
}

/** Returns the last answer; undefined for the dial. */
export const lastAnswer = ({ answers }: PhoneCall): string | undefined => answers.at(-1)

/** Returns the number without its plus, as most providers send it. */
export const digitsOf = ({ phoneNumber }: PhoneCall): string => phoneNumber.replace(/^\+/, '')

export const jsonRequest = (path: string, body: object): PhoneRequest => ({
  method: 'POST',
  path: `/api/ussd${path}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const formRequest = (path: string, fields: Readonly<Record<string, string>>): PhoneRequest => ({
  method: 'POST',
  path: `/api/ussd${path}`,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

export const queryRequest = (path: string, fields: Readonly<Record<string, string>>): PhoneRequest => ({
  method: 'GET',
  path: `/api/ussd${path}?${new URLSearchParams(fields)}`,
  headers: {},
})

/** Reads a reply as text: `CON …` or `END …`. */
export const readText = (body: string): UssdReply | undefined => {
  const [, word, text = ''] = /^(CON|END)(?: ([\s\S]*))?$/.exec(body) ?? []
  return word === undefined ? undefined : { kind: word === 'CON' ? 'continue' : 'end', text }
}

/** Returns a reader of replies as JSON. @param read Returns the text, and whether the session continues. */
export const jsonReader =
  (read: (fields: Readonly<Record<string, unknown>>) => readonly [text: unknown, continues: boolean]) =>
  (body: string): UssdReply | undefined => {
    const fields = parsed(body)
    if (fields === undefined) return undefined
    const [text, continues] = read(fields)
    return typeof text === 'string' ? { kind: continues ? 'continue' : 'end', text } : undefined
  }

/** Returns a member that is an object; empty if it is missing. */
export const objectIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const parsed = (body: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? objectIn(value) : undefined
  } catch {
    return undefined
  }
}
