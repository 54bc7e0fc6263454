import { type Capability, defineTool, type PluginParts, type Route, route, type Tool } from '@sibyl/plugin'
import type { Access, Example } from '@sibyl/plugin/host'
import { silentLogger } from '@sibyl/plugin/host'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { checkParts } from './check-parts.ts'

const coreRoutes = [
  { method: 'get', path: '/health' },
  { method: 'get', path: '/chat/{id}/stream' },
  { method: 'post', path: '/chat' },
]

const check = (...given: (readonly [string, unknown, Example[]?])[]) =>
  checkParts({
    plugins: given.map(([name, parts, examples]) => {
      const plugin = samplePlugin(name)
      return {
        plugin: examples ? { ...plugin, manifest: { ...plugin.manifest, examples } } : plugin,
        parts: parts as PluginParts,
      }
    }),
    coreRoutes,
    log: silentLogger,
  })

const headlines = (...given: Parameters<typeof check>) => check(...given).map(({ headline }) => headline)

const tool = (changes: Record<string, unknown> = {}) =>
  ({
    ...defineTool({
      description: 'Does it.',
      input: z.object({ city: z.string() }),
      effect: 'read',
      execute: async () => ({}),
    }),
    ...changes,
  }) as Tool

const routeAt = (path: string, method: 'get' | 'post' | 'head' = 'get', access: Access = 'public'): Route => {
  const made = route.get(path, { auth: access, summary: 'A route', ok: { 200: { description: 'x' } } }, c =>
    c.text('x'),
  )
  return { ...made, definition: Object.assign(made.definition, { method }) }
}

test('a valid plugin has no problems', () => {
  const capability: Capability = {
    name: 'files-server',
    manifest: samplePlugin('x').manifest,
    tools: () => ({}),
    state: () => 'ready',
  }
  const parts: PluginParts = {
    tools: { get_weather: tool({ output: z.object({}), approval: 'user', timeLimitSeconds: 3, describe: () => 'x' }) },
    capabilities: () => [capability],
    routes: [
      routeAt('/weather/now'),
      routeAt('/weather/{city}'),
      routeAt('/weather', 'post', { ucan: 'weather/write' }),
    ],
    getAuthExcludedRoutes: () => [{ method: 'GET', path: '/weather/:city' }],
    instructions: async () => undefined,
    turn: { before: async () => undefined, after: async () => {} },
    modelMiddleware: { specificationVersion: 'v4' },
    services: [],
    dispose: async () => {},
  }
  const examples = [{ user: 'Weather in {city}', tool: 'get_weather', args: { city: '{city}' } }]
  expect(check(['weather', parts, examples], ['other', { tools: () => ({}) }], ['bare', {}])).toEqual([])
})

describe('tools', () => {
  test.each(['Get', '1st', 'get-weather', 'get weather', '', 'x'.repeat(65), '__proto', 'naïve'])(
    'rejects the name %j',
    name => {
      expect(check(['a', { tools: { [name]: tool() } }])).toMatchObject([
        { code: 'tool_invalid', headline: `Plugin 'a' has a tool with the invalid name '${name}'` },
      ])
    },
  )

  test("rejects core's names", () => {
    expect(headlines(['a', { tools: { list_capabilities: tool(), load_capability: tool() } }])).toEqual([
      "Plugin 'a' has a tool 'list_capabilities', which is reserved for core",
      "Plugin 'a' has a tool 'load_capability', which is reserved for core",
    ])
  })

  test('a duplicate name names both plugins and the remedy', () => {
    expect(check(['a', { tools: { find: tool() } }], ['b-two', { tools: { find: tool() } }])).toEqual([
      {
        code: 'tool_name_taken',
        headline: "Plugins 'a' and 'b-two' both have a tool 'find'",
        lines: ["Rename one of them, or disable a plugin, such as features: { 'b-two': false } in createOracleApp"],
        plugin: 'b-two',
      },
    ])
  })

  test.each([
    [null, 'It is null, not an object.'],
    [tool({ description: ' ' }), 'description is not a string.'],
    [tool({ input: { type: 'object' } }), 'input is not a zod schema.'],
    [tool({ output: 'text' }), 'output is not a zod schema.'],
    [tool({ effect: 'delete' }), "effect is neither 'read' nor 'write'."],
    [tool({ execute: undefined }), 'execute is not a function.'],
    [tool({ approval: 'operator' }), "approval is neither 'user' nor a function."],
    [tool({ describe: 'x' }), 'describe is not a function.'],
    [tool({ timeLimitSeconds: 0, execute: 1 }), 'execute is not a function; timeLimitSeconds is not a number above 0.'],
  ])('an invalid tool is a problem with its reason: %#', (invalid, line) => {
    expect(check(['a', { tools: { find: invalid } }])).toMatchObject([
      { headline: "Plugin 'a' has an invalid tool 'find'", lines: [line] },
    ])
  })

  test.each([[[]], ['find'], [7], [null]])('are a problem as %o', tools => {
    expect(check(['a', { tools }])).toMatchObject([{ code: 'tool_invalid', plugin: 'a' }])
  })
})

describe('routes', () => {
  test('a duplicate names both owners, whatever its parameters are called', () => {
    expect(check(['a', { routes: [routeAt('/x/{id}')] }], ['b', { routes: [routeAt('/x/{name}', 'head')] }])).toEqual([
      {
        code: 'route_taken',
        headline: "Routes collide: HEAD /x/{name} of plugin 'b' and GET /x/{id} of plugin 'a'",
        lines: [
          'Some requests match both, and the later one would never handle them.',
          'Change the path of one of them, or disable the plugin: features: { b: false } in createOracleApp',
        ],
        plugin: 'b',
      },
    ])
  })

  test.each(['/health', '/{page}', '/chat/{session}/stream', '/chat/new/stream', '/{rest{.+}}'])(
    "one that overlaps with core's is rejected: %s",
    path => {
      expect(check(['a', { routes: [routeAt(path)] }])).toMatchObject([{ code: 'route_taken', plugin: 'a' }])
    },
  )

  test('other methods and paths next to those of core are available', () => {
    expect(check(['a', { routes: [routeAt('/health', 'post'), routeAt('/chat/{id}/export')] }])).toEqual([])
  })

  test('the more specific one of a plugin goes first', () => {
    const narrow = routeAt('/tasks/new')
    const wide = routeAt('/tasks/{id}')
    expect(check(['a', { routes: [narrow, wide] }])).toEqual([])
    expect(check(['a', { routes: [wide, narrow] }])[0]).toMatchObject({
      headline: "Routes collide: GET /tasks/new of plugin 'a' and GET /tasks/{id} of plugin 'a'",
      lines: [expect.anything(), 'Remove one, or put the narrower one first.'],
    })
    expect(check(['a', { routes: [narrow, narrow] }])).toMatchObject([{ code: 'route_taken' }])
  })

  test.each([
    [null],
    ['/x'],
    [{}],
    [{ access: 'public', definition: { method: 'get', path: '/x' }, handle: () => new Response() }],
    [{ ...routeAt('/x'), handle: undefined }],
  ])('one that `route` did not create is rejected: %o', invalid => {
    expect(check(['a', { routes: [invalid] }])).toMatchObject([{ code: 'route_invalid', plugin: 'a' }])
  })

  test.each(['/x/../y', '/x/', '/x/*', 'x', '/a%2fb'])('an invalid path is rejected: %s', path => {
    expect(check(['a', { routes: [routeAt(path)] }])).toMatchObject([
      { code: 'route_invalid', headline: `Plugin 'a' has an invalid route GET ${path}` },
    ])
  })

  test.each([
    undefined,
    'everybody',
    {},
    { ucan: '' },
    { ucan: 'weather' },
    { ucan: '*' },
    { ucan: 'weather/*' },
    { apiKey: 'lower' },
    { apiKey: 'KEYS', orUcan: 'x' },
    { ucan: 'a/b', apiKey: 'KEYS' },
  ])('access must name the callers: %o', access => {
    expect(headlines(['a', { routes: [{ ...routeAt('/x'), access }] }])).toEqual([
      "Plugin 'a' does not define the access of GET /x",
    ])
  })

  test.each([
    { rateLimit: true },
    { rateLimit: null },
    { rateLimit: { perMinute: 10 } },
    { rateLimit: { name: 'a b', perMinute: 10 } },
    { rateLimit: { name: 'a', perMinute: -1 } },
    { rateLimit: { name: 'a', perMinute: 1.5 } },
    { refuse: 'no' },
    { admit: true },
  ])('each member is validated: %o', options => {
    expect(headlines(['a', { routes: [{ ...routeAt('/x'), ...options } as Route] }])).toEqual([
      expect.stringMatching(/^Plugin 'a' has (an invalid rate limit|refuse|admit) at GET \/x/),
    ])
  })

  test.each(['operator', 'own', { apiKey: 'ENTITIES_API_KEYS', orUcan: 'entities/write' }] as const)(
    'access may be %o',
    access => {
      expect(check(['a', { routes: [routeAt('/x', 'get', access)] }])).toEqual([])
    },
  )

  test('are a problem unless they are a list', () => {
    expect(headlines(['a', { routes: routeAt('/x') }])).toEqual([
      "Plugin 'a' returned routes that are an object, not a list",
    ])
  })
})

describe('getAuthExcludedRoutes', () => {
  const excluding = (list: unknown, access: Access = 'public') =>
    headlines(['a', { routes: [routeAt('/x/{id}', 'get', access)], getAuthExcludedRoutes: () => list }])

  test('names routes of the plugin', () => {
    expect(excluding([{ method: 'get', path: '/x/:id' }])).toEqual([])
    expect(excluding([{ method: 'HEAD', path: '/x/{anything}' }])).toEqual([])
    expect(excluding([{ method: 'post', path: '/x/:id' }])).toEqual([
      "Plugin 'a' excludes a route from UCAN that it does not have: POST /x/:id",
    ])
    expect(excluding([{ method: 'get', path: '/chat' }])).toEqual([
      "Plugin 'a' excludes a route from UCAN that it does not have: GET /chat",
    ])
  })

  test('opens a route with UCAN access, by its path or a wildcard', () => {
    for (const [method, path] of [
      ['get', '/x/{id}'],
      ['get', '/x/*'],
      ['*', '/x/:id'],
      ['*', '/*'],
    ]) {
      expect(excluding([{ method, path }], { ucan: 'a/read' })).toEqual([])
    }
  })

  test.each<[Access]>([['operator'], [{ apiKey: 'KEYS' }], [{ apiKey: 'KEYS', orUcan: 'a/read' }]])(
    'cannot open a route with access %o',
    access => {
      for (const path of ['/x/{id}', '/x/*']) {
        expect(excluding([{ method: 'get', path }], access)).toEqual([
          `Plugin 'a' excludes GET ${path} from UCAN although it is for the operator or for API keys`,
        ])
      }
    },
  )

  test.each([
    ['post', '/x/*'],
    ['get', '/x'],
    ['get', '/x/*/y'],
    ['get', '/x/any'],
    ['get', '/x/*/*'],
    ['get', '/chat/*'],
  ])('reports a wildcard that matches no route of the plugin: %s %s', (method, path) => {
    expect(excluding([{ method, path }])).toEqual([
      `Plugin 'a' excludes a route from UCAN that it does not have: ${method.toUpperCase()} ${path}`,
    ])
  })

  test.each(['/x*', '*', '/x/**', '/*x/{id}'])('reports %s, which is not a wildcard', path => {
    expect(excluding([{ method: 'get', path }])).toEqual(["Plugin 'a' excludes a value from UCAN that is not a route"])
  })

  test.each([[null], ['/x'], [[null]], [[{ path: '/x' }]], [[{ method: 'get', path: '/x/../y' }]]])(
    'reports the result %o',
    list => {
      expect(excluding(list)).toHaveLength(1)
    },
  )

  test('reports an exception', () => {
    const parts = {
      getAuthExcludedRoutes() {
        throw new TypeError('hunter2')
      },
    }
    expect(check(['a', parts])).toMatchObject([
      {
        headline: "Plugin 'a' has parts that cannot be read",
        lines: ['Reading them failed with TypeError, details in the log.'],
      },
    ])
  })
})

describe('examples in the manifest', () => {
  const example = (name: string, args: Record<string, unknown>): Example[] => [{ user: 'x {city}', tool: name, args }]
  const tools = {
    find: tool({
      input: z.object({
        city: z.string(),
        days: z.coerce.number().max(7).default(1),
        unit: z.enum(['c', 'f']).optional(),
      }),
    }),
  }

  test.each([[{ city: '{city}' }], [{ city: 'Berlin', days: '{days}', unit: 'c' }], [{ city: 'Berlin', days: 7 }]])(
    'are valid: %o',
    args => {
      expect(check(['a', { tools }, example('find', args)])).toEqual([])
    },
  )

  test('an unknown tool is a problem that suggests the closest name', () => {
    expect(check(['a', { tools }, example('fnid', {})])).toMatchObject([
      {
        code: 'manifest_example_invalid',
        headline: "Plugin 'a' has an example for the unknown tool 'fnid' (manifest.examples[0])",
        lines: ['Did you mean find?'],
      },
    ])
    expect(check(['a', {}, example('find', {})])[0]?.lines).toEqual(['It has: no tools.'])
    expect(check(['a', { tools }, example('constructor', {})])).toHaveLength(1)
  })

  test.each([
    [{ city: '{city}', town: 'x' }, "the tool has no 'town'."],
    [{ days: 2 }, "'city' is missing."],
    [{ city: '{city}', days: 8 }, "'days' has a value that the tool rejects."],
    [{ city: 5, unit: 'k' }, "'city' has a value that the tool rejects; 'unit' has a value that the tool rejects."],
  ])('invalid arguments are a problem: %o', (args, line) => {
    expect(check(['a', { tools }, example('find', args)])).toMatchObject([
      {
        headline: "Plugin 'a' has an example whose arguments do not match 'find' (manifest.examples[0])",
        lines: [line],
      },
    ])
  })

  test('are not checked where only a turn can validate them', () => {
    const unknown = example('dynamic_tool', { x: 1 })
    expect(check(['a', { tools: () => ({}) }, unknown])).toEqual([])
    expect(check(['a', { capabilities: () => [] }, unknown])).toEqual([])
    const loose = { find: tool({ input: z.looseObject({ city: z.string() }) }) }
    expect(check(['a', { tools: loose }, example('find', { city: 'x', more: 1 })])).toEqual([])
    const slow = { find: tool({ input: z.object({ city: z.string().refine(async () => true) }) }) }
    expect(check(['a', { tools: slow }, example('find', { city: 'x' })])).toEqual([])
  })
})

describe('capabilities', () => {
  const capability = (name: unknown, changes: Record<string, unknown> = {}) => ({
    name,
    manifest: samplePlugin('x').manifest,
    tools: () => ({}),
    state: () => 'ready',
    ...changes,
  })

  test('a duplicate name names both owners', () => {
    const mcp = { capabilities: () => [capability('weather'), capability('mail'), capability('mail')] }
    const other = { capabilities: () => [capability('mail')] }
    expect(headlines(['mcp', mcp], ['other', other], ['weather', {}])).toEqual([
      "Plugins 'weather' and 'mcp' both have the capability name 'weather'",
      "Plugin 'mcp' has two capabilities with the name 'mail'",
      "Plugins 'mcp' and 'other' both have the capability name 'mail'",
    ])
  })

  test.each([
    [null],
    [{}],
    [[null]],
    [[capability('Bad Name')]],
    [[capability(7)]],
    [[capability('x', { tools: {} })]],
    [[capability('x', { state: 'ready' })]],
    [[capability('x', { manifest: { title: '' } })]],
  ])('an invalid one is a problem: %o', list => {
    expect(check(['mcp', { capabilities: () => list }])).toMatchObject([
      { code: 'plugin_parts_invalid', plugin: 'mcp' },
    ])
  })
})

describe('the shape of contributions', () => {
  test('an unknown member is a problem that suggests the closest name', () => {
    expect(check(['a', { tool: {}, sidebar: 1 }])).toMatchObject([
      { headline: "Plugin 'a' returned the unknown part 'tool'", lines: [expect.stringContaining('tools')] },
      {
        headline: "Plugin 'a' returned the unknown part 'sidebar'",
        lines: [expect.stringContaining('Valid parts: tools')],
      },
    ])
  })

  test.each([
    { capabilities: [] },
    { getAuthExcludedRoutes: [] },
    { instructions: 7 },
    { turn: () => {} },
    { turn: { befor: () => {} } },
    { turn: { before: 'x' } },
    { modelMiddleware: () => {} },
    { personalRecords: () => {} },
    { personalRecords: { export: async () => undefined } },
    { dispose: true },
  ])('a member of the wrong type is a problem: %o', parts => {
    const problems = check(['a', parts])
    expect(problems[0]).toMatchObject({ code: 'plugin_parts_invalid', plugin: 'a' })
  })

  test('contributions that throw are a problem, and the other plugins are still checked', () => {
    const unreadable = {
      get tools(): never {
        throw new Error('hunter2')
      },
    }
    const problems = check(['a', unreadable], ['b', { dispose: 1 }])
    expect(problems.some(({ plugin }) => plugin === 'a')).toBe(true)
    expect(problems.some(({ plugin }) => plugin === 'b')).toBe(true)
    expect(JSON.stringify(problems)).not.toContain('hunter2')
  })
})
