import type { CommandIo } from './command-io.ts'

/** Returns the package manager that ran this command, if any. */
const callerIn = ({ npm_config_user_agent: agent = '' }: CommandIo['env']): string | undefined =>
  /^(npm|pnpm|yarn)\//.exec(agent)?.[1]

/** Returns the `sibyl` of a project, by its package manager. */
export const projectSibyl = (manager: string): string => (manager === 'npm' ? 'npx sibyl' : `${manager} sibyl`)

/**
 * Returns the command that ran this one: `npx sibyl` or `pnpm sibyl` in a project, `npx -y pnpm@12 sibyl` in a clone,
 * `sibyl` on the PATH.
 */
const sibylCommand = (env: CommandIo['env']): string => {
  if (env.npm_lifecycle_script?.includes('scripts/launch.mjs')) {
    return env.npm_lifecycle_event === 'sibyl' ? 'npx -y pnpm@12 sibyl' : 'sibyl'
  }
  const caller = callerIn(env)
  return caller === undefined ? 'sibyl' : projectSibyl(caller)
}

/** Returns the command that called `sibyl new`: `npm create sibyl --` and the like, or that of the project. */
export const newCommandOf = (env: CommandIo['env']): string => {
  const caller = callerIn(env)
  if (caller === undefined || env.npm_lifecycle_script !== 'create-sibyl') return `${sibylCommand(env)} new`
  return caller === 'npm' ? 'npm create sibyl --' : `${caller} create sibyl`
}

const names =
  'api|api-keys|chat|completion|console|create-entity|credits|dev|devnet|doctor|env|inspect|keys|login|logout|mcp|new|' +
  'people|plugin|sign-in|storage|token|update-entity|update-oracle-api-url|upgrade|ussd|whoami'
const command = new RegExp(String.raw`(?<![\w-])(npx |pnpm |yarn |pnpm@12 )?sibyl (?=(?:${names})(?![\w-]))`, 'g')

/** Writes each `sibyl <command>` of a text as a command that works where it is printed. */
export const asCalled = (text: string, env: CommandIo['env']): string => {
  const called = sibylCommand(env)
  return text.replace(command, (whole, starter) => (starter === undefined ? `${called} ` : whole))
}
