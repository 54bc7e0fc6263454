import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, parseJson } from '@sibyl/protocol'
import { readProjectFile, replaceProjectFile } from '../../project/read-project-file.ts'
import { renderJson } from './render-manifest.ts'

const sections = ['engines', 'scripts', 'dependencies', 'devDependencies', 'overrides', 'resolutions'] as const

/**
 * Adds what a new project has in `package.json` to an existing one, whose own entries stay.
 *
 * @returns The entries that stay and differ, such as `scripts.test`; undefined if the file is not an object.
 */
export const mergeManifest = async (folder: string, rendered: string): Promise<readonly string[] | undefined> => {
  const path = join(folder, 'package.json')
  const [own, made] = [parseJson((await readProjectFile(path)) ?? ''), parseJson(rendered)]
  if (!isObject(own) || !isObject(made)) return undefined
  const merged: Record<string, unknown> = { ...own, type: own.type ?? made.type }
  const kept: string[] = own.type === undefined || own.type === made.type ? [] : ['type']
  for (const name of sections) {
    const added = made[name]
    if (!isObject(added)) continue
    const present = isObject(own[name]) ? own[name] : {}
    merged[name] = { ...present, ...added, ...present }
    kept.push(
      ...Object.keys(added).flatMap(key =>
        (merged[name] as object)[key as never] === added[key] ? [] : [`${name}.${key}`],
      ),
    )
  }
  await replaceProjectFile(path, renderJson(merged), (await stat(path)).mode & 0o777)
  return kept
}
