// The whole test suite with canaries in its environment, logging at trace: none is in what it says or leaves.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledPlugins } from '@sibyl/bundle'
import { listEnvVariables } from '@sibyl/core'
import { needlesOfText } from './canaries/canary-forms.ts'
import { makeCanaries } from './canaries/make-canaries.ts'
import { Places } from './canaries/places.ts'
import { runFault } from './frame/run-fault.ts'

const root = join(import.meta.dirname, '../..')

/** The folders of tests that `--quick` runs: those that start processes. */
const quickFolders = ['packages/core/src/logging', 'packages/core/src/boot']

/** Runs vitest; gives what it said in the end. */
const runTests = async (
  folders: readonly string[],
  env: Readonly<Record<string, string>>,
  places: Places,
): Promise<string> => {
  const command = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=verbose', ...folders]
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const [name, stream] of [
    ['standard output', child.stdout],
    ['standard error', child.stderr],
  ] as const) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      places.add(name, text)
      output = (output + text).slice(-4_000)
    })
  }
  await once(child, 'close')
  return output
}

await runFault({
  name: 'canaries-suite',
  count: 1,
  quick: 1,
  defences: ['quiet-environment'],
  async run(fault) {
    const canaries = await makeCanaries(fault.random)
    const others = Object.fromEntries(
      listEnvVariables(bundledPlugins())
        .filter(({ owner, secret }) => owner !== 'core' && secret)
        .map(({ name }) => [name, Buffer.from(fault.random.bytes(24)).toString('base64url')]),
    )
    const needles = [
      ...canaries.needles,
      ...Object.entries(others).flatMap(([name, text]) => needlesOfText(name, text)),
    ]
    const places = new Places()
    const folder = mkdtempSync(join(tmpdir(), 'sibyl-canaries-'))
    try {
      const printing = join(import.meta.dirname, 'canaries/print-environment.ts')
      const output = await runTests(
        fault.quick ? quickFolders : [],
        {
          ...others,
          ENTITIES_API_KEYS: `shop:${others.ENTITIES_API_KEYS}`,
          NO_COLOR: '1',
          TMPDIR: folder,
          LOG_LEVEL: 'trace',
          ORACLE_MNEMONIC: canaries.mnemonic,
          ORACLE_OPERATOR_TOKEN: canaries.operatorToken,
          ORACLE_API_KEYS: `shop:${canaries.apiKey}`,
          OPENAI_API_KEY: canaries.providerKey,
          PIN_ENCRYPTION_KEY: canaries.pinKey,
          ...(fault.defended ? {} : { NODE_OPTIONS: `--import=${printing}` }),
        },
        places,
      )
      for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (file.isFile()) places.add('files', readFileSync(join(file.parentPath, file.name), 'latin1'))
      }
      const passed = Number(/Tests .*?(\d+) passed/.exec(output)?.[1] ?? 0)
      fault.atLeast('tests passed', passed, fault.quick ? 20 : 1_000)
      fault.figure('characters', JSON.stringify(places.sizes()))
      fault.figure('secrets', new Set(needles.map(({ name }) => name)).size)
      const hits = places.search(needles)
      fault.atMost('secrets found', hits.length, 0)
      for (const { name, place, around } of hits.slice(0, 10)) fault.figure('found', `${name} in ${place}: ${around}`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})
