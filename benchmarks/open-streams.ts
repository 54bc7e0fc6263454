// 1,000 open chat streams: memory a stream, and the first byte of one more, side by side with bare AI SDK and Hono.
import { Agent } from 'node:http'
import { startFloorAndOracle } from './measure/floor-and-oracle.ts'
import { type MeasuredProcess, median } from './measure/processes.ts'
import { type OpenStream, openStream } from './open-streams/open-stream.ts'

const count = Number(process.env.BENCH_STREAMS ?? 1_000)
const probes = 100
const { floor, oracle, invocations, stop, remove } = await startFloorAndOracle('open-streams/upstream.ts')

/** Opens and closes streams one after the other; the median time to the first byte. */
const firstByte = async (url: string, agent: Agent, tokens: readonly string[]): Promise<number> => {
  const times: number[] = []
  for (let index = 0; index < probes; index += 1) {
    const stream = await openStream(url, agent, tokens[index])
    times.push(stream.firstByteMs)
    stream.close()
  }
  return median(times)
}

const openAll = async (url: string, agent: Agent, tokens: readonly string[]): Promise<OpenStream[]> => {
  const streams: OpenStream[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < count; index = next++) streams.push(await openStream(url, agent, tokens[index]))
  }
  await Promise.all(Array.from({ length: 32 }, worker))
  return streams
}

const measure = async (name: string, server: MeasuredProcess, authenticated: boolean) => {
  const agent = new Agent({ keepAlive: false })
  const mint = async (wanted: number) => (authenticated ? invocations.mint(wanted) : [])
  await firstByte(server.url, agent, await mint(probes))
  const alone = await firstByte(server.url, agent, await mint(probes))
  const before = server.memoryMb()
  const streams = await openAll(server.url, agent, await mint(count))
  const cpu = server.cpuMs()
  await new Promise(resolve => setTimeout(resolve, 4_000))
  const busy = (server.cpuMs() - cpu) / 4_000
  const memory = server.memoryMb()
  const crowded = await firstByte(server.url, agent, await mint(probes))
  for (const stream of streams) stream.close()
  console.log(
    `  ${name.padEnd(8)} first byte ${alone.toFixed(1)} ms alone, ${crowded.toFixed(1)} ms beside ${count} streams;` +
      ` ${before.toFixed(0)} MB before, ${memory.toFixed(0)} MB with them, ${(((memory - before) * 1000) / count).toFixed(0)} kB each;` +
      ` ${(busy * 100).toFixed(0)} % of a core while they trickle`,
  )
}

console.log(`node ${process.version}, a word every two seconds in each of ${count} streams`)
await measure('floor', floor, false)
await measure('oracle', oracle, true)
await stop()
remove()
