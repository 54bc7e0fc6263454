import { recordedLogger } from '@sibyl/plugin/testing'
import { expect, test } from 'vitest'
import { OtlpExporter } from './otlp-exporter.ts'
import { startOtlpCollector } from './testing/otlp-collector.ts'

test('a refused batch is sent again later; what waits is bounded', async () => {
  const collector = await startOtlpCollector()
  collector.status = 503
  const log = recordedLogger()
  const exporter = new OtlpExporter({
    url: `${collector.url}/v1/traces`,
    headers: {},
    timeoutMs: 1_000,
    resource: { attributes: {}, version: '0' },
    log,
    redact: text => text,
  })
  const span = (name: string) =>
    ({
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      parentSpanId: undefined,
      name,
      kind: 'internal',
      startedAt: 1,
      endedAt: 2,
      attributes: {},
      failed: false,
    }) as const
  for (let index = 0; index < 600; index += 1) exporter.take(span(`s${index}`))
  await expect.poll(() => log.lines.length).toBe(1)
  collector.status = 200
  for (let index = 600; index < 10_000; index += 1) exporter.take(span(`s${index}`))
  await exporter.close(5_000)
  expect(collector.spans.map(({ name }) => name)).toEqual(Array.from({ length: 2_048 }, (_, index) => `s${index}`))
  expect(exporter.dropped).toBe(10_000 - 2_048)
  await collector.close()
})
