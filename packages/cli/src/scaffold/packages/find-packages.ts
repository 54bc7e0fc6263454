import { readFile } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import type { Asker } from '../../ask/asker.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { ownVersion } from '../../process/own-version.ts'
import type { PackageSource } from '../answers/project-facts.ts'
import type { ScaffoldAnswers } from '../answers/scaffold-answers.ts'
import { chooseTarballs } from './choose-tarballs.ts'
import { findCheckout } from './find-checkout.ts'
import { neededPackages } from './needed-packages.ts'
import { packCheckout } from './pack-checkout.ts'
import { packInstalled } from './pack-installed.ts'
import { readTemplate } from './template.ts'

/** The source of packages, and the display of packing. */
interface PackagesContext extends Pick<CommandIo, 'env' | 'cwd'> {
  readonly during: Asker['during']
  /** Accepts another version than that of this command in `SIBYL_PACKAGES`. */
  readonly anyVersion?: boolean
}

/**
 * Finds the `@sibyl/*` packages of a project: in the folder of `SIBYL_PACKAGES`; from a checkout, packages that are
 * built and packed when their sources change; otherwise the packages that are installed with this command.
 *
 * @param names the packages that the project depends on
 * @throws `configuration_invalid` when packages are missing, with their names
 * @throws `packing_failed`
 */
export const findPackagesNamed = async (names: readonly string[], context: PackagesContext): Promise<PackageSource> => {
  const { env, cwd, during, anyVersion = false } = context
  const given = env.SIBYL_PACKAGES?.trim() ?? ''
  const checkout = findCheckout()
  const fromFolder = async (folder: string) =>
    readAll(await chooseTarballs(folder, names, anyVersion ? undefined : await ownVersion()))
  if (given !== '') return fromFolder(isAbsolute(given) ? given : join(cwd, given))
  if (checkout !== undefined) return fromFolder(await packCheckout(checkout, env, during))
  return during('Packing the installed packages', () => packInstalled(names, fromFolder))
}

/** Finds the packages of a new project; see `findPackagesNamed`. */
export const findPackages = async (
  answers: Pick<ScaffoldAnswers, 'template' | 'network'>,
  { env, cwd }: Pick<CommandIo, 'env' | 'cwd'>,
  during: Asker['during'],
): Promise<PackageSource> =>
  findPackagesNamed(neededPackages(await readTemplate(answers.template), answers.network), { env, cwd, during })

const readAll = async (paths: ReadonlyMap<string, string>): Promise<PackageSource> =>
  new Map(
    await Promise.all(
      [...paths].map(
        async ([name, path]) => [name, { fileName: basename(path), content: await readFile(path) }] as const,
      ),
    ),
  )
