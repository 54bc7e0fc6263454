import type { Refusal } from '@sibyl/plugin'
import { retryAfter } from '@sibyl/plugin/host'

/** Returns the problem document of a turn that was refused. */
export const refuseTurn = ({ status, code, detail, retryAfterSeconds }: Refusal, requestId: string): Response =>
  Response.json(
    { type: `urn:sibyl:error:${code}`, title: 'The turn was refused', status, code, detail, requestId },
    {
      status,
      headers: { 'content-type': 'application/problem+json', ...retryAfter({ retryAfterSeconds }) },
    },
  )
