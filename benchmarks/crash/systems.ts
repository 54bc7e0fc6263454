import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { streamReader, type TestActor } from '@sibyl/testing'
import { isFinal, readOf, readUntilCut } from '../faults/continued-turns/read-turn.ts'
import { type OracleProcess, startOracle } from '../faults/frame/start-oracle.ts'

/** The result of a turn whose process was ended. */
export interface Outcome {
  readonly isEnded: boolean
  /** All text that its reader got. */
  readonly text: string
  /** Whether it asked a person if a charge was made. */
  readonly asked: boolean
}

/** A system that runs the paying agent in processes. */
export interface System {
  readonly name: string
  /** Processes at a time, on one database. */
  readonly processes: number
  start(env: Readonly<Record<string, string>>): Promise<OracleProcess>
  /** Sends the message of a turn to a process, and reads until the turn or the process ends. */
  begin(process: OracleProcess, turn: string): Promise<Outcome>
  /** Continues a turn at another process as the system's documentation describes, and reads it to its end. */
  resume(process: OracleProcess, turn: string, wasCharged: (amount: number) => boolean): Promise<Outcome>
}

const person = createSigningKey()
const mnemonic = createMnemonic(12).reveal()

/** Sibyl: the reader asks any process for the rest of its stream, and a person answers whether a cut charge was made. */
export const sibyl = (processes: number): System => {
  const seen = new Map<string, Parameters<typeof readOf>[0]>()
  const send = (actor: TestActor, turn: string) => {
    const parts = [{ type: 'text', text: `Pay both. ${turn}` }]
    return actor.request('/chat', { json: { id: turn, message: { id: 'm', role: 'user', parts } } })
  }
  const outcome = (turn: string, asked = false): Outcome => {
    const { last, text } = readOf(seen.get(turn) ?? [])
    return { isEnded: last?.type === 'finish', text, asked }
  }
  return {
    name: 'Sibyl',
    processes,
    start: env =>
      startOracle({
        file: '../crash/oracle.ts',
        env: {
          ...env,
          ORACLE_MNEMONIC: mnemonic,
          PUBLIC_URL: 'http://oracle.test',
          OPENAI_API_KEY: 'none',
          LLM_PROVIDER: 'openai-compatible',
          LLM_MODEL: 'm',
        },
      }),
    async begin(process, turn) {
      seen.set(turn, await readUntilCut(send(process.actor(person), turn), { event: Number.POSITIVE_INFINITY }))
      return outcome(turn)
    },
    async resume(process, turn, wasCharged) {
      const actor = process.actor(person)
      const events = [...(seen.get(turn) ?? [])]
      const last = events.at(-1)
      const read = async (answer: Promise<Response> | Response) => {
        const reader = await streamReader(answer)
        await reader.rest()
        events.push(...reader.events)
        seen.set(turn, events)
      }
      if (!isFinal(last)) {
        const from = { headers: { 'last-event-id': last?.eventId ?? '' } }
        await read(last ? actor.request(`/chat/${turn}/stream`, from) : send(actor, turn))
      }
      const { question, inputs } = readOf(events)
      if (!question) return outcome(turn)
      const { amount } = inputs.get(question.toolCallId) as { amount: number }
      const data = { outcome: wasCharged(amount) ? 'applied' : 'not applied' }
      await read(actor.request(`/chat/${turn}/approvals/${question.approvalId}`, { json: { decision: 'once', data } }))
      return outcome(turn, true)
    },
  }
}

/** Another system: a program in `others` that answers `POST /<turn>` and `POST /<turn>/resume` with text. */
const other = (name: string, file: string): System => {
  const seen = new Map<string, string>()
  const read = async (process: OracleProcess, turn: string, path: string): Promise<Outcome | undefined> => {
    let isEnded = false
    try {
      const response = await fetch(`${process.url}/${path}`, { method: 'POST' })
      if (response.status === 404) return undefined
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        const text = decoder.decode(chunk as Uint8Array, { stream: true })
        isEnded = text.endsWith('\n')
        seen.set(turn, (seen.get(turn) ?? '') + text.replace('\n', ''))
      }
    } catch {
      // The connection ended with the process.
    }
    return { isEnded, text: seen.get(turn) ?? '', asked: false }
  }
  return {
    name,
    processes: 1,
    start: env => startOracle({ file: `../crash/others/${file}`, env }),
    begin: async (process, turn) => (await read(process, turn, turn))!,
    resume: async (process, turn) =>
      (await read(process, turn, `${turn}/resume`)) ?? (await read(process, turn, turn))!,
  }
}

export const langgraph = other('LangGraph JS', 'langgraph.mjs')
