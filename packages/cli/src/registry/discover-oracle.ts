import { type OracleRecord, oracleRecord, parseJson } from '@sibyl/protocol'
import { networkReason } from '../http/network-reason.ts'
import { readCapped } from '../http/read-capped.ts'

/** The program at an address: an oracle, none, or another one, with a short reason. */
type Discovery =
  | { readonly kind: 'oracle'; readonly record: OracleRecord }
  | { readonly kind: 'silent'; readonly reason: string }
  | { readonly kind: 'foreign'; readonly reason: string }

interface DiscoveryOptions {
  readonly fetch?: typeof globalThis.fetch
  /** Timeout of the complete response, in milliseconds. @default 10000 */
  readonly timeLimitMs?: number
}

const maxRecordBytes = 100_000

/**
 * Reads `/.well-known/oracle.json` of an address. Never throws for errors of the address.
 *
 * @param url `http://localhost:4100`; the path of a mounted oracle is kept.
 */
export const discoverOracle = async (url: string, options: DiscoveryOptions = {}): Promise<Discovery> => {
  const { fetch = globalThis.fetch, timeLimitMs = 10_000 } = options
  const signal = AbortSignal.timeout(timeLimitMs)
  try {
    const address = `${url.replace(/\/+$/, '')}/.well-known/oracle.json`
    const response = await fetch(address, { redirect: 'manual', cache: 'no-store', signal })
    const text = await readCapped(response, maxRecordBytes)
    if (!response.ok) return { kind: 'foreign', reason: `HTTP ${response.status}` }
    if (text === undefined) return { kind: 'foreign', reason: `more than ${maxRecordBytes} bytes` }
    const record = oracleRecord.safeParse(parseJson(text))
    return record.success
      ? { kind: 'oracle', record: record.data }
      : { kind: 'foreign', reason: 'no description of an oracle' }
  } catch (error) {
    return {
      kind: 'silent',
      reason: signal.aborted ? `no response within ${timeLimitMs / 1_000} s` : networkReason(error),
    }
  }
}
