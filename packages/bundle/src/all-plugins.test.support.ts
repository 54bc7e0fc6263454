import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listEnvVariables } from '@sibyl/core'
import type { OraclePlugin, PluginParts, Tool, Tools } from '@sibyl/plugin'
import { switchedOn } from '@sibyl/testing'
import { onTestFinished } from 'vitest'
import { bundledPlugins } from './bundled-plugins.ts'

/** A variable of a plugin, with its schema. */
export interface PluginVariable {
  readonly plugin: string
  readonly name: string
  readonly field: { safeParse(value: unknown): { readonly success: boolean } }
}

/** Described once: reading all schemas takes longer than a boot's other preparations. */
const listed = listEnvVariables(bundledPlugins())

/** A folder that is gone after the test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-bundle-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const ofCore: ReadonlySet<string> = new Set(listed.flatMap(({ owner, name }) => (owner === 'core' ? [name] : [])))

/** Every variable that the schemas of plugins name, except those that core has too. */
export const variablesOf = (plugins: readonly OraclePlugin[]): PluginVariable[] =>
  plugins.flatMap(({ name: plugin, env }) =>
    Object.entries(env?.shape ?? {}).flatMap(([name, field]) =>
      ofCore.has(name) ? [] : [{ plugin, name, field: field as PluginVariable['field'] }],
    ),
  )

/** A port of this computer at which nobody answers. */
export const unreachable = 'http://127.0.0.1:1'

/** The variables that name a server. */
export const serversOf = (plugins: readonly OraclePlugin[]): PluginVariable[] =>
  variablesOf(plugins).filter(
    ({ field }) =>
      field.safeParse(unreachable).success && !field.safeParse(unreachable.replace('http', 'gopher')).success,
  )

const wrongTexts = ['?', '-1', 'http://', 'x'.repeat(100_001), '\u0000']

/** A text that a variable cannot be; undefined where it may be any. */
export const wrongValue = ({ field }: PluginVariable): string | undefined =>
  wrongTexts.find(text => !field.safeParse(text).success)

/** Settings under which every bundled plugin is on and leaves its files in a folder. @param given What is set already. */
export const everythingOn = (folder: string, given: Readonly<Record<string, string>> = {}): Record<string, string> => {
  const inFolder = listed.flatMap(({ owner, name, default: usual }) =>
    owner !== 'core' && usual?.startsWith('./') ? [[name, join(folder, usual)]] : [],
  )
  return switchedOn(bundledPlugins(), { ...Object.fromEntries(inFolder), ...given })
}

/** All secrets of plugins and of core, each a text of its own; those that are read otherwise get what they are read as. */
export const allSecrets = (make: (name: string) => string): Record<string, string> =>
  Object.fromEntries(
    listed
      .filter(({ name, secret }) => secret && name !== 'ORACLE_MNEMONIC')
      .map(({ name }) => [name, secretForm(name, make(name))]),
  )

const secretForm = (name: string, secret: string): string => {
  if (name.endsWith('_API_KEYS')) return `shop:${secret}:read`
  return name.endsWith('_HEADERS') ? `authorization=${secret}` : secret
}

/** The bundled plugins, and what their setups gave back. */
export const captured = (change: (parts: PluginParts) => PluginParts = parts => parts) => {
  const parts = new Map<string, PluginParts>()
  const plugins = bundledPlugins().map(plugin => ({
    ...plugin,
    async setup(host: Parameters<OraclePlugin['setup']>[0]) {
      const given = change(await plugin.setup(host))
      parts.set(plugin.name, given)
      return given
    },
  }))
  return { plugins, parts }
}

/** The tools that a plugin has whoever asks. */
export const fixedTools = ({ tools }: PluginParts): Readonly<Record<string, Tool>> =>
  typeof tools === 'function' ? {} : ((tools ?? {}) as Tools as Readonly<Record<string, Tool>>)

/** The plugins that are switched on by the address of a server, at which nobody answers in these tests. */
export const alone = (plugins: readonly OraclePlugin[]): ReadonlySet<unknown> => {
  const env = switchedOn(plugins)
  return new Set(plugins.flatMap(({ name, optIn }) => (optIn.some(it => env[it]?.startsWith('http:')) ? [name] : [])))
}

/** A plugin and all that cannot be without it. */
export const withDependants = (plugins: readonly OraclePlugin[], name: string): ReadonlySet<string> => {
  const names = new Set([name])
  for (let before = 0; before < names.size; ) {
    before = names.size
    for (const one of plugins) if (one.requires.some(wanted => names.has(wanted))) names.add(one.name)
  }
  return names
}
