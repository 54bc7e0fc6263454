import { shellWord } from '../../output/format.ts'
import type { ScaffoldAnswers } from '../../scaffold/answers/scaffold-answers.ts'

/** The options of `sibyl new` for answers, with their values. */
export type AnswerFlags = Readonly<Record<string, string | undefined>>

/**
 * Returns `sibyl new` with its options, for a shell.
 *
 * @param called The command before them, see `newCommandOf`.
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
    '--model-url': answers.modelUrl,
    '--template': answers.template === 'minimal' ? undefined : answers.template,
    ...(answers.apiUrl === usual.apiUrl && answers.port === usual.port
      ? {}
      : { '--api-url': answers.apiUrl, '--port': String(answers.port) }),
    '--tenant': answers.tenant,
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
