import { ToolFailure } from '@sibyl/plugin'
import { readInside, textOf } from './read-inside.ts'
import type { Skill } from './scan-skills.ts'
import { findPath, listSkillFiles } from './skill-files.ts'

export interface SkillFile {
  /** Its path on disk. */
  readonly path: string
  readonly bytes: number
  /** Its text; undefined if it is not UTF-8. */
  readonly text: string | undefined
}

/** Maximum size of a file, in bytes. */
const maxBytes = 1_000_000

/** Maximum number of paths in an error. */
const maxNamed = 20

/**
 * Reads a file of a skill by its path. Only listed files are opened, so no path leads out of the folder. Throws
 * `ToolFailure` if the file is not listed or cannot be read.
 */
export const readSkillFile = async ({ name, folder }: Skill, wanted: string): Promise<SkillFile> => {
  const { paths, outward } = await listSkillFiles(folder)
  const path = findPath(paths, wanted)
  if (path === undefined) {
    if (findPath(outward, wanted) !== undefined) throw new ToolFailure(refusal(wanted, name, 'leads out of its folder'))
    const known = `${paths.slice(0, maxNamed).join(', ')}${paths.length > maxNamed ? ', …' : ''}`
    throw new ToolFailure(`${refusal(wanted, name, 'does not exist')} Its files: ${known}`)
  }
  const read = await readInside(folder, path, maxBytes)
  if ('refused' in read) throw new ToolFailure(refusal(path, name, read.refused))
  return { path, bytes: read.bytes.length, text: textOf(read.bytes) }
}

const refusal = (path: string, skill: string, reason: string): string =>
  `'${path.slice(0, 100).replaceAll(/\p{Cc}/gu, '?')}' of the skill '${skill}' ${reason}.`
