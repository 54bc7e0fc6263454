import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Refusal } from '@sibyl/plugin'

/** The JSON-RPC code of requests that the oracle refuses. */
const refusedCode = -32000

/** Returns the error of a turn that was refused, with the status and the code that HTTP clients get. */
export const turnRefused = ({ status, code, detail, retryAfterSeconds }: Refusal): Error =>
  new ProtocolError(refusedCode, detail, {
    status,
    code,
    retryAfterSeconds,
  })

/** Returns the error of a request with invalid parameters. */
export const invalidParams = (text: string): Error => new ProtocolError(ProtocolErrorCode.InvalidParams, text)
