import type { JsonObject } from '@sibyl/protocol'

/** What a test server offers and does; plain JSON, which may be changed while it runs. */
export interface McpScript {
  readonly name?: string
  /** `old`: the revisions of 2024 and 2025; `new`: that of 2026-07-28 too. @default 'old' */
  readonly revision?: 'old' | 'new'
  readonly instructions?: string
  readonly tools: readonly ScriptedTool[]
  /** Tools on one page. @default all */
  readonly pageSize?: number
  readonly resources?: readonly { readonly uri: string; readonly name: string; readonly text?: string }[]
  readonly prompts?: readonly { readonly name: string; readonly text: string }[]
  /** What a program writes to its standard error first. */
  readonly stderr?: string
  /** What a program does before it speaks MCP, or in its place. */
  readonly start?:
    | { readonly exit: number }
    | { readonly stall: true }
    /** Writes this to its standard output and then goes on. */
    | { readonly garbage: string }
    /** Writes so many bytes without an end of line. */
    | { readonly flood: number }
    /** Ends at a request before `initialize`, as some old servers do. */
    | { readonly endsAtProbe: true }
    /** Ignores the end of its input and SIGTERM. */
    | { readonly stubborn: true }
}

/** One tool; all but its name and steps goes over the wire as it is, right or wrong. */
export interface ScriptedTool {
  readonly name: unknown
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly outputSchema?: unknown
  readonly annotations?: unknown
  /** What happens at a call, one after the other. @default [{ echo: true }] */
  readonly does?: readonly ScriptedStep[]
}

/** One step of a call. */
export type ScriptedStep =
  /** Adds a text with the arguments as JSON. */
  | { readonly echo: true }
  | { readonly text: string }
  /** Adds a text of so many characters. */
  | { readonly characters: number }
  /** Adds parts as they are. */
  | { readonly content: readonly unknown[] }
  | { readonly structured: JsonObject }
  /** Says that the tool failed. */
  | { readonly failed: string }
  /** Answers with an error of the protocol. */
  | { readonly refuse: string; readonly code?: number; readonly data?: unknown }
  | { readonly waitMs: number }
  /** Never goes on. */
  | { readonly stall: true }
  | { readonly progress: number; readonly total?: number; readonly message?: string }
  /** Asks these questions, and adds a text with the answers as JSON. */
  | { readonly ask: readonly ScriptedQuestion[] }
  /** Sets members of the script and tells that the tools changed. */
  | { readonly change: Partial<McpScript> }
  /** Ends the program, or the connection of the server. */
  | { readonly exit: number }
  /** Writes this beside the protocol. */
  | { readonly garbage: string }

/** A question of a server, as it goes over the wire. */
export interface ScriptedQuestion {
  readonly message: string
  readonly requestedSchema?: unknown
  readonly url?: string
}

/** What reached a test server. */
export interface ScriptedEvent {
  readonly what: 'started' | 'listed' | 'called' | 'cancelled' | 'answered' | 'finished'
  readonly tool?: string
  readonly args?: unknown
  /** What was answered to its questions. */
  readonly replies?: unknown
}

/** What the steps of a call act through. */
export interface StepHands {
  readonly signal: AbortSignal
  ask(questions: readonly ScriptedQuestion[]): Promise<readonly unknown[]>
  progress(done: number, total?: number, message?: string): Promise<void>
  change(part: Partial<McpScript>): Promise<void>
  exit(code: number): void
  garbage(text: string): void
}

/** The error of a `refuse` step, with a code. */
export class Refused extends Error {
  readonly code: number
  readonly data: unknown

  constructor(message: string, code: number, data: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Runs the steps of a tool; gives the result as it goes over the wire. */
export const runSteps = async (
  { does = [{ echo: true }] }: ScriptedTool,
  args: unknown,
  hands: StepHands,
): Promise<Record<string, unknown>> => {
  const content: unknown[] = []
  const add = (text: string) => content.push({ type: 'text', text })
  let structuredContent: JsonObject | undefined
  let isError = false

  for (const step of does) {
    if ('echo' in step) add(JSON.stringify(args))
    else if ('text' in step) add(step.text)
    else if ('characters' in step) add('x'.repeat(step.characters))
    else if ('content' in step) content.push(...step.content)
    else if ('structured' in step) structuredContent = step.structured
    else if ('failed' in step) {
      add(step.failed)
      isError = true
    } else if ('refuse' in step) throw new Refused(step.refuse, step.code ?? -32_000, step.data)
    else if ('waitMs' in step) await wait(step.waitMs, hands.signal)
    else if ('stall' in step) await wait(2_147_483_647, hands.signal)
    else if ('progress' in step) await hands.progress(step.progress, step.total, step.message)
    else if ('ask' in step) add(JSON.stringify(await hands.ask(step.ask)))
    else if ('change' in step) await hands.change(step.change)
    else if ('exit' in step) hands.exit(step.exit)
    else hands.garbage(step.garbage)
  }
  return { content, ...(structuredContent && { structuredContent }), ...(isError && { isError }) }
}

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new Error('cancelled'))
    })
  })
