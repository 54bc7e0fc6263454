import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledPlugins } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { createMnemonic, createSigningKey } from '@sibyl/identity'

/** The oracle of a programme, and the keys of two who work with it. */
export interface Programme {
  readonly url: string
  /** The API key of the programme's office: it acts as the oracle. */
  readonly officeKey: string
  /** The API key of a co-operative in the field, which acts as its own DID. */
  readonly fieldKey: string
  /** The co-operative's DID. */
  readonly fieldDid: string
  close(): Promise<void>
}

const newKey = () => randomBytes(24).toString('hex')

/** Boots an oracle on a free port; all that it writes is in a temporary folder and goes with it. */
export const openProgramme = async (): Promise<Programme> => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-clean-cooking-'))
  const [officeKey, fieldKey, { did: fieldDid }] = [newKey(), newKey(), await createSigningKey()]
  const oracle = await createOracleApp({
    config: { name: 'Clean Cooking Oracle' },
    plugins: bundledPlugins(),
    env: {
      PORT: '0',
      DATABASE_URL: `file:${join(folder, 'sibyl.db')}`,
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      LLM_PROVIDER: 'offline',
      LOG_LEVEL: 'warn',
      ENTITIES_API_KEYS: `office:${officeKey},field:${fieldKey}:read+write:${fieldDid}`,
    },
  })
  const { url } = await oracle.listen()
  return {
    url,
    officeKey,
    fieldKey,
    fieldDid,
    async close() {
      await oracle.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
