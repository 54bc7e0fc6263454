import type { Mnemonic } from '@sibyl/identity'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandError } from '../../errors/command-error.ts'
import { parseOracleUrl } from '../../oracle/oracle-url.ts'
import type { ScaffoldAnswers } from '../../scaffold/answers/scaffold-answers.ts'
import type { ScaffoldRecord } from '../../scaffold/journal/scaffold-journal.ts'
import { givenAddresses } from './given-answers.ts'
import type { NewOptions } from './new-command.ts'

/**
 * Returns the answers of a run that continues an earlier one: its recorded answers, except those about the project
 * alone.
 *
 * @param words the mnemonic of this call
 * @throws `usage_invalid` when an option contradicts the registration
 */
export const resumeAnswers = (
  record: ScaffoldRecord,
  options: NewOptions,
  words: Mnemonic | undefined,
): ScaffoldAnswers => {
  const { answers, entityDid } = record
  const { profile } = answers
  const fixed: readonly (readonly [flag: string, given: string | undefined, then: string | undefined])[] = [
    ['--auth', options.auth, answers.signing],
    ['--network', options.network, answers.network],
    ['--registry-url', address(options.registryUrl), answers.registryUrl],
    ['--name', options.name?.trim(), profile.name],
    ['--description', options.description?.trim(), profile.description],
    ['--price', options.price?.trim(), profile.price],
    ['--model', options.model?.trim(), profile.model],
    ['--api-url', address(options.apiUrl), answers.apiUrl],
  ]
  const changed = fixed.filter(([, given, then]) => given !== undefined && given !== then).map(([flag]) => flag)
  if (words !== undefined && words.reveal() !== record.mnemonic) changed.push('mnemonic')
  if (changed.length > 0) throw differs(changed, record)
  return {
    ...answers,
    rpcUrl: address(options.rpcUrl) ?? answers.rpcUrl,
    modelUrl: address(options.modelUrl) ?? answers.modelUrl,
    template: options.template ?? answers.template,
    port: options.port ?? answers.port,
    tenant: options.tenant ?? answers.tenant,
    matrixBaseUrl: options.matrixUrl === undefined ? answers.matrixBaseUrl : givenAddresses(options, {}).matrixUrl,
    packageManager: options.packageManager ?? answers.packageManager,
    register: answers.register && (options.register || entityDid !== undefined),
    git: answers.git && options.git,
  }
}

const address = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : parseOracleUrl(url.trim())

const differs = (flags: readonly string[], { startedAt, entityDid }: ScaffoldRecord): CommandError => {
  const what = entityDid === undefined ? 'may have registered' : 'has registered'
  return cliErrors.usage_invalid(
    `A run for this folder stopped on ${startedAt.slice(0, 16).replace('T', ' ')} and ${what} the oracle with another ${flags.join(', ')}.`,
    'Omit that option to continue the run, or discard it and start over: --fresh',
  )
}
