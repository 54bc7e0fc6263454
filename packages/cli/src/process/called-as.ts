import { callingManager, sibylCommand } from '@sibyl/plugin/host'
import type { CommandIo } from './command-io.ts'

/** Returns the command that called `sibyl new`: `npm create sibyl --` and the like, or that of the project. */
export const newCommandOf = (env: CommandIo['env']): string => {
  const caller = callingManager(env)
  if (caller === undefined || env.npm_lifecycle_script !== 'create-sibyl') return `${sibylCommand(env, 'sibyl')} new`
  return caller === 'npm' ? 'npm create sibyl --' : `${caller} create sibyl`
}

const names =
  'api|api-keys|backup|bench|chat|completion|console|create-entity|credits|dev|devnet|doctor|env|inspect|keys|login|logout|mcp|new|' +
  'people|plugin|restore|sign-in|storage|token|update-entity|update-oracle-api-url|upgrade|ussd|whoami'
const command = new RegExp(String.raw`(?<![\w-])(npx |pnpm |yarn |pnpm@12 )?sibyl (?=(?:${names})(?![\w-]))`, 'g')

/** Writes each `sibyl <command>` of a text as a command that works where it is printed. */
export const asCalled = (text: string, env: CommandIo['env']): string => {
  const called = sibylCommand(env, 'sibyl')
  return text.replace(command, (whole, starter) => (starter === undefined ? `${called} ` : whole))
}
