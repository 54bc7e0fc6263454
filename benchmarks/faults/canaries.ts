// Secrets as canaries: an oracle that logs at trace, whose plugin, provider and callers do all that makes secrets leak.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signingKeyFromSecret } from '@sibyl/identity'
import { bootFailures } from './canaries/boot-failures.ts'
import type { Needle } from './canaries/canary-forms.ts'
import { startListening } from './canaries/listening-process.ts'
import { makeCanaries } from './canaries/make-canaries.ts'
import { type Hit, Places } from './canaries/places.ts'
import { tour } from './canaries/tour.ts'
import { startUpstream } from './canaries/upstream.ts'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { unlimited } from './frame/unlimited.ts'

/** Number of failing boots that `--quick` tries. */
const quickBoots = 3
const formats = ['json', 'pretty'] as const

/** Returns the parts of an invocation that are unique to it. */
const needlesOfToken = (token: string): Needle[] => {
  const [, payload = '', signature = ''] = token.split('.')
  return [
    { name: 'the payload of an invocation', text: payload },
    { name: 'the signature of an invocation', text: signature },
  ].filter(({ text }) => text.length > 40)
}

/** The server of the run accepts any password. */
const withPassword = (url: string, password: string): string =>
  url.startsWith('postgres') ? url.replace('postgres@', `postgres:${encodeURIComponent(password)}@`) : url

const distinctHits = (hits: readonly Hit[]): Hit[] => [
  ...new Map(hits.map(hit => [`${hit.name} ${hit.place}`, hit])).values(),
]

await runFault({
  name: 'canaries',
  count: 4,
  quick: 1,
  defences: ['striking-out-by-value', 'striking-out-by-name', 'masking-errors'],
  choices: { engine: ['sqlite', 'postgres'] },
  async run(fault) {
    const canaries = await makeCanaries(fault.random)
    const places = new Places()
    await using database = await openFaultDatabase(fault, fault.choices.engine!)
    await using upstream = await startUpstream(canaries, places)
    const key = signingKeyFromSecret(canaries.callerSecret)
    const sound = (format: string) => ({
      ...unlimited,
      DATABASE_URL: withPassword(database.url, canaries.databasePassword),
      LOG_LEVEL: 'trace',
      LLM_MAX_RETRIES: '1',
      LOG_FORMAT: format,
      ORACLE_MNEMONIC: canaries.mnemonic,
      ORACLE_OPERATOR_TOKEN: canaries.operatorToken,
      ORACLE_API_KEYS: `shop:${canaries.apiKey}:*`,
      OPENAI_API_KEY: canaries.providerKey,
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      OTEL_EXPORTER_OTLP_ENDPOINT: upstream.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(`Bearer ${canaries.collectorToken}`)}`,
      PIN_ENCRYPTION_KEY: canaries.pinKey,
      LEAKY_SECRET: canaries.pluginSecret,
      LEAKY_URL: `https://user:${encodeURIComponent(canaries.databasePassword)}@example.org/`,
      LEAKY_API_KEYS: `shop:${canaries.pluginApiKey}`,
      CANARY_PHONE: canaries.phone,
    })
    const base = { folder: database.folder, without: fault.without, places }

    let requests = 0
    const presented: Needle[] = []
    for (let round = 0; round < fault.count; round += 1) {
      const format = formats[(round + fault.seed) % formats.length]!
      const oracle = await startListening({ ...base, name: `round ${round + 1}, ${format}`, env: sound(format) })
      if (!oracle) throw new Error(`The oracle did not start:\n${places.tail('standard')}`)
      const result = await tour(oracle, canaries, key, places, fault.quick ? 1 : 3)
      await oracle.end('SIGTERM')
      requests += result.requests
      presented.push(...result.tokens.flatMap(needlesOfToken))
      presented.push(...result.bearers.map(text => ({ name: 'a bearer', text })))
    }
    const faulty = Object.entries(bootFailures(canaries))
    const failures = (fault.quick ? faulty.slice(0, quickBoots) : faulty).map(async ([name, changes], index) => {
      const env = { ...sound(formats[index % formats.length]!), DATABASE_URL: 'memory:', ...changes }
      const oracle = await startListening({ ...base, name, env })
      await oracle?.end('SIGTERM')
    })
    await Promise.all(failures)
    for (const file of readdirSync(database.folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue
      const place = file.name.startsWith('sibyl.db') ? 'database' : 'other files'
      places.add(place, readFileSync(join(file.parentPath, file.name), 'latin1'))
    }

    const sizes = places.sizes()
    const sizeOf = (start: string) =>
      Object.entries(sizes).reduce((sum, [place, size]) => sum + (place.startsWith(start) ? size : 0), 0)
    fault.figure('requests', requests)
    fault.figure(
      'requests to the provider and the collector',
      `${upstream.counts.provider}, ${upstream.counts.collector}`,
    )
    fault.figure('secrets', new Set(canaries.needles.map(({ name }) => name)).size)
    fault.figure('forms of them', canaries.needles.length)
    fault.figure('invocations and bearers presented', presented.length)
    for (const place of [
      'standard output',
      'standard error',
      'answers',
      'requests to the',
      'database',
      'other files',
    ]) {
      fault.figure(`characters of ${place}`, sizeOf(place))
    }
    fault.atLeast('characters of log', sizeOf('standard output'), 50_000)
    fault.atLeast('characters of answers', sizeOf('answers'), 50_000)
    fault.atLeast('requests to the provider', upstream.counts.provider, 20)
    for (const violation of new Set(upstream.violations)) fault.figure('rejected by a strict provider', violation)
    fault.atMost('requests that a strict provider rejects', upstream.violations.length, 0)
    fault.atLeast('requests to the collector', upstream.counts.collector, 1)
    const hits = [...places.search(canaries.needles), ...places.search(presented)]
    fault.atMost('secrets found', hits.length, 0)
    for (const one of distinctHits(hits).slice(0, 25))
      fault.figure('found', `${one.name} in ${one.place}: ${one.around}`)
  },
})
