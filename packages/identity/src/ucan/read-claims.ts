import { type Capability, hasForbiddenScheme, isAbility, isResource } from './capability.ts'
import { type Refusal, refuse } from './refusal.ts'

/** The claims of one link in our own types. Times are seconds since 1970. */
export interface Claims {
  readonly issuer: string
  readonly audience: string
  readonly capabilities: readonly Capability[]
  readonly expiresAt: number
  readonly notBefore: number | undefined
  readonly nonce: string | undefined
  readonly facts: readonly Fact[]
  /** The proofs, still encoded. */
  readonly proofs: readonly string[]
}

/** A statement that an issuer adds to a token. */
export type Fact = Readonly<Record<string, unknown>>

const DEEPEST_FACT = 8
const LONGEST_NONCE = 256
const DID = /^did:[a-z0-9]+:\S+$/

/**
 * Reads the payload of one link (UCAN 0.8.1, section 3.2), strictly.
 *
 * @param payload the decoded JSON
 * @param position the link's name in refusals, such as `proof 1.2`
 */
export function readClaims(payload: unknown, position: string): Claims | Refusal {
  const wrong = (field: string, wanted: string) => refuse('malformed', `The ${position} needs ${wanted} as ${field}.`)

  if (!isRecord(payload)) return wrong('payload', 'a JSON object that names each member once')
  const { iss, aud, exp, nbf, nnc, att, fct = [], prf } = payload
  if (!isDid(iss)) return wrong('iss', 'a DID')
  if (!isDid(aud)) return wrong('aud', 'a DID')
  if (exp === undefined || exp === null) return refuse('expiry_missing', `The ${position} never expires: set exp.`)
  if (!isTime(exp)) return wrong('exp', 'whole seconds since 1970')
  if (nbf !== undefined && !isTime(nbf)) return wrong('nbf', 'whole seconds since 1970')
  if (nnc !== undefined && !isNonce(nnc)) return wrong('nnc', `a text of 1 to ${LONGEST_NONCE} characters`)
  if (!Array.isArray(fct) || !fct.every(fact => isRecord(fact) && isShallow(fact, DEEPEST_FACT))) {
    return wrong('fct', `a list of JSON objects of at most ${DEEPEST_FACT} levels`)
  }
  if (!Array.isArray(prf) || !prf.every(proof => typeof proof === 'string')) return wrong('prf', 'a list of tokens')
  if (!Array.isArray(att)) return wrong('att', 'a list of capabilities')

  const capabilities: Capability[] = []
  for (const item of att) {
    const capability = readCapability(item)
    if (capability === undefined) return wrong('att', 'a list of { with: URI, can: ability }')
    if (hasForbiddenScheme(capability.resource)) {
      return refuse('forbidden_scheme', `The ${position} claims a resource of the scheme my:, as: or prf:.`)
    }
    capabilities.push(capability)
  }
  return {
    issuer: iss,
    audience: aud,
    capabilities,
    expiresAt: exp,
    notBefore: nbf,
    nonce: nnc,
    facts: fct,
    proofs: prf,
  }
}

function readCapability(item: unknown): Capability | undefined {
  if (!isRecord(item) || typeof item.with !== 'string' || typeof item.can !== 'string') return undefined
  if (!isResource(item.with) || !isAbility(item.can)) return undefined
  return { resource: item.with, ability: item.can }
}

/** Returns whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns whether a value has the form of a DID of any method. */
export function isDid(value: unknown): value is string {
  return typeof value === 'string' && DID.test(value)
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isNonce(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= LONGEST_NONCE
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every(item => isShallow(item, levels - 1))
}
