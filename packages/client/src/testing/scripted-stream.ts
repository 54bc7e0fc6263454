import { ServerResponse } from 'node:http'

/** One event of a script, as it travels. */
export interface ScriptedEvent {
  readonly type: string
  readonly [key: string]: unknown
}

/** How streams break. */
export interface StreamFailures {
  /** After how many events the connection of that number (from 0) is cut; undefined leaves it whole. */
  cutStream?: (connection: number) => number | undefined
  /** `abrupt` breaks the socket, `clean` ends the response, `silent` stops sending. @default 'abrupt' */
  cut?: 'abrupt' | 'clean' | 'silent'
  /** Text that joins every event, such as a comment. */
  noise?: string
  /** Rewrites what is sent of an event. */
  rewrite?: (frame: string, number: number) => string
}

/** A turn that is played, with what it said so far. */
export interface RunningTurn {
  readonly turnId: string
  readonly frames: string[]
  readonly stop: AbortController
  readonly readers: Set<() => void>
  ended: boolean
}

/** Plays turns and sends their events, with faults. */
export class ScriptedStream {
  readonly #failures: StreamFailures
  #connections = 0

  constructor(failures: StreamFailures) {
    this.#failures = failures
  }

  begin(turnId: string): RunningTurn {
    return { turnId, frames: [], stop: new AbortController(), readers: new Set(), ended: false }
  }

  async play(turn: RunningTurn, events: Iterable<ScriptedEvent> | AsyncIterable<ScriptedEvent>): Promise<void> {
    for await (const event of events) {
      turn.frames.push(`id: ${turn.turnId}:${turn.frames.length + 1}\ndata: ${JSON.stringify(event)}\n\n`)
      turn.ended = ['finish', 'abort', 'error'].includes(event.type)
      for (const reader of turn.readers) reader()
      if (turn.ended) return
    }
  }

  /** A response that nobody reads. */
  nowhere(response: ServerResponse): ServerResponse {
    return new ServerResponse(response.req)
  }

  send(response: ServerResponse, turn: RunningTurn, after: number): void {
    const { cutStream, cut = 'abrupt', noise = '', rewrite = frame => frame } = this.#failures
    const budget = cutStream?.(this.#connections) ?? Number.POSITIVE_INFINITY
    this.#connections += 1
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': stream-open\n\n')
    let position = after
    const end = (text: string) => {
      turn.readers.delete(pump)
      if (cut === 'silent') response.write(text)
      else response.write(text, () => (cut === 'clean' ? response.end() : response.destroy()))
    }
    const pump = () => {
      let text = ''
      while (position < turn.frames.length && position - after < budget) {
        text += noise + rewrite(turn.frames[position]!, position + 1)
        position += 1
      }
      if (position - after >= budget) return end(text)
      if (!turn.ended) return response.write(text)
      turn.readers.delete(pump)
      response.end(`${text}data: [DONE]\n\n`)
    }
    turn.readers.add(pump)
    response.on('close', () => turn.readers.delete(pump))
    pump()
  }
}
