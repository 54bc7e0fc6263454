import { expect, test } from 'vitest'
import { MetricsRegistry } from './metrics-registry.ts'

test('counters, histograms and what is collected are written as Prometheus reads it', async () => {
  const registry = new MetricsRegistry()
  const counter = registry.counter({ name: 'calls_total', help: 'Calls.', labels: ['route', 'status'] })
  counter.add(['/a', '200'])
  counter.add(['/a', '200'], 2)
  counter.add(['a "quoted"\nback\\slash', '500'])
  registry.counter({ name: 'idle_total', help: 'None yet.' })
  const histogram = registry.histogram({ name: 'seconds', help: 'Time.' }, [0.1, 1])
  for (const value of [0.05, 0.1, 0.5, 3]) histogram.observe([], value)
  registry.collected({ type: 'gauge', name: 'now', help: 'Now.', collect: async () => [[[], 7]] })
  registry.collected({
    type: 'gauge',
    name: 'broken',
    help: 'Never.',
    collect: () => {
      throw new Error('no')
    },
  })
  expect(await registry.text()).toBe(
    [
      '# HELP calls_total Calls.',
      '# TYPE calls_total counter',
      'calls_total{route="/a",status="200"} 3',
      'calls_total{route="a \\"quoted\\"\\nback\\\\slash",status="500"} 1',
      '# HELP idle_total None yet.',
      '# TYPE idle_total counter',
      'idle_total 0',
      '# HELP seconds Time.',
      '# TYPE seconds histogram',
      'seconds_bucket{le="0.1"} 2',
      'seconds_bucket{le="1"} 3',
      'seconds_bucket{le="+Inf"} 4',
      'seconds_sum 3.65',
      'seconds_count 4',
      '# HELP now Now.',
      '# TYPE now gauge',
      'now 7',
      '',
    ].join('\n'),
  )
})

test('a metric has no more than 500 series; further ones are one', async () => {
  const registry = new MetricsRegistry()
  const counter = registry.counter({ name: 'calls_total', help: 'Calls.', labels: ['tool'] })
  for (let index = 0; index < 10_000; index += 1) counter.add([`tool_${index}`])
  const text = await registry.text()
  expect(text.match(/^calls_total\{/gm)).toHaveLength(501)
  expect(text).toContain('calls_total{tool="other"} 9500')
})
