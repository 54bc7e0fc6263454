import type { ServerResponse } from 'node:http'

/** Headers of every answer: what it contains is data, for nobody but the caller. */
const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** A year, as browsers ask for before they believe it. */
const strictTransport = { 'strict-transport-security': 'max-age=31536000' }

/**
 * The headers that every answer carries unless the route says otherwise by one of the same name.
 *
 * @param publicUrl Where the world reaches the oracle; browsers are told to stay with https where it is https.
 */
export const answerHeadersFor = (publicUrl: string | undefined): Readonly<Record<string, string>> => ({
  ...securityHeaders,
  ...(publicUrl?.startsWith('https:') ? strictTransport : {}),
})

/**
 * Adds headers to what Node's server is about to answer, whose own headers of the same name take their place. It costs a
 * tenth of changing a `Response`, which would have to become a real one first. What was sent by hand stays as it is.
 */
export const addOutgoingHeaders = (outgoing: ServerResponse, headers: Readonly<Record<string, string>>): void => {
  if (outgoing.headersSent) return
  for (const name in headers) outgoing.setHeader(name, headers[name]!)
}

/** Adds headers to an answer that has none of the same name. */
export const addHeaders = (answer: Headers, headers: Readonly<Record<string, string>>): void => {
  for (const name in headers) if (!answer.has(name)) answer.set(name, headers[name]!)
}
