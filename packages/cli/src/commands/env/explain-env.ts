import { configVariables, type EnvVariable } from '@sibyl/core'
import { nearNames } from '@sibyl/plugin'
import { createTextRedactor } from '@sibyl/plugin/host'
import type { JsonOptions } from '../../command/common-options.ts'
import { shellVariables } from '../../env/command-variables.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { wrapWords } from '../../output/display-width.ts'
import { capitalized } from '../../output/format.ts'
import { type Field, showFields } from '../../output/show-fields.ts'
import { type Styles, stylesFor } from '../../output/styles.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { Project } from '../../project/project.ts'
import { type EnvContext, openEnvContext } from './env-context.ts'

/**
 * Runs `sibyl env explain`.
 *
 * @param name @default lists all
 * @throws `usage_invalid` for an unknown name
 */
export const explainEnv = async (name: string | undefined, { json }: JsonOptions, io: CommandIo): Promise<void> => {
  const opened = await openEnvContext(io)
  const context = { ...opened, variables: [...opened.variables, ...shellVariables] }
  if (context.remark !== undefined) io.stderr.write(`${context.remark}\n`)
  if (name === undefined) {
    if (json) writeJson(io, { variables: context.variables.map(variable => recordOf(variable, context, io)) })
    else listAll(context, io)
    return
  }
  const variable = context.variables.find(it => it.name === name) ?? unknown(name, context)
  if (json) writeJson(io, recordOf(variable, context, io))
  else report(variable, context, io)
}

const unknown = (name: string, { variables, project }: EnvContext): never => {
  const near = nearNames(
    name,
    variables.map(it => it.name),
  )
  const where = project ? 'in this project' : 'to a bundled plugin'
  throw cliErrors.usage_invalid(
    `${cleanLine(name.replace(/=.*/s, '')).slice(0, 60)} means nothing ${where}.`,
    near.length > 0 ? `Did you mean ${near.join(', or ')}?` : 'sibyl env explain lists all variables.',
  )
}

/** Returns the description of a variable, without the value of a secret. */
const recordOf = (variable: EnvVariable, { project }: EnvContext, io: CommandIo) => {
  const { name, owner, description, takes, need, default: usual, example, secret } = variable
  const from = whereSet(variable, project, io)
  const value = secret || ['default', 'nowhere'].includes(from) ? undefined : valueNow(name, project, io)
  return { name, owner, description, takes, need, default: usual, example, secret, from, value }
}

/** Returns the value without secret parts, such as the password of a URL. */
const valueNow = (name: string, project: EnvContext['project'], { env }: CommandIo): string | undefined => {
  const value = project ? project.setting(name) : env[name]?.trim()
  return value === undefined ? undefined : createTextRedactor([])(value)
}

const report = (variable: EnvVariable, context: EnvContext, io: CommandIo): void => {
  const {
    name,
    owner,
    description,
    takes,
    need,
    default: usual,
    example,
    secret,
    from,
    value,
  } = recordOf(variable, context, io)
  const { bold } = stylesFor(io.stdout, io.env)
  const columns = Math.min(io.stdout.columns ?? 100, 100)
  io.stdout.write(`${bold(cleanLine(name))}\n${wrapWords(cleanLine(description), columns).join('\n')}\n\n`)
  const fields: Field[] = [
    ['now', nowInWords({ from, secret, value, usual })],
    ['takes', secret && takes === 'text' ? 'text, a secret' : `${takes}${secret ? ', a secret' : ''}`],
    ...(usual === undefined ? [] : [['default', cleanLine(usual)] satisfies Field]),
    ...(example === undefined
      ? []
      : [['example', secret ? cleanLine(example) : `${name}=${cleanLine(example)}`] satisfies Field]),
    ...(need === 'opt-in' ? [['switches on', `plugin ${owner}`] satisfies Field] : []),
    ...(need === 'required' ? [['needed by', `plugin ${owner}`] satisfies Field] : []),
    ['of', ownerInWords(owner)],
  ]
  showFields(io, fields)
}

const nowInWords = (facts: {
  readonly from: EnvSource
  readonly secret: boolean
  readonly value: string | undefined
  readonly usual: string | undefined
}): string => {
  const { from, secret, value, usual } = facts
  if (from === 'nowhere') return 'not set'
  if (from === 'default') return `${cleanLine(usual ?? '')}, the default`
  return secret ? `set, in ${inWords(from)}` : `${cleanLine(value ?? '')}, from ${inWords(from)}`
}

const inWords = (from: EnvSource): string => (from === 'environment' ? 'the environment' : from)

const ownerInWords = (owner: string): string => {
  if (owner === 'core') return 'the oracle itself'
  return owner === 'sibyl' ? 'the sibyl command' : `plugin ${cleanLine(owner)}`
}

const listAll = (context: EnvContext, io: CommandIo): void => {
  const styles = stylesFor(io.stdout, io.env)
  const columns = Math.min(io.stdout.columns ?? 100, 100)
  for (const [owner, variables] of Map.groupBy(context.variables, it => it.owner)) {
    io.stdout.write(`${styles.bold(capitalized(ownerInWords(owner)))}\n`)
    for (const variable of variables) io.stdout.write(`${entryOf(variable, { context, io, styles, columns })}\n`)
    io.stdout.write('\n')
  }
  io.stdout.write(asCalled('Variables with a * are set. For details of one: sibyl env explain PORT\n', io.env))
}

const entryOf = (
  variable: EnvVariable,
  { context, io, styles, columns }: { context: EnvContext; io: CommandIo; styles: Styles; columns: number },
): string => {
  const isSet = !['default', 'nowhere'].includes(whereSet(variable, context.project, io))
  const name = `${isSet ? '*' : ' '} ${variable.name}`
  const lines = wrapWords(cleanLine(variable.description), columns - 4).map(line => styles.dim(`    ${line}`))
  return [isSet ? styles.accent(name) : name, ...lines].join('\n')
}

type EnvSource = 'environment' | '.env' | 'oracle.config.json' | 'default' | 'nowhere'

/** Finds the source of the value of a variable; a blank one counts as unset. */
const whereSet = (
  { name, default: usual }: { readonly name: string; readonly default?: string | undefined },
  project: Project | undefined,
  { env }: Pick<CommandIo, 'env'>,
): EnvSource => {
  if (env[name] !== undefined) return env[name].trim() === '' ? absent(name, project, usual) : 'environment'
  if (project && Object.hasOwn(project.envFile, name) && project.envFile[name]?.trim()) return '.env'
  return absent(name, project, usual)
}

const absent = (name: string, project: Project | undefined, usual: string | undefined): EnvSource => {
  const key = Object.entries(configVariables).find(([, variable]) => variable === name)?.[0]
  if (key !== undefined && project?.config[key as keyof typeof configVariables]) return 'oracle.config.json'
  return usual === undefined ? 'nowhere' : 'default'
}
