// For a thread: runs all attacks at once from a few networks, and reports how often each result came.
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { createAttacks } from './attacks.ts'

/** Requests of each attack at the same time, and the networks that they come from. */
const atOnce = 2
const networks = 8
const pauseMs = 50

const { oracle, forMs } = workerData as { readonly oracle: { url: string; did: string }; readonly forMs: number }
const until = performance.now() + forMs
const results: Record<string, Record<string, number>> = {}
await Promise.all(
  Object.entries(createAttacks(oracle)).flatMap(([name, attack]) => {
    const seen: Record<string, number> = {}
    results[name] = seen
    let count = 0
    const run = async () => {
      while (performance.now() < until) {
        const result = await attack(count++ % networks).catch(() => 'no answer')
        seen[String(result)] = (seen[String(result)] ?? 0) + 1
        await pause(pauseMs)
      }
    }
    return Array.from({ length: atOnce }, run)
  }),
)
parentPort?.postMessage(results)
