import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type BackupObject, backupObject, damagedBackup } from './backup-folder.ts'

/**
 * Lists the contents of a backup; none without the list.
 *
 * @throws `backup_damaged` for an invalid line
 */
export async function* listObjects(backup: string): AsyncGenerator<BackupObject> {
  const lines = createInterface({ input: createReadStream(join(backup, 'files.ndjson'), 'utf8') })
  try {
    for await (const line of lines) yield backupObject.parse(JSON.parse(line))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw damagedBackup('The list of files of the backup is invalid.')
  }
}
