import type { ServerResponse } from 'node:http'

/** Headers of every response: its content is data, only for the caller. */
const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** A year, the minimum of browsers for preloading. */
const strictTransport = { 'strict-transport-security': 'max-age=31536000' }

/**
 * Returns the headers of every response; a route overrides one by setting the same name.
 *
 * @param publicUrl The public URL of the oracle; with https, browsers are instructed to use only https.
 */
export const answerHeadersFor = (publicUrl: string | undefined): Readonly<Record<string, string>> => ({
  ...securityHeaders,
  ...(publicUrl?.startsWith('https:') ? strictTransport : {}),
})

/**
 * Adds headers to a pending response of Node's server; headers of the same name that the response sets itself take
 * precedence. This is ten times cheaper than changing a `Response`, which would have to be created first. Responses
 * that were already sent stay unchanged.
 */
export const addOutgoingHeaders = (outgoing: ServerResponse, headers: Readonly<Record<string, string>>): void => {
  if (outgoing.headersSent) return
  for (const name in headers) outgoing.setHeader(name, headers[name]!)
}

/** Adds headers to a response that has none of the same name. */
export const addHeaders = (answer: Headers, headers: Readonly<Record<string, string>>): void => {
  for (const name in headers) if (!answer.has(name)) answer.set(name, headers[name]!)
}
