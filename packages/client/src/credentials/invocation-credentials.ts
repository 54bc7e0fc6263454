import {
  grantedAbilities,
  impersonationAbility,
  mintInvocation,
  narrowAbilities,
  type Signer,
} from '@sibyl/identity/browser'
import { type OracleRecord, personFilesAbilities } from '@sibyl/protocol'
import type { Credentials } from './credentials.ts'

/**
 * UCANs that delegate rights on `oracle:<did>` to the DID of the signer, or a function that returns them, called for
 * each signed token.
 */
export type Proofs = readonly string[] | ((oracle: OracleRecord) => readonly string[] | Promise<readonly string[]>)

/** The signer of invocations, and its delegations. */
export interface Invoker {
  readonly signer: Signer
  /** @default none: the signer acts in their own right */
  readonly proofs?: Proofs | undefined
  /** Acts as the DID with which the proofs begin. @default false */
  readonly impersonate?: boolean | undefined
  /**
   * The abilities of the agent for the signer in a turn, besides `chat/send`; as far as the proofs grant them. @default
   * `['chat/*']`
   */
  readonly chatAbilities?: readonly string[] | undefined
  /** The DID that invocations are addressed to, where the client expects one. */
  readonly expectedDid: string | undefined
  /** The clock of invocations, in milliseconds since 1970. */
  readonly now: () => number
}

/** The lifetime of an invocation for one request. */
const lifetimeSeconds = 60

/** To whom an invocation is addressed, for what, and with which proofs. Proofs are about the did:key of the oracle. */
export interface InvocationAddress {
  readonly audience: string
  readonly resource: string
  readonly proofs: readonly string[]
}

/** Finds out how to address an oracle, whatever other DID it is known by; asks what gives the proofs. */
export const addressOf = async (
  { proofs = [], expectedDid }: Invoker,
  oracle: OracleRecord,
): Promise<InvocationAddress> => {
  const audience = expectedDid ?? oracle.did ?? oracle.publicDid
  const given = typeof proofs === 'function' ? await proofs(oracle) : proofs
  return { audience, resource: `oracle:${given.length > 0 ? (oracle.did ?? audience) : audience}`, proofs: given }
}

/**
 * Returns what the token of a message claims: `chat/send`, and what the agent may do for the signer as far as the proofs
 * grant it.
 */
export const chatClaims = (
  { chatAbilities = ['chat/*'] }: Invoker,
  { resource, proofs }: InvocationAddress,
): readonly string[] => {
  const held = proofs.length > 0 ? narrowAbilities(chatAbilities, grantedAbilities(proofs, resource)) : chatAbilities
  return [...new Set(['chat/send', ...held])]
}

/** Returns the claims to a right to read files: `files/read` and `chat/personal`, as far as the proofs grant them. */
const fileClaims = ({ resource, proofs }: InvocationAddress): readonly string[] =>
  proofs.length > 0
    ? narrowAbilities(personFilesAbilities.read, grantedAbilities(proofs, resource))
    : personFilesAbilities.read

/**
 * Mints an invocation for an oracle.
 *
 * @throws InvalidMintRequestError (`mint_request_invalid`) when the proofs do not allow what is asked for
 */
export const mintFor = (
  { signer, impersonate = false, now }: Invoker,
  address: InvocationAddress,
  abilities: readonly string[],
): Promise<string> => {
  const wanted = impersonate ? [...abilities, impersonationAbility] : abilities
  return mintInvocation({ key: signer, ...address, abilities: wanted, lifetimeSeconds, now })
}

/** A fresh invocation for each request: single use for everything but GET. */
export const invocationCredentials = (invoker: Invoker): Credentials => ({
  async tokenFor(ability, oracle, uses) {
    const address = await addressOf(invoker, oracle)
    if (uses === 'agent') return mintFor(invoker, address, chatClaims(invoker, address))
    return mintFor(invoker, address, uses === 'files' ? [ability, ...fileClaims(address)] : [ability])
  },
  renew: () => false,
})
