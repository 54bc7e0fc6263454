import { Worker } from 'node:worker_threads'

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** Starts the thread of one program. It has no environment, no arguments and no streams of the oracle. */
export const startCodeWorker = (): Worker =>
  new Worker(new URL(`./code-worker.${extension}`, import.meta.url), {
    name: 'sandbox',
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, codeRangeSizeMb: 16, stackSizeMb: 4 },
  })
