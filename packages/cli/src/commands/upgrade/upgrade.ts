import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { untilInterrupted } from '../../ask/until-interrupted.ts'
import { during } from '../../ask/work-line.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { writeJson } from '../../output/clean-text.ts'
import { formatCount } from '../../output/format.ts'
import { stylesFor } from '../../output/styles.ts'
import type { PackageManager } from '../../package-manager/detect-package-manager.ts'
import { installProject } from '../../package-manager/install-project.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { findProject } from '../../project/project.ts'
import { readProjectFile, replaceProjectFile } from '../../project/read-project-file.ts'
import { findPackagesNamed } from '../../scaffold/packages/find-packages.ts'
import { type ChangedSource, findMovedImports } from './moved-imports.ts'
import { type ProjectTexts, planUpgrade, readVendored, type UpgradePlan } from './plan-upgrade.ts'
import type { UpgradeOptions } from './upgrade-command.ts'

const manifestFile = 'package.json'
const workspaceFile = 'pnpm-workspace.yaml'

/** The plugin kit and the test helpers. Older projects import them from `@sibyl/core`. */
const movedPackages = { dependencies: ['@sibyl/plugin'], devDependencies: ['@sibyl/testing'] }

/**
 * Runs `sibyl upgrade`: replaces the packages in `vendor/`, updates `package.json`, `pnpm-workspace.yaml` and imports
 * that moved out of `@sibyl/core`, and installs. If the installation fails, all files are restored.
 *
 * @throws `usage_invalid` for the command of the project itself, `configuration_invalid`, `install_failed`,
 * `packing_failed`
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
  })
  const plan = await planUpgrade(texts, packages, name => readTarball(folder, name), movedPackages)
  const sources = await findMovedImports(folder)
  if (!options.dryRun && plan.changes.length > 0) await carryOut(plan, { folder, texts, sources, options, io })
  report(plan, options, io)
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

interface Work {
  readonly folder: string
  readonly texts: ProjectTexts
  readonly sources: readonly ChangedSource[]
  readonly options: UpgradeOptions
  readonly io: CommandIo
}

const carryOut = async (plan: UpgradePlan, { folder, texts, sources, options, io }: Work): Promise<void> => {
  const vendor = join(folder, 'vendor')
  const removeAll = async (names: readonly string[]) => {
    for (const name of names) await rm(join(vendor, name), { force: true })
  }
  const undo = async () => {
    await writeTexts(folder, texts)
    for (const { path, before } of sources) await replaceKept(path, before)
    await removeAll(plan.added.map(({ fileName }) => fileName))
  }
  await mkdir(vendor, { recursive: true })
  try {
    for (const { fileName, content } of plan.added) await writeFile(join(vendor, fileName), content)
    await writeTexts(folder, plan)
    for (const { path, after } of sources) await replaceKept(path, after)
    if (options.install !== false) await install(folder, io)
  } catch (error) {
    await undo()
    throw error
  }
  await removeAll(plan.removed)
}

const install = async (folder: string, io: CommandIo): Promise<void> => {
  const manager = managerOf(folder)
  await untilInterrupted(io, signal =>
    during(`Installing with ${manager}`, io, () => installProject(folder, manager, io.env, signal)),
  )
}

const writeTexts = async (folder: string, { manifest, workspace }: ProjectTexts): Promise<void> => {
  await replaceKept(join(folder, manifestFile), manifest)
  if (workspace !== undefined) await replaceKept(join(folder, workspaceFile), workspace)
}

const replaceKept = async (path: string, text: string): Promise<void> =>
  replaceProjectFile(path, text, (await stat(path)).mode & 0o777)

/** Returns the package manager of the project, by its files. */
const managerOf = (folder: string): PackageManager => {
  if (existsSync(join(folder, workspaceFile))) return 'pnpm'
  return existsSync(join(folder, 'yarn.lock')) ? 'yarn' : 'npm'
}

const report = (
  { changes, removed }: UpgradePlan,
  { dryRun = false, install, json }: UpgradeOptions,
  io: CommandIo,
) => {
  if (json) return writeJson(io, { dryRun, changes, removed })
  if (changes.length === 0) return io.stdout.write('The packages are up to date.\n')
  const { dim } = stylesFor(io.stdout, io.env)
  const width = Math.max(...changes.map(({ name }) => name.length))
  const lines = changes.map(({ name, from, to }) => `  ${name.padEnd(width)}  ${dim(`${from ?? 'new'} ->`)} ${to}`)
  const verb = dryRun ? 'would change' : 'renewed'
  const next = dryRun
    ? ''
    : install === false
      ? '\nNext: install, then restart the oracle.\n'
      : '\nNext: restart the oracle.\n'
  return io.stdout.write(`${formatCount(changes.length, 'package')} ${verb}:\n\n${lines.join('\n')}\n${next}`)
}
