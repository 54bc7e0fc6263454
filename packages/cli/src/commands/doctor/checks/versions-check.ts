import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { cleanLine } from '../../../output/clean-text.ts'
import { detectPackageManager } from '../../../package-manager/detect-package-manager.ts'
import { ownVersion } from '../../../process/own-version.ts'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'
import { compareVersions } from './node-check.ts'

const manifest = z.object({ name: z.string().max(214), version: z.string().regex(/^\d+\.\d+\.\d+\S{0,50}$/) })

/** Checks that this command and the installed @sibyl packages of the project have one version. */
export const checkVersions = async ({ project, io }: DoctorContext): Promise<Finding[]> => {
  const own = await ownVersion()
  const command = findingsOf('This computer', 'sibyl').ok(`sibyl ${own}`)
  if (!project) return [command]
  const { ok, warn, fail } = findingsOf('Project', 'versions')
  const manager = await detectPackageManager(join(project.folder, 'src'), io.env)
  const installed = await installedPackages(project.folder)
  const core = installed.get('@sibyl/core')
  if (core === undefined) {
    return [command, fail('@sibyl/core is not installed in the project.', `In its folder: ${manager} install`)]
  }
  const versions = [...new Set(installed.values())].toSorted(compareVersions)
  const names = [...installed.keys()].join(' ')
  if (versions.length > 1) {
    const listed = [...installed].map(([name, version]) => `${name} ${version}`).join(', ')
    const fix = `Set one version for all in package.json, then: ${manager} install`
    return [command, fail(`The @sibyl packages of the project have ${versions.length} versions: ${listed}.`, fix)]
  }
  if (core === own) return [command, ok(`${installed.size} packages @sibyl/… ${core}`)]
  if (compareVersions(core, own) > 0) {
    const fix = `Use the project's own command: npx sibyl doctor`
    return [command, warn(`The project has version ${core}, newer than this command (${own}).`, fix)]
  }
  const add = manager === 'npm' ? 'npm install' : `${manager} add`
  const fix = `Use the project's own command, npx sibyl; or update all in package.json to ${own}, ${add} them (${names}), and read the changelog.`
  return [command, warn(`The project has version ${core}, older than this command (${own}).`, fix)]
}

const installedPackages = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const scope = join(folder, 'node_modules', '@sibyl')
  const names = (await readdir(scope).catch(() => [])).slice(0, 100)
  const found = await Promise.all(
    names.toSorted().map(async name => {
      const text = await readFile(join(scope, name, 'package.json'), 'utf8').catch(() => '')
      return manifest.safeParse(parseJson(text)).data
    }),
  )
  return new Map(found.flatMap(one => (one ? [[cleanLine(one.name), one.version] as const] : [])))
}
