// Strangers send PDFs of a few kilobytes that take hundreds of megabytes to read, all at once: the process stays small.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMnemonic } from '@sibyl/identity'
import { personAt, sendPdf } from './flood/attacks.ts'
import { pdfBomb } from './flood/pdf-bomb.ts'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { watchHealth } from './frame/watch-health.ts'

const heapMegabytes = 256
/** One PDF may take 600 MB until it is stopped, while the memory of the one before is given back. */
const maxMegabytes = 1_300

/** Returns the most memory that a process had, in megabytes. */
const peakOf = (pid: number): number =>
  Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000)

await runFault({
  name: 'large-pdfs',
  count: 30,
  quick: 8,
  defences: ['pdfs-within-memory'],
  async run(script) {
    if (process.platform !== 'linux') script.skip('It reads the memory of the process from /proc.')
    await using database = await openFaultDatabase(script, 'sqlite')
    await using oracle = await startOracle({
      file: 'flood/oracle.ts',
      nodeOptions: [`--max-old-space-size=${heapMegabytes}`],
      without: script.without,
      env: {
        DATABASE_URL: database.url,
        FILES_DIR: join(database.folder, 'files'),
        ORACLE_MNEMONIC: createMnemonic(12).reveal(),
        TRUST_PROXY_ENABLED: 'true',
      },
    })
    const bomb = pdfBomb(1_500)
    const before = peakOf(oracle.pid)
    const { p95 } = await watchHealth(oracle, () =>
      Promise.all(
        Array.from({ length: script.count }, (_, index) =>
          sendPdf(personAt(oracle, `203.0.113.${index + 1}`), bomb).catch(() => ''),
        ),
      ),
    )
    script.figure('kilobytes of a PDF', Math.round(bomb.length / 1_000))
    script.figure('health, 95 of 100 within ms', p95)
    script.atLeast('process alive', Number(oracle.alive), 1)
    script.atMost(
      'megabytes that PDFs added at the peak',
      (oracle.alive ? peakOf(oracle.pid) : Infinity) - before,
      maxMegabytes,
    )
  },
})
