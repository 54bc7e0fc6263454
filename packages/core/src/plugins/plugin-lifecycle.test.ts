import { BootError, type Host, type OraclePlugin, type PluginParts, provide, ToolFailure } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { serviceToken } from '@sibyl/protocol'
import { describe, expect, test } from 'vitest'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { type SetUpRequest, setUpPlugins } from './plugin-lifecycle.ts'
import { ServiceRegistry } from './service-registry.ts'

const setUp = async (plugins: readonly OraclePlugin[], more: Partial<SetUpRequest> = {}) => {
  const log = recordedLogger()
  const result = await setUpPlugins({
    plugins,
    env: new Map(),
    services: new ServiceRegistry(log),
    hostFor: (_plugin, env, services) => ({ env, ...services }) as unknown as Host,
    log,
    ...more,
  })
  return { ...result, log }
}

const names = (plugins: readonly { plugin: OraclePlugin }[]) => plugins.map(({ plugin }) => plugin.name)

/** Creates a plugin whose setup runs this and contributes nothing. */
const doing = (name: string, run: (host: Host) => void, more: Partial<OraclePlugin> = {}) =>
  samplePlugin(name, {
    ...more,
    setup: host => {
      run(host)
      return {}
    },
  })

const never = () => new Promise<never>(() => {})

describe('setup', () => {
  test('runs sequentially and stores the results', async () => {
    const events: string[] = []
    const slow = samplePlugin('slow', {
      async setup() {
        events.push('slow begins')
        await new Promise(resolve => setImmediate(resolve))
        events.push('slow ends')
        return { instructions: 'slow' }
      },
    })
    const next = doing('next', () => void events.push('next'))
    const { plugins, problems } = await setUp([slow, next])
    expect(events).toEqual(['slow begins', 'slow ends', 'next'])
    expect(problems).toEqual([])
    expect(plugins.map(({ parts }) => parts)).toEqual([{ instructions: 'slow' }, {}])
    expect(plugins.every(({ durationMs }) => durationMs >= 0)).toBe(true)
  })

  test('gets the settings of its plugin', async () => {
    const seen: unknown[] = []
    const reads = (name: string) => doing(name, ({ env }) => void seen.push(env))
    await setUp([reads('a'), reads('b')], { env: new Map([['a', { A: 1 }]]) })
    expect(seen).toEqual([{ A: 1 }, {}])
  })

  test.each([
    [
      'throws',
      () => {
        throw new TypeError('hunter2')
      },
      'Failed with TypeError, details in the log.',
    ],
    ['rejects', () => Promise.reject(new RangeError('hunter2')), 'Failed with RangeError, details in the log.'],
    [
      'throws text',
      () => {
        throw 'hunter2'
      },
      'Failed with a string instead of an error.',
    ],
    [
      'fails on purpose',
      () => {
        throw new ToolFailure('The homeserver is unknown')
      },
      'The homeserver is unknown.',
    ],
    ['never settles', never, 'It did not finish within 0.05 s.'],
    ['gives nothing', () => undefined, 'It returned nothing, not an object of parts; return {} if it adds none.'],
    ['gives null', () => null, 'It returned null, not an object of parts; return {} if it adds none.'],
    ['gives a list', () => [], 'It returned a list, not an object of parts; return {} if it adds none.'],
    ['gives text', async () => 'done', 'It returned a string, not an object of parts; return {} if it adds none.'],
  ])('that %s is a problem that names the plugin, and the rest continues', async (_, setup, line) => {
    const broken = samplePlugin('broken', { setup: setup as OraclePlugin['setup'] })
    const { plugins, problems } = await setUp([broken, samplePlugin('fine')], { timeLimitMs: 50 })
    expect(names(plugins)).toEqual(['fine'])
    expect(problems).toEqual([
      {
        code: 'plugin_setup_failed',
        headline: "Plugin 'broken' could not be set up",
        lines: [line, 'Fix it, or disable the plugin: features: { broken: false } in createOracleApp'],
        plugin: 'broken',
      },
    ])
  })

  test('logs the whole error', async () => {
    const error = new TypeError('details')
    const { log } = await setUp([samplePlugin('broken', { setup: () => Promise.reject(error) })])
    expect(log.lines).toEqual([
      { level: 'error', message: "a plugin's setup failed", fields: { plugin: 'broken', error } },
    ])
  })

  test('reports problems with the texts of setup, and the plugins excluded for them', async () => {
    const violations = [
      { code: 'file_invalid', headline: 'tides.json has no ports', lines: ['Add one.'] },
      { code: 'file_invalid', headline: 'tides.json has no coast', lines: ['Add one.'] },
    ]
    const broken = samplePlugin('broken', { setup: () => Promise.reject(new BootError(violations)) })
    const { problems, log } = await setUp([broken, samplePlugin('near', { requires: ['broken'] })])
    expect(problems).toEqual([
      { ...violations[0], plugin: 'broken', lines: ['Add one.', 'Not started because they require it: near.'] },
      { ...violations[1], plugin: 'broken' },
    ])
    expect(log.lines).toEqual([])
  })

  test('a host that cannot be created is a problem of that plugin', async () => {
    const { problems } = await setUp([samplePlugin('a')], {
      hostFor: () => {
        throw new Error('no host')
      },
    })
    expect(problems).toMatchObject([
      { plugin: 'a', lines: ['Failed with Error, details in the log.', expect.anything()] },
    ])
  })

  test('excludes direct and indirect dependents of a failed plugin, and reports it once', async () => {
    const reached: string[] = []
    const reports = (name: string, requires: string[], uses: string[] = []) =>
      doing(name, () => void reached.push(name), { requires, uses })
    const broken = samplePlugin('broken', { setup: () => Promise.reject(new Error('x')) })
    const { plugins, problems } = await setUp([
      broken,
      reports('near', ['broken']),
      reports('far', ['near']),
      reports('uses-it', [], ['broken']),
    ])
    expect(reached).toEqual(['uses-it'])
    expect(names(plugins)).toEqual(['uses-it'])
    expect(problems).toHaveLength(1)
    expect(problems[0]?.lines).toContain('Not started because they require it: near, far.')
  })

  test('two failures are two problems', async () => {
    const broken = (name: string) => samplePlugin(name, { setup: () => Promise.reject(new Error('x')) })
    const { problems } = await setUp([broken('a'), broken('b')])
    expect(problems.map(({ plugin }) => plugin)).toEqual(['a', 'b'])
  })
})

describe('dispose', () => {
  test('runs in reverse order, once, and never rejects', async () => {
    const events: string[] = []
    const gone = (name: string, dispose: () => unknown) =>
      samplePlugin(name, {
        setup: () => ({
          dispose: async () => {
            events.push(name)
            await dispose()
          },
        }),
      })
    const { dispose, log } = await setUp(
      [
        gone('first', () => {}),
        gone('throws', () => {
          throw new TypeError('hunter2')
        }),
        gone('rejects', () => Promise.reject(new ToolFailure('The queue is not empty.'))),
        gone('hangs', never),
        samplePlugin('without'),
        gone('last', () => {}),
      ],
      { timeLimitMs: 50 },
    )
    const failures = await dispose()
    expect(events).toEqual(['last', 'hangs', 'rejects', 'throws', 'first'])
    expect(failures).toEqual([
      { plugin: 'hangs', reason: 'did not finish within 0.05 s' },
      { plugin: 'rejects', reason: 'The queue is not empty.' },
      { plugin: 'throws', reason: 'failed with TypeError, details in the log' },
    ])
    expect(log.lines.map(({ level, fields }) => [level, fields.plugin])).toEqual([
      ['error', 'hangs'],
      ['error', 'rejects'],
      ['error', 'throws'],
    ])
    expect(await dispose()).toBe(failures)
    expect(events).toHaveLength(5)
  })

  test('is called for plugins that were set up when another failed, and for a setup that ends too late', async () => {
    const disposed: string[] = []
    let finishLate = () => {}
    const late = samplePlugin('late', {
      setup: () =>
        new Promise<PluginParts>(resolve => {
          finishLate = () => resolve({ dispose: async () => void disposed.push('late') })
        }),
    })
    const first = samplePlugin('first', { setup: () => ({ dispose: async () => void disposed.push('first') }) })
    const { dispose, problems } = await setUp([first, late], { timeLimitMs: 50 })
    expect(problems.map(({ plugin }) => plugin)).toEqual(['late'])
    await dispose()
    expect(disposed).toEqual(['first'])
    finishLate()
    await expect.poll(() => disposed).toEqual(['first', 'late'])
  })
})

describe('services', () => {
  const sender = serviceToken<(text: string) => string>('sms-sender')
  const sms = samplePlugin('sms', { setup: () => ({ services: [provide(sender, text => `sent ${text}`)] }) })

  test('are available by token in plugins that require or use their provider', async () => {
    const results: unknown[] = []
    const requires = doing('requires', host => void results.push(host.service(sender)('hello')), { requires: ['sms'] })
    const uses = doing('uses', host => void results.push(host.optionalService(sender)?.('hi')), { uses: ['sms'] })
    const { problems } = await setUp([sms, requires, uses])
    expect(problems).toEqual([])
    expect(results).toEqual(['sent hello', 'sent hi'])
  })

  test('of a plugin that is not in requires are rejected, with the remedy', async () => {
    const asks = doing('asks', host => void host.service(sender), { uses: ['sms'] })
    const { problems } = await setUp([sms, asks])
    expect(problems[0]?.lines[0]).toBe(
      "Plugin 'asks' requests the service 'sms-sender' of 'sms': add 'sms' to its requires.",
    )
  })

  test('without a provider are a problem, or undefined if optional', async () => {
    let optional: unknown = 'unset'
    const asks = doing('asks', host => void host.service(sender))
    const hopes = doing('hopes', host => {
      optional = host.optionalService(sender)
    })
    const { problems } = await setUp([asks, hopes])
    expect(problems.map(({ plugin, lines }) => [plugin, lines[0]])).toEqual([
      ['asks', "Plugin 'asks' requests the service 'sms-sender', which no plugin set up before it provides."],
    ])
    expect(optional).toBeUndefined()
  })

  test('of a plugin that is not in uses are withheld, with a log line', async () => {
    let given: unknown = 'unset'
    const sly = doing('sly', host => {
      given = host.optionalService(sender)
    })
    const { log } = await setUp([sms, sly])
    expect(given).toBeUndefined()
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { plugin: 'sly', provider: 'sms' } }])
  })

  test('provided later in a cycle of uses are available once all are set up', async () => {
    let host: Host | undefined
    const early = doing(
      'early',
      given => {
        host = given
      },
      { uses: ['sms'] },
    )
    await setUp([early, sms])
    expect(host?.optionalService(sender)?.('x')).toBe('sent x')
  })

  test('provided twice are a problem that names both', async () => {
    const other = samplePlugin('other-sms', { setup: () => ({ services: [provide(sender, text => text)] }) })
    const { problems } = await setUp([sms, other])
    expect(problems).toMatchObject([
      {
        code: 'service_taken',
        headline: "Plugins 'sms' and 'other-sms' both provide the service 'sms-sender'",
        lines: ["Disable one of them, such as features: { 'other-sms': false } in createOracleApp"],
      },
    ])
  })

  test.each(['all', { sender }, [sender], [[sender]], [[{ name: '' }, 1]], [[null, 1]]])(
    'that are %o are a problem',
    async services => {
      const { problems } = await setUp([samplePlugin('odd', { setup: () => ({ services }) as never })])
      expect(problems).toMatchObject([{ code: 'plugin_parts_invalid', plugin: 'odd' }])
    },
  )
})

describe('contributions', () => {
  test('are read once, and keep their own this', async () => {
    let reads = 0
    class Parts {
      greeting = 'hello'
      get instructions() {
        reads += 1
        return this.greeting
      }
      tools() {
        return { [this.greeting]: 1 }
      }
    }
    const { plugins } = await setUp([samplePlugin('a', { setup: () => new Parts() as never })])
    const { instructions, tools } = plugins[0]!.parts
    expect(instructions).toBe('hello')
    expect((tools as () => unknown)()).toEqual({ hello: 1 })
    expect(reads).toBe(1)
  })

  test('that throw are a failed setup', async () => {
    const parts = {
      get turn(): never {
        throw new RangeError('hunter2')
      },
    }
    const { plugins, problems } = await setUp([samplePlugin('odd', { setup: () => parts })])
    expect(plugins).toEqual([])
    expect(problems[0]?.lines[0]).toBe('Failed with RangeError, details in the log.')
  })
})
