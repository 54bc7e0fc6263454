import { createClient, type OracleClient } from '@sibyl/client'
import type { SigningKey } from '@sibyl/identity'
import type { OracleRecord } from '@sibyl/protocol'
import { openDeveloperKey } from '../home/developer-key.ts'
import { homeFolder } from '../home/home-folder.ts'
import { isCurrent, type KeptDelegation, KeptDelegations } from '../home/kept-delegations.ts'
import { KnownOracles } from '../home/known-oracles.ts'
import type { CommandIo } from '../process/command-io.ts'
import { explainRefusal } from './explain-refusal.ts'
import { oracleUrl } from './oracle-url.ts'

/** The options of every command that connects to an oracle. */
interface OracleOptions {
  readonly url?: string
  /** The abilities of the agent for the user in a chat. @default all abilities of the user */
  readonly chatAbilities?: readonly string[] | undefined
  /** Accepts the new DID of the oracle. */
  readonly trust?: boolean
}

/** A running oracle, and the user who connects to it. */
export interface OpenedOracle {
  readonly key: SigningKey
  readonly client: OracleClient
  readonly oracle: OracleRecord
  /** The delegation of the user; undefined if access is open, or none is valid. */
  readonly delegation: KeptDelegation | undefined
  /** Adds a remedy to an error if the oracle denies access; others are returned unchanged. */
  explain(error: unknown): Promise<unknown>
  /** Returns the result of a call of the oracle, or rejects with the explained error. */
  explained<Result>(work: Promise<Result>): Promise<Result>
}

/**
 * Opens the key of the developer, finds the oracle, and checks that its DID is that of the first visit. Created keys
 * and fixed modes are reported on standard error. With delegated access, every request carries the delegation of the
 * user.
 */
export const openOracle = async (options: OracleOptions, io: CommandIo): Promise<OpenedOracle> => {
  const url = await oracleUrl(options, io)
  const { key, path, made, notice } = await openDeveloperKey(homeFolder(io.env))
  if (made) io.stderr.write(`Created your key in ${path}: you are ${key.did}\n`)
  if (notice !== undefined) io.stderr.write(`${notice}\n`)

  const delegations = new KeptDelegations(homeFolder(io.env))
  // With open access, all callers act in their own right and a delegation adds nothing.
  const lastDelegation = async ({ access, did }: OracleRecord) =>
    access === 'delegated' && did !== undefined ? delegations.find(did, key.did) : undefined
  const currentDelegation = async (oracle: OracleRecord) => {
    const delegation = await lastDelegation(oracle)
    return delegation && isCurrent(delegation) ? delegation : undefined
  }
  const proofs = async (oracle: OracleRecord) => {
    const delegation = await currentDelegation(oracle)
    return delegation ? [delegation.token] : []
  }

  const knownOracles = new KnownOracles(homeFolder(io.env))
  const expectedDid = options.trust ? undefined : await knownOracles.find(url)
  const client = createClient({ url, signer: key, proofs, chatAbilities: options.chatAbilities ?? ['*'], expectedDid })
  const oracle = await client.oracle()
  if (expectedDid === undefined) await knownOracles.remember(url, oracle.did ?? oracle.publicDid)
  const explain = async (error: unknown) =>
    explainRefusal(error, { did: key.did, url, delegation: await lastDelegation(oracle) })
  return {
    key,
    client,
    oracle,
    delegation: await currentDelegation(oracle),
    explain,
    explained: work =>
      work.catch(async error => {
        throw await explain(error)
      }),
  }
}
