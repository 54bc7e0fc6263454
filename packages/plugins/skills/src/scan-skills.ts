import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside, readInside, reasonOf } from './read-inside.ts'
import { readSkillText, type SkillText } from './skill-text.ts'

/** A skill as of the last scan. */
export interface Skill extends SkillText {
  /** Its folder, as `realpath` returns it. */
  readonly folder: string
  /** Changes with its `SKILL.md`. */
  readonly version: string
}

/** A skill that is left out. */
export interface SkillViolation {
  /** `field-survey/SKILL.md`, or the name of the folder of skills. */
  readonly file: string
  /** The problem, as the end of a sentence. */
  readonly fault: string
}

/** Content of a folder of skills, entry by entry, in order. */
export type ScannedFolder = ReadonlyMap<string, ScannedEntry>

interface ScannedEntry {
  readonly version: string
  readonly result: Skill | SkillViolation
}

/** Maximum size of a `SKILL.md`, in bytes. */
const maxBytes = 64_000

/** Maximum number of entries of a folder that are read. */
const maxEntries = 1_000

/**
 * Scans a folder for skills: each is a subfolder with a `SKILL.md`. Unchanged files are not read again. A skill behind
 * a link out of the folder is a problem.
 *
 * @param before Result of the last scan.
 * @returns Its content, or why it cannot be read.
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
      const violation = `has more than ${maxEntries.toLocaleString('en')} entries; the others are ignored`
      found.set('', { version: '', result: { file: 'SKILLS_DIR', fault: violation } })
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
  const refuse = (where: string, violation: string): ScannedEntry => ({
    version: violation,
    result: { file: where, fault: violation },
  })
  let folder: string
  let version: string
  try {
    folder = await realpath(join(root, name))
    if (!isInside(root, folder)) return refuse(file, 'is behind a link out of the skills folder')
    const facts = await stat(join(folder, 'SKILL.md'), { bigint: true })
    if (!facts.isFile()) return refuse(file, 'is not a regular file')
    version = [folder, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(' ')
  } catch (error) {
    const reason = reasonOf(error)
    if (reason !== 'does not exist') return refuse(file, reason)
    const isLowerCase = await stat(join(root, name, 'skill.md')).then(
      () => true,
      () => false,
    )
    return isLowerCase ? refuse(file, 'is named skill.md; rename it to SKILL.md') : undefined
  }
  if (before?.version === version) return before
  const content = await readInside(folder, 'SKILL.md', maxBytes)
  if ('refused' in content) return refuse(file, content.refused)
  const read = readSkillText(content.bytes, name)
  return { version, result: 'fault' in read ? { file, fault: read.fault } : { ...read.skill, folder, version } }
}
