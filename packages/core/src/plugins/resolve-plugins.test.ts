import type { OraclePlugin } from '@sibyl/plugin'
import { asBundled } from '@sibyl/plugin/host'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { type ResolveRequest, resolvePlugins } from './resolve-plugins.ts'

const resolve = (plugins: readonly unknown[], more: Partial<ResolveRequest> = {}) =>
  resolvePlugins({ plugins: plugins as OraclePlugin[], env: {}, coreVersion: '0.1.0', ...more })

const names = (plugins: readonly { name: string }[]) => plugins.map(({ name }) => name)
const headlines = (...of: Parameters<typeof resolve>) => resolve(...of).problems.map(({ headline }) => headline)

const memory = samplePlugin('memory', {
  env: z.object({
    MEMORY_MCP_URL: z.url().optional().meta({ example: 'embedded:' }),
    MEMORY_KEY: z.string().optional(),
  }),
  optIn: ['MEMORY_MCP_URL', 'MEMORY_KEY'],
})

test('a plugin may be named like a member of Object.prototype', () => {
  const { ordered, problems } = resolve([samplePlugin('constructor')], { features: {}, manifestOverrides: {} })
  expect([names(ordered), problems]).toEqual([['constructor'], []])
})

describe('order', () => {
  test('is that of the list without dependencies', () => {
    expect(names(resolve(['c', 'a', 'b'].map(name => samplePlugin(name))).ordered)).toEqual(['c', 'a', 'b'])
  })

  test('places plugins after those they require or use, and otherwise keeps the list order', () => {
    const { ordered, problems } = resolve([
      samplePlugin('a', { requires: ['d'] }),
      samplePlugin('b', { uses: ['c', 'absent'] }),
      samplePlugin('c'),
      samplePlugin('d', { requires: ['b'] }),
      samplePlugin('e'),
    ])
    expect(problems).toEqual([])
    expect(names(ordered)).toEqual(['c', 'b', 'd', 'a', 'e'])
  })

  test('accepts a cycle of uses, and places required plugins first', () => {
    const { ordered, problems } = resolve([
      samplePlugin('a', { uses: ['b'] }),
      samplePlugin('b', { requires: ['a'] }),
      samplePlugin('c', { uses: ['c', 'd'] }),
      samplePlugin('d', { uses: ['c'] }),
    ])
    expect(problems).toEqual([])
    expect(names(ordered)).toEqual(['a', 'b', 'd', 'c'])
  })

  test('rejects a cycle of requires and shows it once', () => {
    const plugins = [
      samplePlugin('a', { requires: ['b'] }),
      samplePlugin('b', { requires: ['c'] }),
      samplePlugin('c', { requires: ['a'] }),
      samplePlugin('self', { requires: ['self'] }),
      samplePlugin('waits', { requires: ['a'] }),
      samplePlugin('fine'),
    ]
    const { ordered, problems } = resolve(plugins)
    expect(names(ordered)).toEqual(['fine'])
    expect(problems.map(({ code, headline }) => [code, headline])).toEqual([
      ['plugin_cycle', "Plugins require each other in a cycle: 'a' → 'b' → 'c' → 'a'"],
      ['plugin_cycle', "Plugins require each other in a cycle: 'self' → 'self'"],
    ])
  })
})

describe('opt-in variables', () => {
  test('a blank one excludes the plugin and is named, the first of several', () => {
    const { ordered, excluded, problems } = resolve([memory], { env: { MEMORY_MCP_URL: '  ' } })
    expect([ordered, problems]).toEqual([[], []])
    expect(excluded).toMatchObject([{ reason: 'opt-in', variable: 'MEMORY_MCP_URL' }])
    expect(resolve([memory], { env: { MEMORY_MCP_URL: 'embedded:' } }).excluded).toMatchObject([
      { plugin: { name: 'memory' }, variable: 'MEMORY_KEY' },
    ])
  })

  test('all set enable it', () => {
    const { ordered, excluded } = resolve([memory], { env: { MEMORY_MCP_URL: 'embedded:', MEMORY_KEY: 'x' } })
    expect([names(ordered), excluded]).toEqual([['memory'], []])
  })

  test('features: true with a blank one is the boot error for that variable', () => {
    expect(resolve([memory], { features: { memory: true }, env: { MEMORY_KEY: 'x' } }).problems).toEqual([
      {
        code: 'env_invalid',
        headline: "Plugin 'memory' env validation failed for 'MEMORY_MCP_URL'",
        lines: [
          'is not set, and features enables the plugin. Use embedded:',
          'Fix it in .env, or disable the plugin: features: { memory: false } in createOracleApp',
        ],
        plugin: 'memory',
        variable: 'MEMORY_MCP_URL',
      },
    ])
  })
})

describe('features', () => {
  test('false excludes a plugin, whatever its problems', () => {
    const broken = samplePlugin('broken', { core: 'nonsense', requires: ['nobody'] })
    const { ordered, excluded, problems } = resolve([broken, samplePlugin('fine')], { features: { broken: false } })
    expect([names(ordered), problems]).toEqual([['fine'], []])
    expect(excluded).toMatchObject([{ plugin: { name: 'broken' }, reason: 'features' }])
  })

  test('true changes nothing for a plugin that needs no variable', () => {
    expect(names(resolve([samplePlugin('a')], { features: { a: true } }).ordered)).toEqual(['a'])
  })

  test('an unknown name is a problem that suggests the closest one', () => {
    const { problems } = resolve([samplePlugin('weather')], { features: { wether: false, zzz: true } })
    expect(problems).toMatchObject([
      {
        code: 'features_invalid',
        headline: "features has the unknown plugin 'wether'",
        lines: ['Did you mean weather?'],
      },
      { headline: "features has the unknown plugin 'zzz'", lines: ['There are: weather.'] },
    ])
  })

  test.each([[null], [['weather']], ['weather'], [7]])('that are %o are a problem', features => {
    expect(headlines([], { features: features as never })).toEqual(['features is not an object'])
  })

  test('a value other than true and false is a problem', () => {
    expect(headlines([samplePlugin('a')], { features: { a: 'no' as never } })).toEqual([
      "features has neither true nor false for 'a'",
    ])
  })
})

describe('duplicate names', () => {
  const bundled = asBundled(samplePlugin('weather', { version: '0.1.0' }))
  const own = samplePlugin('weather', { version: '9.0.0' })

  test('a given plugin replaces the bundled one, in any order', () => {
    for (const list of [
      [bundled, samplePlugin('z'), own],
      [own, samplePlugin('z'), bundled],
    ]) {
      const { ordered, problems } = resolve(list)
      expect(problems).toEqual([])
      expect(ordered.map(({ name, version }) => `${name} ${version}`)).toEqual(['weather 9.0.0', 'z 0.1.0'])
    }
  })

  test.each([
    ['given', own, samplePlugin('weather', { version: '2.0.0' }), 'versions 9.0.0 and 2.0.0'],
    ['bundled', bundled, asBundled(samplePlugin('weather')), 'versions 0.1.0 and 0.1.0'],
  ])('both %s are a problem that names them', (_, one, other, versions) => {
    expect(headlines([one, other])).toEqual([`Two plugins are named 'weather' (${versions})`])
  })
})

describe('requires', () => {
  test('a missing plugin is a problem that names both and the closest name', () => {
    const { problems } = resolve([samplePlugin('sms', { requires: ['usd'] }), samplePlugin('ussd')])
    expect(problems).toMatchObject([
      {
        code: 'plugin_requirement_missing',
        headline: "Plugin 'sms' requires 'usd', which is not in plugins",
        lines: [
          "Add 'usd' to plugins (did you mean ussd?), or switch 'sms' off: features: { sms: false } in createOracleApp",
        ],
      },
    ])
  })

  test('an excluded plugin is a problem with the reason', () => {
    const needs = samplePlugin('needs', { requires: ['memory'] })
    expect(resolve([memory, needs]).problems).toMatchObject([
      {
        headline: "Plugin 'needs' requires 'memory', which is excluded because MEMORY_MCP_URL is blank",
        lines: [
          "Set MEMORY_MCP_URL in .env, or disable 'needs' as well: features: { needs: false } in createOracleApp",
        ],
      },
    ])
    expect(headlines([memory, needs], { features: { memory: false } })).toEqual([
      "Plugin 'needs' requires 'memory', which is excluded by features",
    ])
  })
})

describe('the core range', () => {
  test('that does not match is a problem with both versions', () => {
    expect(resolve([samplePlugin('old', { core: '^0.0.9', version: '1.2.3' })]).problems).toMatchObject([
      {
        code: 'plugin_core_mismatch',
        headline: "Plugin 'old' 1.2.3 requires core ^0.0.9, and this is core 0.1.0",
        lines: [
          'Install a version of the plugin for this core, or disable it: features: { old: false } in createOracleApp',
        ],
      },
    ])
  })

  test('names the line to change in a plugin of the project', () => {
    const outdated = () => [{ path: 'src/plugins/old.ts', line: 9, range: '^0.0.9', plugin: 'old' }]
    const [problem] = resolve([samplePlugin('old', { core: '^0.0.9' })], { outdated }).problems
    expect(problem?.lines).toEqual([
      "If it works with this core, write core: '^0.1.0' in src/plugins/old.ts:9, or disable it: features: { old: false } in createOracleApp",
    ])
  })

  test('that is invalid shows the format', () => {
    expect(resolve([samplePlugin('odd', { core: 'latest' })]).problems[0]?.lines).toEqual([
      "The range is invalid; write one such as '^0.1.0'.",
    ])
  })
})

describe('manifests', () => {
  test('are changed by manifestOverrides; the plugin itself is not', () => {
    const plugin = samplePlugin('weather')
    const { ordered, problems } = resolve([plugin], {
      manifestOverrides: { weather: { load: 'always', tags: ['sky'] } },
    })
    expect(problems).toEqual([])
    expect(ordered[0]?.manifest).toEqual({ ...plugin.manifest, load: 'always', tags: ['sky'] })
    expect(plugin.manifest.load).toBeUndefined()
  })

  test.each([
    [{ load: 'sometimes' }, /load: /],
    [{ whenToUze: ['x'] }, /whenToUze/],
    [{ whenToUse: [] }, /whenToUse: /],
    ['always', /expected object/],
    [null, /expected object/],
  ])('an override of %o is a problem', (override, line) => {
    const { problems } = resolve([samplePlugin('weather')], { manifestOverrides: { weather: override as never } })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({
      code: 'manifest_invalid',
      headline: "Plugin 'weather' has an invalid entry in manifestOverrides",
    })
    expect(problems[0]?.lines.join()).toMatch(line)
  })

  test('an override for an unknown plugin and an invalid manifest are problems', () => {
    const manifest = { title: '', summary: 'x', whenToUse: [] }
    expect(headlines([samplePlugin('a', { manifest })], { manifestOverrides: { b: {} } })).toEqual([
      "manifestOverrides has the unknown plugin 'b'",
      "Plugin 'a' has an invalid manifest",
    ])
  })
})

describe('invalid list entries', () => {
  const throwing = new Proxy(samplePlugin('a'), {
    get() {
      throw new RangeError('hunter2')
    },
  })

  test.each([
    [null, 'It is null.'],
    [undefined, 'It is nothing.'],
    ['weather', 'It is a string.'],
    [42, 'It is a number.'],
    [[samplePlugin('a')], 'It is a list. Spread it: plugins: [...list].'],
    [Promise.resolve(samplePlugin('a')), 'It is a promise: await it first.'],
    [function weather() {}, 'It is a function: call it, as in plugins: [weather()].'],
    [{}, 'It has no setup function.'],
    [{ ...samplePlugin('a'), name: undefined }, /^name: /],
    [throwing, 'reading it failed with RangeError.'],
  ])('are a problem with their index: %#', (entry, line) => {
    const { ordered, problems } = resolve([samplePlugin('fine'), entry])
    expect(names(ordered)).toEqual(['fine'])
    expect(problems.map(({ code, headline }) => [code, headline])).toEqual([
      ['plugin_invalid', 'plugins[1] is not a plugin'],
    ])
    if (typeof line === 'string') expect(problems[0]?.lines[0]).toBe(line)
    else expect(problems[0]?.lines[0]).toMatch(line)
  })

  test.each([
    { version: 'newest' },
    { core: 7 },
    { manifest: null },
    { env: { shape: {} } },
    { env: z.string() },
    { optIn: 'MEMORY' },
    { requires: [1] },
    { uses: null },
    { migrations: { '001': 'create table' } },
    { setup: 'soon' },
  ])('are a problem with their name if present: %o', invalid => {
    expect(headlines([{ ...samplePlugin('odd'), ...invalid }])).toEqual(["Plugin 'odd' is not a plugin"])
  })

  test.each(['Weather', 'a_b', 'a--b', '-a', '1a', 'a b', 'core', '__proto__', '', 'x'.repeat(41)])(
    'rejects the name %j',
    name => {
      expect(headlines([samplePlugin(name)])).toEqual(['plugins[0] is not a plugin'])
    },
  )

  test('a handwritten plugin needs only members without a default, and keeps its own this', () => {
    class Handmade {
      name = 'handmade'
      version = '1.0.0'
      core = '*'
      manifest = samplePlugin('x').manifest
      greeting = 'hello'
      setup() {
        return { instructions: this.greeting }
      }
    }
    const { ordered, problems } = resolve([new Handmade()])
    expect(problems).toEqual([])
    expect(ordered[0]).toMatchObject({ optIn: [], requires: [], uses: [], migrations: {} })
    expect(ordered[0]?.setup({} as never)).toEqual({ instructions: 'hello' })
  })

  test('a value that is not a list is one problem', () => {
    expect(
      resolvePlugins({ plugins: samplePlugin('a') as never, env: {}, coreVersion: '0.1.0' }).problems,
    ).toMatchObject([
      { headline: 'plugins is not a list', lines: ['It is an object. Pass a list: plugins: [weather()].'] },
    ])
  })
})

test('reports all problems at once', () => {
  expect(
    headlines([null, memory, samplePlugin('a', { core: '^9.0.0' }), samplePlugin('b', { requires: ['nobody'] })], {
      features: { memory: true, ghost: false },
    }),
  ).toEqual([
    'plugins[0] is not a plugin',
    "features has the unknown plugin 'ghost'",
    "Plugin 'memory' env validation failed for 'MEMORY_MCP_URL'",
    "Plugin 'memory' env validation failed for 'MEMORY_KEY'",
    "Plugin 'a' 0.1.0 requires core ^9.0.0, and this is core 0.1.0",
    "Plugin 'b' requires 'nobody', which is not in plugins",
  ])
})
