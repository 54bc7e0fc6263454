import { resolve } from 'node:path'
import type { ContentsLocation } from '../contract/owned-files.ts'
import { refuseBackup } from './backup-manifest.ts'
import type { BackupLocation } from './backup-place.ts'

/**
 * Refuses a place whose contents would be those of the oracle itself: they would count as stored, and others be removed.
 *
 * @throws `backup_refused`
 */
export const refuseOwnFiles = (
  { folder, objects }: BackupLocation,
  owners: readonly { readonly files?: ContentsLocation }[],
): void => {
  const contents = addressOf({
    directory: `${folder}/files`,
    objects: objects && { ...objects, prefix: `${objects.prefix}files/` },
  })
  for (const { files } of owners) {
    const own = files && addressOf(files)
    if (own && (own.startsWith(contents) || contents.startsWith(own)))
      refuseBackup(`${folder} has the files of the oracle in it.`, 'Name another place for the backups.')
  }
}

const addressOf = ({ directory, objects }: ContentsLocation): string =>
  objects ? `${objects.bucketUrl}/${objects.prefix}` : `${resolve(directory)}/`
