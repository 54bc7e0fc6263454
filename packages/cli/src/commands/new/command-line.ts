import { shellWord } from '../../output/format.ts'
import { packageManagers } from '../../package-manager/detect-package-manager.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { ScaffoldAnswers } from '../../scaffold/answers/scaffold-answers.ts'

/** The flags of `sibyl new` that stand for an answer, with their values. */
export type AnswerFlags = Readonly<Record<string, string | undefined>>

/**
 * `sibyl new` with its flags, as it can be pasted into a shell.
 *
 * @param called What is typed in front of them, see `calledAs`.
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

/** Returns the flags that give the answers of a run once more. */
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

/** What is taken where nobody says anything. */
export const usual = {
  folder: './field-oracle',
  description: 'Answers questions.',
  price: 'free',
  model: 'offline',
  apiUrl: 'http://localhost:4000',
  port: 4000,
} as const

/**
 * How `sibyl new` was called, to be typed again in front of its arguments: `npm create sibyl --`, of which `create-sibyl` tells
 * in `npm_lifecycle_script`, or `npx sibyl new` of the one that is installed in a project.
 */
export const calledAs = ({ npm_lifecycle_script: script, npm_config_user_agent: agent }: CommandIo['env']): string => {
  const caller = packageManagers.find(name => name === agent?.split('/')[0])
  if (caller === undefined) return 'sibyl new'
  if (script === 'create-sibyl') return caller === 'npm' ? 'npm create sibyl --' : `${caller} create sibyl`
  return caller === 'npm' ? 'npx sibyl new' : `${caller} sibyl new`
}
