import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { outdatedRanges } from '@sibyl/core'
import { parseJson } from '@sibyl/protocol'
import { during } from '../../ask/work-line.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { writeJson } from '../../output/clean-text.ts'
import { formatCount } from '../../output/format.ts'
import { stylesFor } from '../../output/styles.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { findProject } from '../../project/project.ts'
import { readProjectFile } from '../../project/read-project-file.ts'
import { findPackagesNamed } from '../../scaffold/packages/find-packages.ts'
import { manifestOfTarball } from '../../scaffold/packages/tarball-files.ts'
import { applyUpgrade, manifestFile, workspaceFile } from './apply-upgrade.ts'
import { findChangedSources } from './moved-imports.ts'
import { type ProjectTexts, planUpgrade, readVendored, type UpgradePlan } from './plan-upgrade.ts'
import type { UpgradeOptions } from './upgrade-command.ts'

type OutdatedRange = ReturnType<typeof outdatedRanges>[number]

/** The plugin kit and the test helpers. Older projects import them from `@sibyl/core`. */
const movedPackages = { dependencies: ['@sibyl/plugin'], devDependencies: ['@sibyl/testing'] }

/**
 * Runs `sibyl upgrade`: replaces the packages in `vendor/`, updates `package.json`, `pnpm-workspace.yaml`, ranges that
 * exclude the new version and imports that moved, installs, and runs the scripts `check` and `test`. If something fails,
 * all files are restored.
 *
 * @throws `usage_invalid` for the command of the project itself, `configuration_invalid`, `install_failed`,
 * `packing_failed`, `upgrade_failed`
 */
export const upgrade = async (
  dir: string | undefined,
  options: UpgradeOptions,
  io: CommandIo,
  commandFolder: string = import.meta.dirname,
): Promise<void> => {
  const folder = await findProject({ cwd: resolve(io.cwd, dir ?? '.') })
  if (folder === undefined) {
    throw cliErrors.configuration_invalid(
      'There is no project here: no oracle.config.json.',
      'Pass the folder: sibyl upgrade <dir>',
    )
  }
  demandNewer(folder, commandFolder, io)
  const texts = await readTexts(folder)
  if (parseJson(texts.manifest) === undefined) {
    const message = `${join(folder, manifestFile)} is not valid JSON.`
    throw cliErrors.configuration_invalid(message, 'Fix the file or restore it from git.')
  }
  const { direct } = readVendored(texts)
  if (direct.length === 0) {
    throw cliErrors.configuration_invalid(
      `${join(folder, manifestFile)} has no dependency in vendor/.`,
      'Upgrade its @sibyl packages with your package manager.',
    )
  }
  const packages = await findPackagesNamed([...new Set([...direct, ...Object.values(movedPackages).flat()])], {
    env: io.env,
    cwd: io.cwd,
    during: (name, work) => during(name, io, work),
    anyVersion: true,
  })
  const core = packages.get('@sibyl/core')
  const version = core && (await manifestOfTarball(core.content))?.version
  const ranges = version === undefined ? [] : outdatedRanges(folder, version)
  const edited = await withNewRanges(folder, ranges, version ?? '')
  const manifest = join(folder, manifestFile)
  const renewed = { ...texts, manifest: edited.get(manifest) ?? texts.manifest }
  edited.delete(manifest)
  const plan = await planUpgrade(renewed, packages, name => readTarball(folder, name), movedPackages)
  const isCurrent = plan.changes.length === 0 && ranges.length === 0
  const sources = await findChangedSources(folder, edited)
  const passed = options.dryRun || isCurrent ? [] : await applyUpgrade(plan, { folder, texts, sources, options, io })
  report({ ...plan, ranges, to: `^${version}`, passed }, options, io)
}

/** Rejects the command that is installed in the project: it has no newer packages. */
const demandNewer = (folder: string, commandFolder: string, { env }: CommandIo): void => {
  if ((env.SIBYL_PACKAGES?.trim() ?? '') !== '' || !commandFolder.startsWith(join(folder, 'node_modules') + sep)) return
  throw cliErrors.usage_invalid(
    'This command belongs to the project, so it has no newer packages.',
    'Run upgrade with a newer command, or set SIBYL_PACKAGES to a folder of newer tarballs.',
  )
}

const readTexts = async (folder: string): Promise<ProjectTexts> => {
  const manifest = await readProjectFile(join(folder, manifestFile))
  if (manifest === undefined) {
    throw cliErrors.configuration_invalid(`${join(folder, manifestFile)} is missing.`, 'Restore it, then try again.')
  }
  return { manifest, workspace: await readProjectFile(join(folder, workspaceFile)) }
}

const readTarball = (folder: string, name: string): Uint8Array | undefined => {
  try {
    return readFileSync(join(folder, 'vendor', name))
  } catch {
    return undefined
  }
}

/** Returns the texts of the files with outdated ranges, by path, with the range of the new version. */
const withNewRanges = async (
  folder: string,
  ranges: readonly OutdatedRange[],
  version: string,
): Promise<Map<string, string>> => {
  const edited = new Map<string, string>()
  for (const { path, line, range } of ranges) {
    const file = join(folder, path)
    const lines = (edited.get(file) ?? (await readFile(file, 'utf8'))).split('\n')
    const text = lines[line - 1] ?? ''
    const at = text.lastIndexOf(range)
    lines[line - 1] = `${text.slice(0, at)}^${version}${text.slice(at + range.length)}`
    edited.set(file, lines.join('\n'))
  }
  return edited
}

interface Outcome extends UpgradePlan {
  readonly ranges: readonly OutdatedRange[]
  /** The new range. */
  readonly to: string
  /** The scripts of the project that passed. */
  readonly passed: readonly string[]
}

const report = (
  { changes, removed, ranges, to, passed }: Outcome,
  { dryRun = false, install, json }: UpgradeOptions,
  io: CommandIo,
) => {
  if (json) {
    const changed = ranges.map(({ path, line, range }) => ({ path, line, from: range, to }))
    return writeJson(io, { dryRun, changes, removed, ranges: changed, passed })
  }
  if (changes.length + ranges.length === 0) return io.stdout.write('The packages are up to date.\n')
  const { dim } = stylesFor(io.stdout, io.env)
  const width = Math.max(...changes.map(({ name }) => name.length), 0)
  const lines = changes.map(({ name, from, to }) => `  ${name.padEnd(width)}  ${dim(`${from ?? 'new'} ->`)} ${to}\n`)
  const places = ranges.map(({ path, line, range }) => `  ${path}:${line}  ${dim(`${range} ->`)} ${to}\n`)
  const verb = dryRun ? 'would change' : 'renewed'
  const next =
    install === false ? 'Next: install, run check and test, then restart the oracle.' : 'Next: restart the oracle.'
  return io.stdout.write(
    [
      ...(changes.length === 0 ? [] : [`${formatCount(changes.length, 'package')} ${verb}:\n`, ...lines]),
      ...(ranges.length === 0 ? [] : [`${formatCount(ranges.length, 'range')} of core ${verb}:\n`, ...places]),
      ...(passed.length === 0 ? [] : [`Passed: ${passed.join(', ')}.\n`]),
      ...(dryRun ? [] : [`\n${next}\n`]),
    ].join(''),
  )
}
