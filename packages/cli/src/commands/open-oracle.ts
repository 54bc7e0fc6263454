import { createClient, type OracleClient } from '@sibyl/client'
import type { SigningKey } from '@sibyl/identity'
import type { OracleRecord } from '@sibyl/protocol'
import type { CommandIo } from '../command-io.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { openDeveloperKey } from '../home/developer-key.ts'
import { homeFolder } from '../home/home-folder.ts'
import { KnownOracles } from '../home/known-oracles.ts'
import { parseOracleUrl } from './oracle-url.ts'

/** The options of every command that talks to an oracle. */
export interface OracleOptions {
  readonly url?: string
  /** Take the oracle's new DID for granted. */
  readonly trust?: boolean
}

/** An oracle that answers, and the person who asks it. */
export interface OpenedOracle {
  readonly key: SigningKey
  readonly client: OracleClient
  readonly oracle: OracleRecord
}

const defaultUrl = 'http://localhost:3000'

/**
 * Opens the developer's key, finds the oracle, and sees to it that it is the one of the first visit. What was made or
 * mended is told on standard error.
 *
 * @throws CommandError, and what the client throws
 */
export const openOracle = async (options: OracleOptions, io: CommandIo): Promise<OpenedOracle> => {
  const url = urlOf(options, io.env)
  const { key, path, made, mended } = await openDeveloperKey(homeFolder(io.env))
  if (made) io.stderr.write(`Made your key in ${path}: you are ${key.did}\n`)
  if (mended !== undefined) io.stderr.write(`${mended}\n`)

  const knownOracles = new KnownOracles(homeFolder(io.env))
  const expectedDid = options.trust ? undefined : await knownOracles.find(url)
  const client = createClient({ url, signer: key, ...(expectedDid === undefined ? {} : { expectedDid }) })
  const oracle = await client.oracle()
  if (expectedDid === undefined) await knownOracles.remember(url, oracle.did ?? oracle.publicDid)
  return { key, client, oracle }
}

/** What does not parse may hold a password: it is not repeated. */
const urlOf = ({ url }: OracleOptions, { SIBYL_URL }: CommandIo['env']): string => {
  const parsed = parseOracleUrl(url ?? (SIBYL_URL || defaultUrl))
  if (parsed) return parsed
  const remedy = 'Give one such as http://localhost:3000, without a password.'
  if (url !== undefined) throw new UsageError('--url is not the address of an oracle.', remedy)
  throw new ConfigurationError('SIBYL_URL is not the address of an oracle.', remedy)
}
