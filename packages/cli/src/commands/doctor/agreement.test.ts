import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { createOracleApp, listEnvVariables } from '@sibyl/core'
import { oracleInspection } from '@sibyl/core/records'
import { createMnemonic } from '@sibyl/identity'
import type { PluginParts } from '@sibyl/plugin'
import { loadMode } from '@sibyl/plugin/host'
import type { CapabilityRecord } from '@sibyl/protocol'
import { recordedLogger, switchedOn, testActor } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { renderEnvExample } from '../../env/render-env-example.ts'
import { useBundledPackages } from '../../process/bundled-sibyl.test.helper.ts'
import { oracleProject } from '../plugin/plugin-project.test.helper.ts'
import { checkPlugins } from './checks/plugins-check.ts'
import { contextOf } from './doctor-context.test.helper.ts'

useBundledPackages()

const checkout = join(import.meta.dirname, '../../../../..')
const read = (path: string) => readFileSync(join(checkout, path), 'utf8')

/** By plugin. */
type Lists = Record<string, readonly string[]>

/** Returns the contributions of the plugins: tools, routes, and the variables of their schemas. */
const askPlugins = async (env: Record<string, string>) => {
  const parts = new Map<string, PluginParts>()
  const plugins = bundledPlugins().map(plugin => ({
    ...plugin,
    async setup(host: Parameters<typeof plugin.setup>[0]) {
      const given = await plugin.setup(host)
      parts.set(plugin.name, given)
      return given
    },
  }))
  const ofCore = new Set(listEnvVariables().map(({ name }) => name))
  const logger = recordedLogger()
  const adapters = bundledAdapters().filter(({ isPartOfCore }) => isPartOfCore)
  const oracle = await createOracleApp({ plugins, adapters, env, logger })
  const byPlugin = (list: (name: string, given: PluginParts) => readonly string[]): Lists =>
    Object.fromEntries(plugins.map(({ name }) => [name, list(name, parts.get(name) ?? {}).toSorted()]))
  return {
    oracle,
    logger,
    plugins,
    tools: byPlugin((_, { tools }) => (typeof tools === 'function' ? [] : Object.keys(tools ?? {}))),
    routes: byPlugin((_, { routes = [] }) =>
      routes.map(({ definition: { method, path } }) => `${method.toUpperCase()} ${path}`),
    ),
    publicRoutes: byPlugin((_, { routes = [] }) =>
      routes
        .filter(({ access }) => access === 'public')
        .map(({ definition: { method, path } }) => `${method.toUpperCase()} ${path}`),
    ),
    variables: byPlugin(name =>
      Object.keys(plugins.find(one => one.name === name)?.env?.shape ?? {}).filter(one => !ofCore.has(one)),
    ),
  }
}

/** Removes patterns from templates: `{did}` instead of `{did{.+}}`, as in the document. */
const plain = (routes: readonly string[]) =>
  routes.map(route => route.replace(/\{(\w+)\{[^}]*\}\}/g, '{$1}')).toSorted()
const plainLists = (lists: Lists): Lists =>
  Object.fromEntries(Object.entries(lists).map(([name, routes]) => [name, plain(routes)]))

const grouped = (names: readonly string[], pairs: readonly (readonly [owner: string, item: string])[]): Lists =>
  Object.fromEntries(
    names.map(name => [name, pairs.flatMap(([owner, item]) => (owner === name ? [item] : [])).toSorted()]),
  )

/** Returns the variables in a text, by the title of the plugin above them. */
const variablesUnder = (text: string, names: readonly string[], variable: RegExp): Lists => {
  const sections = text.split(/^## /m).slice(1)
  return grouped(
    names,
    sections.flatMap(section => {
      const owner = /^Plugin (\S+)$/m.exec(section.split('\n')[0] ?? '')?.[1] ?? ''
      return [...section.matchAll(variable)].map(([, name = '']) => [owner, name] as const)
    }),
  )
}

/** Timeout on a busy machine, in milliseconds. */
const limit = 120_000

test(
  'boot log, capabilities, OpenAPI, doctor, .env.example and the reference agree on all plugins',
  async () => {
    const env = {
      ...switchedOn(bundledPlugins()),
      DATABASE_URL: 'memory:',
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
    }
    const { folder, sibyl } = oracleProject({
      '.env': Object.entries(env)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    })
    const home = { env: { SIBYL_HOME: join(folder, 'home') } }
    const inspected = sibyl(['inspect', '--json'], home)
    const { oracle, logger, plugins, ...own } = await askPlugins(env)
    const names = plugins.map(({ name }) => name)
    const variables: Lists = own.variables
    try {
      await oracle.ready
      const log = logger.lines.map(({ message }) => message).join('\n')
      const records = (await (await testActor(oracle).request('/capabilities')).json()) as {
        capabilities: CapabilityRecord[]
      }
      const { paths } = (await (await oracle.request('/openapi.json')).json()) as {
        paths: Record<string, Record<string, { 'x-owner': string; 'x-access': unknown }>>
      }
      const described = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, it]) => [it['x-owner'], `${method.toUpperCase()} ${path}`, it] as const),
      )
      const pairs = described.map(([owner, route]) => [owner, route] as const)
      expect(grouped(names, pairs)).toEqual(plainLists(own.routes))
      const open = described
        .filter(([, , it]) => it['x-access'] === 'public')
        .map(([owner, route]) => [owner, route] as const)
      expect(grouped(names, open)).toEqual(plainLists(own.publicRoutes))

      const capabilities = records.capabilities.filter(({ name }) => names.includes(name))
      expect(capabilities.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
      expect(
        grouped(
          names,
          capabilities.flatMap(({ name, tools }) => tools.map(tool => [name, tool] as const)),
        ),
      ).toEqual(own.tools)

      for (const { name, manifest } of plugins) {
        const state = capabilities.find(one => one.name === name)?.state
        const line = new RegExp(`^\\[boot\\] (loaded|available|pending|degraded|failed) ${name}( .*|)$`, 'm').exec(log)
        expect([name, line?.[1]]).toEqual([name, expect.any(String)])
        if (line?.[1] !== 'loaded' && line?.[1] !== 'available') {
          expect(log).toMatch(
            new RegExp(`^\\[boot\\] ${state === 'ready' ? '(loaded|available)' : state} ${name} `, 'm'),
          )
          continue
        }
        expect([name, line[1]]).toEqual([name, loadMode(manifest) === 'always' ? 'loaded' : 'available'])
        const count = (noun: string) => Number(new RegExp(`(\\d+) ${noun}s?`).exec(line[2]!)?.[1] ?? 0)
        const counted = {
          tools: count('tool'),
          routes: count('route'),
          public: Number(/\((\d+) public\)/.exec(line[2]!)?.[1] ?? 0),
        }
        expect([name, counted]).toEqual([
          name,
          { tools: own.tools[name]!.length, routes: own.routes[name]!.length, public: own.publicRoutes[name]!.length },
        ])
      }

      const { code, text } = await inspected
      expect(code).toBe(0)
      const inspection = oracleInspection.parse(JSON.parse(text))
      const adapters = bundledAdapters().flatMap(({ name, isPartOfCore }) => (isPartOfCore ? [] : [name]))
      const all = inspection.plugins.map(({ name }) => name)
      expect(all.toSorted()).toEqual([...names, ...adapters].toSorted())
      const reported = inspection.plugins.filter(({ name }) => names.includes(name))
      expect(
        grouped(
          names,
          reported.flatMap(({ name, tools }) => tools.map(tool => [name, tool] as const)),
        ),
      ).toEqual(own.tools)
      expect(
        grouped(
          names,
          reported.flatMap(({ name, routes }) =>
            routes.map(it => [name, `${it.method.toUpperCase()} ${it.path}`] as const),
          ),
        ),
      ).toEqual(own.routes)
      expect(
        grouped(
          names,
          inspection.variables.map(({ owner, name }) => [owner, name] as const),
        ),
      ).toEqual(variables)

      const findings = await checkPlugins(await contextOf({ inspection }))
      const messages = findings.map(({ message }) => message)
      for (const { name, state } of reported) {
        const words =
          state === 'loaded' || state === 'available' ? `: .*\\b${name}\\b` : `^${name} (connects|is|failed)`
        expect(messages).toContainEqual(expect.stringMatching(words))
      }
      expect(findings.filter(({ check, state }) => check === 'variables' && state !== 'ok')).toEqual([])

      const example = renderEnvExample(inspection.variables)
      const commented = /^# ([A-Z][A-Z0-9_]*)=/gm
      const made = new Set([...(example.split(/^## /m)[1] ?? '').matchAll(commented)].map(([, name]) => name))
      const unmade = Object.fromEntries(
        Object.entries(variables).map(([name, list]) => [name, list.filter(it => !made.has(it))]),
      )
      expect(variablesUnder(example, names, commented)).toEqual(unmade)
      expect(variablesUnder(read('docs/reference/env.md'), names, /^\| `([A-Z][A-Z0-9_]*)` \|/gm)).toEqual(variables)
    } finally {
      await oracle.close()
    }
  },
  limit,
)
