import { shellWord } from '../../output/format.ts'
import { packageManagers } from '../../package-manager/detect-package-manager.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { ScaffoldAnswers } from '../../scaffold/answers/scaffold-answers.ts'

/** The options of `sibyl new` for answers, with their values. */
export type AnswerFlags = Readonly<Record<string, string | undefined>>

/**
 * Returns `sibyl new` with its options, for a shell.
 *
 * @param called The command before them, see `calledAs`.
 */
export const commandLine = (
  called: string,
  dir: string,
  flags: AnswerFlags,
  switches: readonly string[] = [],
): string =>
  [
    called,
    shellWord(dir.startsWith('-') ? `./${dir}` : dir),
    ...Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag, shellWord(value)])),
    ...switches,
  ].join(' ')

/** Returns the options that repeat the answers of a run. */
export const flagsOf = (answers: ScaffoldAnswers): AnswerFlags => {
  const { profile, register } = answers
  return {
    ...(register ? { '--auth': answers.signing, '--network': answers.network } : {}),
    '--name': profile.name,
    '--description': profile.description,
    '--price': profile.price,
    '--model': profile.model,
    '--template': answers.template === 'minimal' ? undefined : answers.template,
    ...(answers.apiUrl === usual.apiUrl && answers.port === usual.port
      ? {}
      : { '--api-url': answers.apiUrl, '--port': String(answers.port) }),
    '--registry-url': answers.registryUrl,
    '--rpc-url': answers.rpcUrl,
    '--matrix-url': answers.matrixBaseUrl,
  }
}

/** The defaults. */
export const usual = {
  folder: './field-oracle',
  description: 'Answers questions.',
  price: 'free',
  model: 'offline',
  apiUrl: 'http://localhost:4000',
  port: 4000,
} as const

/**
 * Returns the command that called `sibyl new`: `npm create sibyl --`, detected by `npm_lifecycle_script`, or `npx sibyl
 * new` of an installed project.
 */
export const calledAs = ({ npm_lifecycle_script: script, npm_config_user_agent: agent }: CommandIo['env']): string => {
  const caller = packageManagers.find(name => name === agent?.split('/')[0])
  if (caller === undefined) return 'sibyl new'
  if (script === 'create-sibyl') return caller === 'npm' ? 'npm create sibyl --' : `${caller} create sibyl`
  return caller === 'npm' ? 'npx sibyl new' : `${caller} sibyl new`
}
