import { join } from 'node:path'
import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { createOracleApp, type OracleApp } from '@sibyl/core'
import { type BootError, isBootError, isOracleError, type Logger } from '@sibyl/plugin'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandError } from '../errors/command-error.ts'
import { cleanLine } from '../output/clean-text.ts'
import type { DevnetKeys } from './devnet-keys.ts'
import { readRunningDevnet } from './running-devnet.ts'

interface DevnetParts {
  readonly folder: string
  readonly keys: DevnetKeys
  readonly port: number
  /** The logger. @default the log of the oracle on standard output */
  readonly logger?: Logger
}

/** The bundled plugins of a devnet: a registry with claims and credentials. */
const offered = new Set(['entities', 'claims', 'credentials'])

/**
 * Boots the oracle of a devnet. Its settings are fixed: the environment does not change them.
 *
 * @throws `devnet_not_started` when its data cannot be used
 */
export const bootDevnet = async ({ folder, keys, port, logger }: DevnetParts): Promise<OracleApp> => {
  const env = {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${keys.port}`,
    DATABASE_URL: `file:${join(folder, 'devnet.db')}`,
    ORACLE_NAME: 'Devnet',
    ORACLE_DESCRIPTION: 'Stores entities, claims and credentials on this computer.',
    ORACLE_MNEMONIC: keys.mnemonic,
    ENTITIES_API_KEYS: `devnet:${keys.apiKey}:read+write`,
    ENTITIES_EXPLORER: 'on',
    RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_DID_PER_MINUTE: '0',
    ENTITIES_HISTORY_PER_MINUTE: '0',
    DID_RESOLUTION_PER_MINUTE: '0',
    SHUTDOWN_GRACE_SECONDS: '5',
  }
  const plugins = bundledPlugins().filter(({ name }) => offered.has(name))
  const adapters = bundledAdapters().filter(({ isPartOfCore }) => isPartOfCore)
  try {
    return await createOracleApp({ plugins, adapters, env, ...(logger ? { logger } : {}) })
  } catch (error) {
    throw isBootError(error) ? await explainBoot(error, folder) : error
  }
}

/**
 * Serves a devnet.
 *
 * @returns its address, for a browser on this computer
 * @throws `devnet_not_started` when its port cannot be used
 */
export const serveDevnet = async (oracle: OracleApp, port: number): Promise<string> => {
  try {
    return (await oracle.listen()).url
  } catch (cause) {
    if (!isOracleError(cause)) throw cause
    throw portError(port, cause, cause.code === 'port_in_use')
  }
}

/** Returns the error for a port that cannot be used. */
export const portError = (port: number, cause: Error, isTaken: boolean): CommandError => {
  const message = isTaken
    ? `Port ${port} is already in use.`
    : `Port ${port} is unavailable: ${cleanLine(cause.message)}`
  const other = port + 100 <= 65_535 ? port + 100 : 0
  return cliErrors.devnet_not_started(message, `Choose another: sibyl devnet --port ${other}`, {
    cause,
    reason: isTaken ? 'port_taken' : undefined,
  })
}

const explainBoot = async (error: BootError, folder: string): Promise<CommandError> => {
  const code = error.problems[0]?.code ?? ''
  const [message, remedy] = (await known[code]?.(folder)) ?? [
    cleanLine(error.problems.flatMap(({ headline, lines }) => [headline, ...lines]).join(' ')),
    'Pass another folder with --data to start a new devnet.',
  ]
  return cliErrors.devnet_not_started(message, remedy, {
    cause: error,
    reason: code === 'database_in_use' ? 'data_in_use' : undefined,
  })
}

const unwritable = (folder: string): [string, string] => [
  `The folder ${folder} is not writable.`,
  'Grant yourself write permission, or pass another folder with --data.',
]

/** Returns the error for a running devnet; its address may not be on disk yet. */
const runningAlready = async (folder: string): Promise<[string, string]> => {
  const url = await readRunningDevnet(folder)
  return [
    `A devnet with the data in ${folder} is already running.`,
    `${url === undefined ? '' : `It runs at ${url}. `}For a second one, pass another folder with --data.`,
  ]
}

/** Errors that prevent the database of a devnet from opening, by code. */
const known: Readonly<Record<string, (folder: string) => [string, string] | Promise<[string, string]>>> = {
  database_in_use: runningAlready,
  database_folder_unusable: unwritable,
  database_read_only: unwritable,
  database_corrupt: folder => [
    `The database of this devnet, ${join(folder, 'devnet.db')}, is damaged.`,
    'Restore it from a backup, or move it away to start with an empty one.',
  ],
}
