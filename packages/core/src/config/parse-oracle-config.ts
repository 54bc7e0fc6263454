import { nearNames } from '@sibyl/plugin'
import type { BootProblem } from '@sibyl/plugin/host'
import type { z } from 'zod'
import { issueViolation } from './issue-violation.ts'
import { type OracleConfig, oracleConfigSchema } from './oracle-config.ts'

/** Parses the content of `oracle.config.json`; an unknown key is a problem that names it. */
export const parseOracleConfig = (config: unknown): { config: OracleConfig; problems: BootProblem[] } => {
  if (config === undefined) return { config: {}, problems: [] }
  const result = oracleConfigSchema.safeParse(config)
  if (result.success) return { config: result.data, problems: [] }
  const known = Object.keys(oracleConfigSchema.shape)
  return { config: {}, problems: result.error.issues.flatMap(issue => configProblems(issue, config, known)) }
}

const configProblems = (issue: z.core.$ZodIssue, config: unknown, known: readonly string[]): BootProblem[] => {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => unknownConfigKey(key, known))
  const key = issue.path.join('.')
  return [
    {
      code: 'config_invalid',
      headline: key === '' ? 'oracle.config.json is not an object' : `oracle.config.json has an invalid '${key}'`,
      lines: [`${issueViolation(issue, valueAt(config, issue.path))}.`, 'Fix it in oracle.config.json.'],
    },
  ]
}

/** Options of the code, by name, with an example each. */
const codeOptions: Readonly<Record<string, string>> = {
  features: 'features: { weather: false }',
  plugins: 'plugins: [...bundledPlugins()]',
  manifestOverrides: "manifestOverrides: { sandbox: { approvals: ['*'] } }",
}

const unknownConfigKey = (key: string, known: readonly string[]): BootProblem => {
  if (Object.hasOwn(codeOptions, key)) {
    return {
      code: 'config_invalid',
      headline: `oracle.config.json has '${key}', which belongs in the code`,
      lines: [
        `Pass it to createOracleApp, in src/main.ts of a new project: createOracleApp({ …, ${codeOptions[key]} }).`,
        `Remove '${key}' from oracle.config.json.`,
      ],
    }
  }
  const near = nearNames(key, known)
  return {
    code: 'config_invalid',
    headline: `oracle.config.json has an unknown key '${key.slice(0, 60)}'`,
    lines: [near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Valid keys: ${known.slice(1).join(', ')}.`],
  }
}

const valueAt = (config: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], config)
