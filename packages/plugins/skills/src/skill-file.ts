import { ToolFailure } from '@sibyl/plugin'
import { readInside, textOf } from './read-inside.ts'
import type { Skill } from './scan-skills.ts'
import { findPath, listSkillFiles } from './skill-files.ts'

export interface SkillFile {
  /** As it is on disk. */
  readonly path: string
  readonly bytes: number
  /** Its text; undefined where it is none. */
  readonly text: string | undefined
}

/** Largest file that is read, in bytes. */
const maxBytes = 1_000_000

/** How many paths an error names. */
const mostNamed = 20

/**
 * Reads a file of a skill by its path. Only what the folder's listing shows is opened, so that no path leads out of it.
 * Throws `ToolFailure` where that is none of its files, or one that is not read.
 */
export const readSkillFile = async ({ name, folder }: Skill, wanted: string): Promise<SkillFile> => {
  const { paths, outward } = await listSkillFiles(folder)
  const path = findPath(paths, wanted)
  if (path === undefined) {
    if (findPath(outward, wanted) !== undefined) throw new ToolFailure(refusal(wanted, name, 'leads out of its folder'))
    const known = `${paths.slice(0, mostNamed).join(', ')}${paths.length > mostNamed ? ', …' : ''}`
    throw new ToolFailure(`${refusal(wanted, name, 'is not there')} It has: ${known}`)
  }
  const read = await readInside(folder, path, maxBytes)
  if ('refused' in read) throw new ToolFailure(refusal(path, name, read.refused))
  return { path, bytes: read.bytes.length, text: textOf(read.bytes) }
}

const refusal = (path: string, skill: string, reason: string): string =>
  `'${path.slice(0, 100).replaceAll(/\p{Cc}/gu, '?')}' of the skill '${skill}' ${reason}.`
