import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bundledPlugins } from '@sibyl/bundle'
import { createClient, type OracleClient } from '@sibyl/client'
import { createOracleApp, type OracleAppOptions } from '@sibyl/core'
import { createMnemonic, createSigningKey } from '@sibyl/identity'

/** A field office: a folder with its database, the key of its oracle and that of one person. */
export interface FieldOffice {
  /** Boots the oracle, with this model or without one. Its database is the same each time. */
  open(model?: OracleAppOptions['model']): Promise<FieldOracle>
  /** Removes all that was written. */
  remove(): Promise<void>
}

/** A running oracle, and a user who chats with it. */
export interface FieldOracle {
  readonly person: OracleClient
  close(): Promise<void>
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/**
 * Makes a field office in a temporary folder.
 *
 * @param siteUrl A site on this computer, which the oracle may read although its address is private.
 */
export const makeFieldOffice = async (siteUrl: string): Promise<FieldOffice> => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-field-research-'))
  const signer = await createSigningKey()
  const env = {
    PORT: '0',
    DATABASE_URL: `file:${join(folder, 'sibyl.db')}`,
    ORACLE_MNEMONIC: createMnemonic(12).reveal(),
    LLM_PROVIDER: 'offline',
    LOG_LEVEL: 'error',
    MEMORY_MCP_URL: 'embedded:',
    FIRECRAWL_MCP_URL: 'embedded:',
    FIRECRAWL_ALLOW_PRIVATE: new URL(siteUrl).host,
    SANDBOX_MCP_URL: 'embedded:',
    MCP_SERVERS_FILE: pathOf('../mcp.json'),
    NODE: process.execPath,
    STOVE_REGISTER: pathOf('./stove-register.ts'),
  }
  return {
    async open(model) {
      const oracle = await createOracleApp({
        config: { name: 'Field Oracle' },
        plugins: bundledPlugins(),
        env,
        ...(model ? { model } : {}),
      })
      const { url } = await oracle.listen()
      const person = createClient({ url, signer })
      await connected(person)
      return { person, close: () => oracle.close() }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Waits until the servers of mcp.json have answered once: an oracle is there before them. */
const connected = async (person: OracleClient): Promise<void> => {
  const isPending = async () => (await person.capabilities()).some(({ state }) => state === 'pending')
  for (let round = 0; round < 100 && (await isPending()); round += 1) await setTimeout(100)
}
