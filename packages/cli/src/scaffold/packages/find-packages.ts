import { isAbsolute, join } from 'node:path'
import type { Asker } from '../../ask/asker.ts'
import type { CommandIo } from '../../command-io.ts'
import { ownVersion } from '../../own-version.ts'
import type { PackageSource } from '../package-source.ts'
import type { ScaffoldAnswers } from '../scaffold-answers.ts'
import { readTemplate } from '../template.ts'
import { chooseTarballs } from './choose-tarballs.ts'
import { findCheckout } from './find-checkout.ts'
import { neededPackages } from './needed-packages.ts'
import { packCheckout } from './pack-checkout.ts'

/**
 * Finds where a new project gets `@sibyl/*` from: the folder that `SIBYL_PACKAGES` names; from a checkout, its own packages,
 * which are built and packed where their sources changed; else the package registry.
 *
 * @param answers.template Says which packages it needs.
 * @param during Shows that packing takes a while.
 * @throws ConfigurationError (`configuration_invalid`) when the folder lacks packages, with their names
 * @throws PackingFailedError (`packing_failed`)
 */
export const findPackages = async (
  answers: Pick<ScaffoldAnswers, 'template' | 'network'>,
  { env, cwd }: Pick<CommandIo, 'env' | 'cwd'>,
  during: Asker['during'],
): Promise<PackageSource> => {
  const version = await ownVersion()
  const given = env.SIBYL_PACKAGES?.trim() ?? ''
  const checkout = findCheckout()
  if (given === '' && checkout === undefined) return { kind: 'published', version }
  const needed = neededPackages(await readTemplate(answers.template), answers.network)
  const folder =
    given === '' && checkout !== undefined
      ? await packCheckout(checkout, env, during)
      : isAbsolute(given)
        ? given
        : join(cwd, given)
  return { kind: 'tarballs', files: await chooseTarballs(folder, needed, version) }
}
