import type { OraclePlugin } from '@sibyl/plugin'
import type { BootProblem } from '@sibyl/plugin/host'
import { type Environment, environmentOf, settingOf } from '../config/environment.ts'
import { hintFor } from './plugin-problem.ts'

/** The adapters that take part, and those that ORACLE_ADAPTERS leaves out. */
export interface ChosenAdapters {
  readonly adapters: readonly OraclePlugin[]
  /** One of each name, the last. */
  readonly partsOfCore: readonly OraclePlugin[]
  readonly excluded: readonly { readonly plugin: OraclePlugin; readonly reason: string }[]
  readonly problems: readonly BootProblem[]
}

/**
 * Chooses adapters by ORACLE_ADAPTERS: the listed ones. Unset, it stands for all of them in development and for none elsewhere;
 * `none` stands for none. An adapter with a switch of its own is chosen by that variable alone.
 */
export const chooseAdapters = (given: readonly OraclePlugin[], env: Environment): ChosenAdapters => {
  const parts = given.filter(adapter => adapter?.isPartOfCore)
  const all = given
    .filter(adapter => !adapter?.isPartOfCore)
    .map((adapter): OraclePlugin => ({ ...adapter, isAdapter: true }))
  const names = all.flatMap(adapter => (adapter.switch === undefined ? adapter.name : []))
  const setting = settingOf(env, 'ORACLE_ADAPTERS')
  const isDevelopment = environmentOf(settingOf(env, 'NODE_ENV')) === 'development'
  const listed = setting === undefined ? (isDevelopment ? names : []) : adapterNames(setting)
  const unknown = listed.filter(name => !names.includes(name))
  const isOn = (adapter: OraclePlugin) =>
    adapter.switch === undefined
      ? listed.includes(adapter.name)
      : (settingOf(env, adapter.switch) ?? (isDevelopment ? 'on' : 'off')) !== 'off'
  return {
    adapters: all.filter(isOn),
    partsOfCore: [...new Map(parts.map(part => [part.name, part])).values()],
    excluded: all
      .filter(adapter => !isOn(adapter))
      .map(plugin => ({ plugin, reason: plugin.switch ?? 'ORACLE_ADAPTERS' })),
    problems: unknown.map(name => unknownAdapter(name, names)),
  }
}

const adapterNames = (setting: string): readonly string[] =>
  setting === 'none' ? [] : setting.split(/[\s,]+/).filter(Boolean)

const unknownAdapter = (name: string, names: readonly string[]): BootProblem => {
  const hint =
    names.length === 0
      ? 'createOracleApp has no adapters. Pass adapters: bundledAdapters().'
      : hintFor(name, names, `Available: ${names.join(', ')}.`)
  return {
    code: 'adapter_unknown',
    headline: `ORACLE_ADAPTERS names the unknown adapter '${name.slice(0, 60)}'`,
    lines: [hint],
    variable: 'ORACLE_ADAPTERS',
  }
}
