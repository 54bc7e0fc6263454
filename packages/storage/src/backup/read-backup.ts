import { buffer } from 'node:stream/consumers'
import { type BackupManifest, backupManifest, damagedBackup, refuseBackup } from './backup-manifest.ts'
import type { BackupPlace } from './backup-place.ts'

/** A complete backup. */
export interface FoundBackup {
  /** Its time, which is the name of its folder. */
  readonly name: string
  readonly place: BackupPlace
  readonly manifest: BackupManifest
}

const maxManifestBytes = 64_000_000

/**
 * Reads a backup.
 *
 * @param at its name. @default the newest complete one
 * @throws `backup_refused` without one, `backup_damaged` for an invalid manifest
 */
export const readBackup = async (place: BackupPlace, at?: string): Promise<FoundBackup> => {
  const names = await place.names()
  if (at !== undefined && !names.includes(at))
    return refuseBackup(`${place.where} has no backup ${at}.`, `It has: ${names.slice(0, 20).join(', ') || 'none'}.`)
  for (const name of at === undefined ? names : [at]) {
    const content = await place.read(`${name}/manifest.json`)
    if (content !== undefined) return { name, place, manifest: parseManifest(await buffer(content), name) }
  }
  return at === undefined
    ? refuseBackup(`${place.where} has no complete backup.`, 'Name the place of `sibyl backup`, or make a backup.')
    : refuseBackup(`The backup ${at} is incomplete: it has no manifest.`, 'Name another one.')
}

const parseManifest = (text: Buffer, name: string): BackupManifest => {
  try {
    if (text.length > maxManifestBytes) throw new Error('too large')
    return backupManifest.parse(JSON.parse(text.toString('utf8')))
  } catch {
    throw damagedBackup(`The manifest of the backup ${name} is invalid.`)
  }
}
