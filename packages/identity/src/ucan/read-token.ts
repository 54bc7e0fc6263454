import { fromBase64url } from '../encoding/base64url.ts'
import { repeatedMembers } from '../encoding/repeated-members.ts'
import { type Claims, isRecord, readClaims } from './read-claims.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Size limits of a token. All four are checked before any signature. */
export interface TokenLimits {
  /** @default 16384 */
  readonly maxBytes: number
  /** Over all levels. @default 8 */
  readonly maxProofs: number
  /** Levels of proofs below the token. @default 5 */
  readonly maxDepth: number
  /** Over the token and all proofs. @default 64 */
  readonly maxCapabilities: number
}

/** The limits when none are given; tokens that Sibyl mints keep them too. */
export const defaultTokenLimits: TokenLimits = { maxBytes: 16_384, maxProofs: 8, maxDepth: 5, maxCapabilities: 64 }

/** One token of a chain, decoded but with its signature not yet verified. */
export interface Link {
  /** Its name in error messages: `token`, `proof 1`, `proof 1.2`. */
  readonly position: string
  readonly encoded: string
  readonly claims: Claims
  readonly proofs: readonly Link[]
}

/** The remaining budget for reading a token. */
interface Budget {
  proofs: number
  capabilities: number
}

const HEADER_FIELDS = 'alg,typ,ucv'

/**
 * Decodes a token and all its proofs within limits, without verifying a signature.
 *
 * @param token an encoded UCAN
 * @param limits the most that is read
 * @returns the token with its proofs below it, or the first reason to refuse it
 */
export function readToken(token: string, limits: TokenLimits): Link | Refusal {
  if (typeof token !== 'string') return refuse('malformed', 'The token is not a text.')
  if (token.length > limits.maxBytes) {
    return refuse('too_large', `The token has ${token.length} bytes, ${limits.maxBytes} are allowed.`)
  }
  return readLink(token, [], limits, { proofs: limits.maxProofs, capabilities: limits.maxCapabilities })
}

/** Lists a link and all links below it, the outermost first. */
export function linksOf(link: Link): Link[] {
  return [link, ...link.proofs.flatMap(linksOf)]
}

/** Returns whether a result is a rejection. */
export function isRefusal<T extends object>(result: T | Refusal): result is Refusal {
  return 'reason' in result
}

function readLink(encoded: string, path: readonly number[], limits: TokenLimits, budget: Budget): Link | Refusal {
  const position = path.length === 0 ? 'token' : `proof ${path.join('.')}`
  const segments = encoded.split('.', 4)
  const [header, payload, signature] = segments.map(fromBase64url)
  if (segments.length !== 3 || !header || !payload || !signature) {
    return refuse('malformed', `The ${position} is not three segments of canonical base64url, separated by dots.`)
  }
  const unsupported = checkHeader(parseJson(header), position)
  if (unsupported) return unsupported
  const claims = readClaims(parseJson(payload), position)
  if (isRefusal(claims)) return claims

  budget.capabilities -= claims.capabilities.length
  if (budget.capabilities < 0) {
    return refuse(
      'too_many_capabilities',
      `The token and its proofs claim more than ${limits.maxCapabilities} capabilities.`,
    )
  }
  budget.proofs -= claims.proofs.length
  if (budget.proofs < 0) return refuse('too_many_proofs', `The token carries more than ${limits.maxProofs} proofs.`)
  if (claims.proofs.length > 0 && path.length === limits.maxDepth) {
    return refuse('too_deep', `The token nests proofs more than ${limits.maxDepth} levels deep.`)
  }
  const proofs: Link[] = []
  for (const [index, proof] of claims.proofs.entries()) {
    const link = readLink(proof, [...path, index + 1], limits, budget)
    if (isRefusal(link)) return link
    proofs.push(link)
  }
  return { position, encoded, claims, proofs }
}

function checkHeader(header: unknown, position: string): Refusal | undefined {
  if (!isRecord(header) || Object.keys(header).sort().join() !== HEADER_FIELDS || header.typ !== 'JWT') {
    return refuse('malformed', `The header of the ${position} is not { alg, typ: "JWT", ucv }, each once.`)
  }
  if (header.alg !== 'EdDSA') return refuse('unsupported_algorithm', `The ${position} is not signed with EdDSA.`)
  if (header.ucv !== '0.8.1') return refuse('unsupported_version', `The ${position} is not of UCAN version 0.8.1.`)
  return undefined
}

/** Undefined for anything but JSON in valid UTF-8 whose objects name each member once. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    return repeatedMembers(text).next().done ? value : undefined
  } catch {
    return undefined
  }
}
