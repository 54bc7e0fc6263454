import type { TurnEvent } from '@sibyl/plugin'
import { questionData } from '@sibyl/protocol'
import { z } from 'zod'
import type { Question } from './task-tables.ts'

/** A piece of a running turn, for clients that follow it. */
export type TurnPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly tool: string; readonly toolCallId: string }

/** Reads a turn as pieces: the text of its answer, and the tools that it calls. */
export async function* turnPieces(events: AsyncIterable<TurnEvent>): AsyncGenerator<TurnPiece> {
  let hasText = false
  for await (const { event } of events) {
    if (event.type === 'text-start' && hasText) yield { kind: 'text', text: '\n\n' }
    if (event.type === 'text-delta' && typeof event.delta === 'string' && event.delta !== '') {
      hasText = true
      yield { kind: 'text', text: event.delta }
    }
    if (event.type === 'tool-input-available') {
      yield { kind: 'tool', tool: String(event.toolName), toolCallId: String(event.toolCallId) }
    }
  }
}

/** A file that a tool named in its output. */
export interface NamedFile {
  readonly path: string
  readonly sha256: string
}

const namedFile = z.object({ path: z.string().max(4_096), sha256: z.string().length(64) })

/** Output of a turn besides its text. */
export interface TurnRemains {
  readonly questions: readonly Question[]
  readonly files: readonly NamedFile[]
}

/** Reads a turn to its end: what it asks the user, and the files that its tools name. */
export const turnRemains = async (events: AsyncIterable<TurnEvent>): Promise<TurnRemains> => {
  const questions = new Map<string, Question>()
  const files = new Map<string, NamedFile>()
  for await (const { event } of events) {
    const file = event.type === 'tool-output-available' ? namedFile.safeParse(event.output).data : undefined
    if (file) files.set(file.path, file)
    const asked = event.type === 'data-question' ? questionData.safeParse(event.data).data : undefined
    if (asked) {
      const { approvalId, text, schema } = asked
      questions.set(approvalId, { approvalId, text, ...(schema ? { schema } : {}) })
    }
    if (event.type !== 'tool-approval-request' || typeof event.approvalId !== 'string') continue
    const text = typeof event.reason === 'string' ? event.reason : 'May this be done?'
    questions.set(event.approvalId, questions.get(event.approvalId) ?? { approvalId: event.approvalId, text })
  }
  return { questions: [...questions.values()], files: [...files.values()] }
}
