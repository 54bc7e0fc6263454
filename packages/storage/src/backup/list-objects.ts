import { type BackupObject, backupObject, damagedBackup } from './backup-manifest.ts'
import type { BackupPlace } from './backup-place.ts'

/**
 * Lists the contents of a backup; none without the list.
 *
 * @throws `backup_damaged` for an invalid line
 */
export async function* listObjects(place: BackupPlace, name: string): AsyncGenerator<BackupObject> {
  const content = await place.read(`${name}/files.ndjson`)
  if (content !== undefined) yield* parseObjects(content)
}

/** @throws `backup_damaged` for an invalid line */
export async function* parseObjects(content: AsyncIterable<Uint8Array>): AsyncGenerator<BackupObject> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield parseObject(line)
  }
  if (rest !== '') yield parseObject(rest)
}

const parseObject = (line: string): BackupObject => {
  try {
    return backupObject.parse(JSON.parse(line))
  } catch {
    throw damagedBackup('The list of files of the backup is invalid.')
  }
}
