import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside, readInside, reasonOf } from './read-inside.ts'
import { readSkillText, type SkillText } from './skill-text.ts'

/** A skill as it was when it was last looked at. */
export interface Skill extends SkillText {
  /** Where its files lie, as `realpath` gives it. */
  readonly folder: string
  /** Changes whenever its `SKILL.md` does. */
  readonly version: string
}

/** A skill that is left out. */
export interface SkillFault {
  /** `field-survey/SKILL.md`, or what the folder of skills is called. */
  readonly file: string
  /** What is wrong with it, as the rest of a sentence. */
  readonly fault: string
}

/** What one folder of skills held, entry by entry in their order. */
export type ScannedFolder = ReadonlyMap<string, ScannedEntry>

interface ScannedEntry {
  readonly version: string
  readonly result: Skill | SkillFault
}

/** Longest `SKILL.md`, in bytes. */
const maxBytes = 64_000

/** Entries of a folder that are looked at. */
const maxEntries = 1_000

/**
 * Looks for skills in a folder: each is a folder in it with a `SKILL.md`. What did not change since the last time is not read
 * again. A skill that links out of the folder is a fault.
 *
 * @param before What it held the last time.
 * @returns What it holds, or why it cannot be read.
 */
export const scanSkills = async (
  folder: string,
  before: ScannedFolder = new Map(),
): Promise<ScannedFolder | { readonly refused: string }> => {
  try {
    const root = await realpath(folder)
    const entries = (await readdir(root, { withFileTypes: true }))
      .filter(entry => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
      .map(entry => entry.name)
      .sort()
    const found = new Map<string, ScannedEntry>()
    for (const name of entries.slice(0, maxEntries)) {
      const entry = await scanEntry(root, name, before.get(name))
      if (entry) found.set(name, entry)
    }
    if (entries.length > maxEntries) {
      const fault = `has more than ${maxEntries.toLocaleString('en')} entries; the others are not looked at`
      found.set('', { version: '', result: { file: 'SKILLS_DIR', fault } })
    }
    return found
  } catch (error) {
    return { refused: reasonOf(error) }
  }
}

const scanEntry = async (
  root: string,
  name: string,
  before: ScannedEntry | undefined,
): Promise<ScannedEntry | undefined> => {
  const file = `${name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')}/SKILL.md`
  const refuse = (where: string, fault: string): ScannedEntry => ({ version: fault, result: { file: where, fault } })
  let folder: string
  let version: string
  try {
    folder = await realpath(join(root, name))
    if (!isInside(root, folder)) return refuse(file, 'is behind a link out of the folder of skills')
    const facts = await stat(join(folder, 'SKILL.md'), { bigint: true })
    if (!facts.isFile()) return refuse(file, 'is no file')
    version = [folder, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(' ')
  } catch (error) {
    const reason = reasonOf(error)
    if (reason !== 'is not there') return refuse(file, reason)
    const isLowerCase = await stat(join(root, name, 'skill.md')).then(
      () => true,
      () => false,
    )
    return isLowerCase ? refuse(file, 'is named skill.md: put its name in capitals') : undefined
  }
  if (before?.version === version) return before
  const content = await readInside(folder, 'SKILL.md', maxBytes)
  if ('refused' in content) return refuse(file, content.refused)
  const read = readSkillText(content.bytes, name)
  return { version, result: 'fault' in read ? { file, fault: read.fault } : { ...read.skill, folder, version } }
}
