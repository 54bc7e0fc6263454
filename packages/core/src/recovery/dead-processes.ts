import type { Processes } from '@sibyl/storage'

/** After this long without a sign of life, a process without a line to the database counts as dead, in milliseconds. */
export const vanishedAfterMs = 3_000

/** After this long without a sign of life, a process counts as dead although it holds its line, in milliseconds. */
export const hungAfterMs = 15_000

/** What is judged: who, and for how long it gave no sign of life. */
export interface Silence {
  readonly processId: string
  readonly silentMs: number
}

/**
 * Makes the judge of silent processes. It goes by lines and by the database's clock, never by the clocks of processes,
 * and finds nobody dead while this process was out of touch itself: then the others were too, and are about to speak.
 * A process that it was not asked about is alive: it may have taken over a turn since.
 */
export const judgeOf = async (
  processes: Pick<Processes, 'steadyForMs' | 'connected'>,
  ids: readonly string[],
): Promise<(silence: Silence) => 'alive' | 'vanished' | 'hung'> => {
  if (processes.steadyForMs < vanishedAfterMs) return () => 'alive'
  const asked = new Set(ids)
  const connected = await processes.connected([...asked])
  return ({ processId, silentMs }) => {
    if (!asked.has(processId)) return 'alive'
    if (!connected.has(processId)) return silentMs > vanishedAfterMs ? 'vanished' : 'alive'
    return silentMs > hungAfterMs && processes.steadyForMs > hungAfterMs ? 'hung' : 'alive'
  }
}
