import { isAbsolute, resolve } from 'node:path'
import { connectMcp, type McpLog, type McpServerAddress, networkEnvironment } from '@sibyl/mcp-client'
import { createTextRedactor } from '@sibyl/plugin/host'
import { readServersFile } from '../servers-file/read-servers-file.ts'
import type { ServerEntry } from '../servers-file/server-entry.ts'

/** Result of an attempt to connect to a server. */
export type TriedServer =
  | { readonly name: string; readonly state: 'ready'; readonly tools: number; readonly leftOut: number }
  /** `said` is the last line of its program's standard error. */
  | { readonly name: string; readonly state: 'away'; readonly reason: string; readonly said?: string }
  /** It only accepts connections of callers. */
  | { readonly name: string; readonly state: 'untried' }

export interface TryServersOptions {
  /** The folder that the oracle runs in. */
  readonly folder: string
  /** The file of the servers. @default `mcp.json` in the folder, if it exists */
  readonly file?: string | undefined
  /** Returns the value of a variable for the file. */
  variable(name: string): string | undefined
  /** Values that must not be shown, in addition to those of the file. */
  readonly secrets: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Connects once to each server of the file, as the oracle would, and disconnects.
 *
 * @throws BootError (`mcp_servers_invalid`) with every problem of the file
 */
export const tryServers = async (options: TryServersOptions): Promise<readonly TriedServer[]> => {
  const { folder, file, variable } = options
  const entries = await readServersFile({ file, variable, folder })
  return Promise.all(entries.map(entry => tryServer(entry, options)))
}

const tryServer = async (
  { name, address, identity, secrets }: ServerEntry,
  options: TryServersOptions,
): Promise<TriedServer> => {
  if (identity.kind === 'caller') return { name, state: 'untried' }
  const redact = createTextRedactor([...secrets, ...options.secrets])
  let text: string | undefined
  const hear: McpLog['info'] = (_, facts) => {
    if (typeof facts?.said === 'string') text = facts.said
  }
  const connection = connectMcp({
    name,
    address: fromFolder(address, options),
    log: { debug: () => {}, info: hear, warn: () => {} },
  })
  try {
    await connection.ready(options.signal)
    const { tools, leftOut } = connection
    return { name, state: 'ready', tools: tools.length, leftOut: leftOut.length }
  } catch (error) {
    const reason = redact(error instanceof Error ? error.message : String(error))
    return { name, state: 'away', reason, ...(text === undefined ? {} : { said: redact(text) }) }
  } finally {
    await connection.close()
  }
}

/** Starts a program in the oracle's folder, with the oracle's network variables. */
const fromFolder = (address: McpServerAddress, { folder, variable }: TryServersOptions): McpServerAddress =>
  address.kind === 'stdio'
    ? {
        ...address,
        command: /^\.{1,2}[/\\]/.test(address.command) ? resolve(folder, address.command) : address.command,
        cwd: address.cwd === undefined ? folder : isAbsolute(address.cwd) ? address.cwd : resolve(folder, address.cwd),
        env: { ...networkEnvironment(variable), ...address.env },
      }
    : address
