// 16 against 500 registered on-demand plugins: what the model is sent in a first turn, and what a plugin adds to the boot.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFakeOpenAi } from '@sibyl/testing'
import { runLoad } from './chat-turn/load.ts'
import { unlimited } from './faults/frame/unlimited.ts'
import { createInvocations } from './measure/invocations.ts'
import { median, startProcess } from './measure/processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const counts = [16, 500] as const
const server = join(import.meta.dirname, 'many-plugins/oracle-server.ts')
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const invocations = await createInvocations()
const provider = await startFakeOpenAi({ replies: () => ({ text: 'Hello.' }) })
const env = (plugins: number) => ({
  ...unlimited,
  PLUGINS: String(plugins),
  OPENAI_BASE_URL: provider.url,
  LLM_PROVIDER: 'openai-compatible',
  LLM_MODEL: 'm',
  ORACLE_MNEMONIC: invocations.mnemonic,
  DATABASE_URL: `file:${join(data, `${plugins}.db`)}`,
  LOG_LEVEL: 'error',
})
const figures = counts.map(plugins => ({ plugins, bootMs: [] as number[], memoryMb: [] as number[], prompt: 0 }))
for (let round = -1; round < rounds; round += 1) {
  for (const figure of figures) {
    const oracle = await startProcess(server, env(figure.plugins))
    if (round < 0) {
      const [token] = await invocations.mint(1)
      await runLoad(oracle.url, 1, 1, () => token)
      const { messages, tools } = provider.requests.at(-1)?.body ?? {}
      figure.prompt = JSON.stringify({ messages, tools }).length
    } else {
      figure.bootMs.push(oracle.bootMs)
      figure.memoryMb.push(oracle.memoryMb())
    }
    await oracle.stop()
  }
}
console.log(`node ${process.version}, from source, medians of ${rounds} interleaved rounds`)
for (const { plugins, bootMs, memoryMb, prompt } of figures) {
  console.log(
    `  ${String(plugins).padStart(3)} plugins ${median(bootMs).toFixed(0).padStart(5)} ms to listening ${median(memoryMb).toFixed(0).padStart(5)} MB ${String(prompt).padStart(6)} characters in the first turn's request, about ${Math.ceil(prompt / 4)} tokens`,
  )
}
const [few, many] = figures.map(({ bootMs }) => median(bootMs))
console.log(
  `  each plugin adds ${((many! - few!) / (counts[1] - counts[0])).toFixed(3)} ms of boot; first turns are ${figures[0]?.prompt === figures[1]?.prompt ? 'equal' : 'NOT equal'}`,
)
await provider.close()
rmSync(data, { recursive: true, force: true })
