import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Environment, settingOf } from '../config/environment.ts'

/** A file with the did:keys that have signed in this place, apart from any database. */
const fileName = 'signers.txt'

/**
 * Notes in the state folder that a key signs here: that of systemd (STATE_DIRECTORY), or `.data`. Without such a folder, or
 * where it is not writable, nothing is noted.
 *
 * @returns whether it was noted before
 */
export const noteSigner = async (did: string, env: Environment): Promise<boolean> => {
  const folder = settingOf(env, 'STATE_DIRECTORY')?.split(':')[0] ?? '.data'
  const path = join(folder, fileName)
  const noted = await readFile(path, 'utf8').catch(() => '')
  if (noted.split('\n').includes(did)) return true
  await appendFile(path, `${did}\n`, { mode: 0o600 }).catch(() => {})
  return false
}

/** The remark on an empty database of a key that was noted before. */
export const emptyDatabaseText =
  'the database is empty, but this ORACLE_MNEMONIC has signed before: revocations and used tokens are in another database; ' +
  'set DATABASE_URL to that one, or move it with npx sibyl storage move'
