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

/** The options of every command that talks to an oracle. */
interface OracleOptions {
  readonly url?: string
  /** What the agent may do for the person in a chat. @default all that they may do */
  readonly chatAbilities?: readonly string[] | undefined
  /** Take the oracle's new DID for granted. */
  readonly trust?: boolean
}

/** An oracle that answers, and the person who asks it. */
export interface OpenedOracle {
  readonly key: SigningKey
  readonly client: OracleClient
  readonly oracle: OracleRecord
  /** What the person is let in with; undefined where access is open, or nothing is good now. */
  readonly delegation: KeptDelegation | undefined
  /** Says of an error what to do, where it is that the oracle does not let the person in; others come back unchanged. */
  explain(error: unknown): Promise<unknown>
}

/**
 * Opens the developer's key, finds the oracle, and sees to it that it is the one of the first visit. What was made or
 * mended is told on standard error. Where access is delegated, the person's delegation goes with every request.
 */
export const openOracle = async (options: OracleOptions, io: CommandIo): Promise<OpenedOracle> => {
  const url = await oracleUrl(options, io)
  const { key, path, made, mended } = await openDeveloperKey(homeFolder(io.env))
  if (made) io.stderr.write(`Created your key in ${path}: you are ${key.did}\n`)
  if (mended !== undefined) io.stderr.write(`${mended}\n`)

  const delegations = new KeptDelegations(homeFolder(io.env))
  // Where access is open, everybody acts in their own right and a delegation adds nothing.
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
  const client = createClient({
    url,
    signer: key,
    proofs,
    chatAbilities: options.chatAbilities ?? ['*'],
    ...(expectedDid === undefined ? {} : { expectedDid }),
  })
  const oracle = await client.oracle()
  if (expectedDid === undefined) await knownOracles.remember(url, oracle.did ?? oracle.publicDid)
  return {
    key,
    client,
    oracle,
    delegation: await currentDelegation(oracle),
    explain: async error => explainRefusal(error, { did: key.did, url, delegation: await lastDelegation(oracle) }),
  }
}
